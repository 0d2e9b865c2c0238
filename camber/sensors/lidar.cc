// LIDAR: each ray of a scan is cast at its own time from its own pose, into the ground that the
// wheels feel and everything on it. docs/theory/sensors.md, section 4.

#include "camber/sensors/lidar.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <limits>
#include <thread>

#include "camber/math/lanes.h"
#include "camber/math/scalar.h"
#include "camber/sensors/drive_scene.h"
#include "camber/sensors/lane_random.h"
#include "camber/sensors/lidar_lanes.h"
#include "camber/sensors/noise.h"
#include "camber/sensors/point_cloud.h"
#include "camber/sensors/sensor.h"

namespace camber::sensors {

double calc_extinction(const Weather& weather, double wavelength) {
  double sum = weather.dust;
  if (weather.rain > 0) sum += 2.478e-4 * std::pow(weather.rain, 0.67);
  if (weather.visibility > 0) {
    // [Kim 2001] q by the visibility in km.
    const double v = weather.visibility / 1000;
    const double q = v > 50 ? 1.6 : v > 6 ? 1.3 : v > 1 ? 0.16 * v + 0.34 : v > 0.5 ? v - 0.5 : 0;
    sum += 3.912 / weather.visibility * std::pow(wavelength / 550e-9, -q);
  }
  return sum;
}

double calc_signal(const LidarSpec& spec, double reflectivity, double cos_incidence, double range,
                   double extinction) {
  const double ratio = spec.max_range / range;
  return reflectivity * cos_incidence / spec.reference_reflectivity * ratio * ratio *
         (extinction > 0 ? std::exp(-2 * extinction * range) : 1);
}

double calc_detection(double signal) {
  constexpr double kSlope = 2;      // per dB
  constexpr double kCertain = 100;  // 20 dB: missed with 4e-18
  if (signal >= kCertain) return 1;
  if (!(signal > 0)) return 0;
  return 1 / (1 + std::exp(-kSlope * 10 * std::log10(signal)));
}

double calc_range_sigma(const LidarSpec& spec, double signal) {
  return spec.sigma * std::sqrt(1 + 3 / signal);
}

namespace {

constexpr double kFar =
    1.25;  // rays end at this many max ranges: hardly anything comes back from there
constexpr int kMaxSubRays = 9;
constexpr double kNothing = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kReturnBlock = 16;  // random numbers of the first return; others follow

/// Air's particles count as targets of this reflectivity, and this share of the extinction is such
/// hits. Both are our choice: fog of 50 m visibility then gives a few per cent of false returns.
constexpr double kParticleReflectivity = 0.05, kParticleShare = 0.02;

Vector3 to_eigen(const Vec3<double>& x) { return {x[0], x[1], x[2]}; }

/// luck < calc_detection(signal). That is s^8.69/(1 + s^8.69), for which s^8 is a bound that mostly
/// decides.
bool is_detected(double signal, double luck) {
  constexpr double kMargin = 1e-9;
  const double square = signal * signal, fourth = square * square, eighth = fourth * fourth;
  const double bound = eighth / (1 + eighth);
  if (signal >= 1 && luck < bound - kMargin) return true;
  if (signal <= 1 && luck > bound + kMargin) return false;
  return luck < calc_detection(signal);
}

/// A surface that a beam, or a part of it, meets.
struct Echo {
  double range;
  double reflectivity;  // with the cosine of the incidence
  double retroreflection;
  int label, object;
};

/// A material at the sensor's wavelength.
struct Coat {
  double reflectivity = 0, retroreflection = 0;
};

class Lidar : public Sensor {
 public:
  Lidar(const SensorSpec& spec, const RandomStream& stream)
      : Sensor(spec, stream,
               {{"points", {"1"}, {}, "Returns of the scan"},
                {"end", {"s"}, {}, "Time of the last ray"},
                {"pose",
                 {"m", "m", "m", "1", "1", "1", "1", "1", "1", "1", "1", "1"},
                 {"x", "y", "z", "r00", "r10", "r20", "r01", "r11", "r21", "r02", "r12", "r22"},
                 "Truth: pose of the sensor at the start of the scan, rotation by columns"}}),
        own_(std::get<LidarSpec>(spec.kind)),
        pattern_(make_lidar_pattern(own_, spec.timing.rate)) {
    extinction_ = calc_extinction(own_.weather, own_.wavelength);
    RandomStream random = constants("rays");
    key_ = random.bits();
    bias_ = is_ideal() ? 0 : own_.bias * random.normal();
    if (is_ideal()) own_.sub_rays = 1;
    find_sub_rays();
    min_cosine_ = std::cos(own_.max_incidence);
    has_angle_noise_ = !is_ideal() && own_.angle_sigma > 0;
    find_parts();
    clouds_.resize(slot_count());
    for (PointCloud& cloud : clouds_) {
      cloud.pattern = pattern_;
      cloud.points.reserve(pattern_->rays.size());
    }
  }

  double reach() const override { return kFar * own_.max_range; }
  bool sees_own_vehicle() const override { return own_.sees_own_vehicle; }
  OwnView find_own_view(const DriveScene& scene) override {
    look_at_own_vehicle(scene);
    const auto hits = std::ranges::count_if(own_ranges_, [](double r) { return r < kNothing; });
    return {static_cast<double>(hits) / static_cast<double>(own_ranges_.size()),
            *std::ranges::min_element(own_ranges_)};
  }
  double duration() const override { return pattern_->duration; }
  const PointCloud* cloud(const Sample& sample) const override {
    return &clouds_[slot_of(sample, clouds_.size())];
  }

 protected:
  void measure(const Readings& in, RandomStream*, Sample* sample) override;
  void save_own(StateWriter* out) const override {
    for (const PointCloud& cloud : clouds_) cloud.save(out);
  }
  void restore_own(StateReader* in) override {
    for (PointCloud& cloud : clouds_) cloud.restore(in);
  }

 private:
  /// Part of a scan: these rays in the order of time are those in the order of casting.
  struct Part {
    std::size_t from, to;
  };
  void find_sub_rays();
  void find_parts();
  std::vector<Coat> list_paints(const scene::Scene& scene) const;
  void make_room(const Part& part);
  void measure_part(const Readings& in, const Part& part, const RayRandom& random,
                    PointCloud* cloud);
  void aim(const Readings& in, double begin, const RayRandom& random);
  void cast(const Readings& in, double begin);
  void look_at_own_vehicle(const DriveScene& scene);
  double find_cosine(std::size_t i, std::size_t sub, bool is_own) const;
  Echo find_echo(const DriveScene& scene, std::size_t i, std::size_t sub) const;
  /// Number of a ray in rays_ and hits_.
  std::size_t number(std::size_t i, std::size_t sub = 0) const {
    return (pattern_->place[i] - part_.from) * sub_count_ + sub;
  }
  std::size_t own_number(std::size_t i, std::size_t sub = 0) const {
    return pattern_->place[i] * sub_count_ + sub;
  }
  void add_points(const DriveScene& scene, std::uint32_t i, const RayRandom& random,
                  PointCloud* cloud);
  void add_single_points(const DriveScene& scene, PointCloud* cloud) const;

  LidarSpec own_;
  std::shared_ptr<const LidarPattern> pattern_;
  double extinction_ = 0;  // [1/m]
  double bias_ = 0;        // [m]
  std::uint64_t key_ = 0;
  std::size_t sub_count_ = 1;
  std::vector<std::array<double, 2>> sub_offsets_;  // across, up [rad]
  std::vector<Part> parts_, slow_parts_;  // of a scan: small ones, and those of whole milliseconds
  // Of the part that is measured now:
  Part part_{0, 0};
  std::vector<scene::Ray> rays_;  // in the order of casting, sub-rays of a beam together
  std::vector<scene::Hit> hits_;
  std::vector<double> errors_left_, errors_up_;  // of the directions, normal numbers by ray
  std::vector<double> chances_, noises_;  // uniform and normal numbers of first returns, by ray
  std::vector<Vec3<double>> nominal_;     // directions in W by ray, if beams differ
  bool has_angle_noise_ = false;
  std::vector<double> own_ranges_;  // to the own vehicle, in the order of casting all of them
  std::vector<scene::Hit> own_hits_;
  std::vector<Coat> paints_, own_paints_;  // of the scene's materials and the own vehicle's
  double min_cosine_ = 0;                  // of the incidence
  int in_vehicle_ = 0;                     // that carries the sensor
  std::vector<PointCloud> clouds_;         // by slot
};

std::vector<Coat> Lidar::list_paints(const scene::Scene& scene) const {
  std::vector<Coat> paints;
  for (int k = 0; k < scene.material_count(); ++k) {
    const scene::Material& material = scene.material(k);
    paints.push_back({material.reflectivity_at(own_.wavelength), material.retroreflection});
  }
  return paints;
}

/// Beams as 2 x 2 or 3 x 3 rays, each for the same part of the beam's square.
void Lidar::find_sub_rays() {
  const int side = own_.sub_rays >= 9 ? 3 : own_.sub_rays >= 4 ? 2 : 1;
  sub_count_ = static_cast<std::size_t>(side) * side;
  sub_offsets_.clear();
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      sub_offsets_.push_back({own_.divergence[0] * ((i + 0.5) / side - 0.5),
                              own_.divergence[1] * ((j + 0.5) / side - 0.5)});
}

// A scan is measured in parts whose rays and hits stay in the cache of the second level. A part ends
// where all rays before it in time are before it in the order of casting: spinning LIDARs have such
// places after every sixteen firings, pictures may have none.
void Lidar::find_parts() {
  constexpr std::size_t kMost = 2048;  // rays: a bundle of the scene's packets
  const std::size_t count = pattern_->place.size(),
                    most = std::max<std::size_t>(1, kMost / sub_count_);
  std::size_t closed = 0, last_place = 0, slice = 0;
  Part next{0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    last_place = std::max<std::size_t>(last_place, pattern_->place[i]);
    if (last_place != i) continue;
    closed = i + 1;
    if (closed - next.from > most && next.to > next.from) {
      parts_.push_back(next);
      next.from = next.to;
    }
    next.to = closed;
    while (pattern_->slices[slice] < closed) ++slice;
    if (pattern_->slices[slice] == closed)
      slow_parts_.push_back({slow_parts_.empty() ? 0 : slow_parts_.back().to, closed});
  }
  parts_.push_back(next);
}

void Lidar::make_room(const Part& part) {
  part_ = part;
  const std::size_t count = part.to - part.from;
  scene::Ray far;
  far.max_range = kFar * own_.max_range;
  rays_.resize(count * sub_count_, far);
  hits_.resize(count * sub_count_);
  if (!is_ideal()) {
    chances_.resize(count);
    noises_.resize(count);
  }
  // Rays that are cast differ from the nominal ones.
  if (has_angle_noise_ || sub_count_ > 1) nominal_.resize(count);
  if (has_angle_noise_) {
    errors_left_.resize(count);
    errors_up_.resize(count);
  }
}

/// A small turn of a direction, to the left and up. T: double, or lanes.
template <class T>
std::array<T, 3> deflect(const std::array<T, 3>& d, const T& left, const T& up) {
  using math::select;
  using std::sqrt;
  const T level = sqrt(d[0] * d[0] + d[1] * d[1]);
  const auto is_upright = level == 0.0;
  const T inverse = 1.0 / select(is_upright, T(1.0), level);
  const T x = T(0.0) - d[1] * inverse, y = d[0] * inverse;  // the unit vector to the left
  const std::array<T, 3> turned = {d[0] + x * left - y * d[2] * up, d[1] + y * left + x * d[2] * up,
                                   d[2] + level * up};
  const T scale = 1.0 / sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]);
  return {turned[0] * scale, turned[1] * scale, turned[2] * scale};
}

/// Rays of the world, eight at a time.
void Lidar::aim(const Readings& in, double begin, const RayRandom& random) {
  constexpr std::size_t kLanes = MotionSegment::kLanes;
  using Real = math::Lanes<kLanes>;
  const bool has_nominal = !nominal_.empty();
  const Pose& mount = spec().mount.pose;
  if (has_angle_noise_)
    draw_normals(random, static_cast<std::uint32_t>(part_.from), 1, errors_left_, errors_up_);
  MotionSegment segment;
  double segment_begin = kNothing, segment_end = -kNothing;
  if (in.motion->size() < 2) {  // the start of a run: at rest there
    Motion state = in.motion->state(0);
    state.velocity = state.angular_velocity = Vec3<double>();
    Motion later = state;
    later.time += 1;
    segment = MotionSegment(state, later);
    segment_begin = -kNothing;
    segment_end = kNothing;
  }
  const auto find_segment = [&](double time) {
    if (time >= segment_begin && time <= segment_end) return;
    segment = in.motion->segment_at(time);
    segment_begin = segment.begin();
    segment_end = segment.end();
  };
  const std::size_t parts = has_nominal ? sub_count_ : 0;
  for (std::size_t i = part_.from; i < part_.to;) {
    find_segment(begin + pattern_->aims[i].time);
    std::size_t n = 1;
    while (n < kLanes && i + n < part_.to && begin + pattern_->aims[i + n].time <= segment_end) {
      ++n;
    }
    // The nominal directions, then those of the parts.
    alignas(64) double time[kLanes], origin[3][kLanes], directions[3 * (kMaxSubRays + 1)][kLanes];
    alignas(64) double errors[2][kLanes] = {};
    for (std::size_t l = 0; l < kLanes; ++l) {
      const std::size_t k = i + std::min(l, n - 1);
      const LidarPattern::Aim& from = pattern_->aims[k];
      time[l] = begin + from.time;
      for (int a = 0; a < 3; ++a)
        origin[a][l] = from.origin[a], directions[a][l] = from.direction[a];
      if (!has_angle_noise_) continue;
      errors[0][l] = own_.angle_sigma * errors_left_[k - part_.from];
      errors[1][l] = own_.angle_sigma * errors_up_[k - part_.from];
    }
    const std::array<Real, 3> nominal = {Real::load(directions[0]), Real::load(directions[1]),
                                         Real::load(directions[2])};
    const auto mount_row = [&](const std::array<Real, 3>& v, int a) {
      return mount.rotation(a, 0) * v[0] + mount.rotation(a, 1) * v[1] +
             mount.rotation(a, 2) * v[2];
    };
    for (std::size_t s = 0; s < parts; ++s) {
      Real left = Real::load(errors[0]), up = Real::load(errors[1]);
      if (sub_count_ > 1) left += sub_offsets_[s][0], up += sub_offsets_[s][1];
      const std::array<Real, 3> turned = deflect(nominal, left, up);
      for (int a = 0; a < 3; ++a) mount_row(turned, a).store(directions[3 * (s + 1) + a]);
    }
    const std::array<Real, 3> from = {Real::load(origin[0]), Real::load(origin[1]),
                                      Real::load(origin[2])};
    for (int a = 0; a < 3; ++a) {
      (mount.position[a] + mount_row(from, a)).store(origin[a]);
      mount_row(nominal, a).store(directions[a]);
    }
    segment.place(time, origin, directions, parts + 1);
    for (std::size_t l = 0; l < n; ++l) {
      if (has_nominal)
        nominal_[i + l - part_.from] =
            Vec3<double>(directions[0][l], directions[1][l], directions[2][l]);
      for (std::size_t s = 0; s < sub_count_; ++s) {
        const double(*d)[kLanes] = directions + (has_nominal ? 3 * (s + 1) : 0);
        scene::Ray& out = rays_[number(i + l, s)];
        out.origin = Vector3(origin[0][l], origin[1][l], origin[2][l]);
        out.direction = Vector3(d[0][l], d[1][l], d[2][l]);
      }
    }
    i += n;
  }
}

// Moving things are put where they are in the middle of each millisecond; without them
// the scan is cast at once, by several threads if wished.
void Lidar::cast(const Readings& in, double begin) {
  const std::size_t count = rays_.size();
  const scene::Scene& scene = in.scene->scene();
  if (in.scene->has_movers()) {
    const std::vector<std::uint32_t>& slices = pattern_->slices;
    const auto first_slice = std::ranges::lower_bound(slices, part_.from) - slices.begin();
    for (auto k = static_cast<std::size_t>(first_slice); slices[k] < part_.to; ++k) {
      const std::size_t from = slices[k], to = slices[k + 1];
      double first = kNothing, last = 0;
      for (std::size_t i = from; i < to; ++i) {
        first = std::min(first, pattern_->rays[pattern_->order[i]].time);
        last = std::max(last, pattern_->rays[pattern_->order[i]].time);
      }
      in.scene->set_time(begin + 0.5 * (first + last), *in.vehicles);
      const std::size_t begin_ray = (from - part_.from) * sub_count_,
                        count_rays = (to - from) * sub_count_;
      scene.cast(std::span(rays_).subspan(begin_ray, count_rays),
                 std::span(hits_).subspan(begin_ray, count_rays));
    }
    return;
  }
  const auto threads = static_cast<std::size_t>(std::max(1, spec().threads));
  if (threads == 1) {
    scene.cast(rays_, hits_);
    return;
  }
  std::vector<std::thread> workers;
  std::vector<std::exception_ptr> problems(threads);
  for (std::size_t t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      const std::size_t from = count * t / threads, to = count * (t + 1) / threads;
      try {
        scene.cast(std::span(rays_).subspan(from, to - from),
                   std::span(hits_).subspan(from, to - from));
      } catch (...) {
        problems[t] = std::current_exception();
      }
    });
  for (std::thread& worker : workers) worker.join();
  for (const std::exception_ptr& problem : problems)
    if (problem) std::rethrow_exception(problem);
}

// The own vehicle does not move against the sensor: its part of every ray is found once.
void Lidar::look_at_own_vehicle(const DriveScene& scene) {
  if (!own_ranges_.empty()) return;
  const std::size_t count = pattern_->rays.size() * sub_count_;
  own_ranges_.assign(count, kNothing);
  // From another body the chassis is seen to move, as part of the scene.
  if (!own_.sees_own_vehicle || !is_on_chassis() || scene.own_vehicle().instance_count() == 0)
    return;
  const Pose& mount = spec().mount.pose;
  std::vector<scene::Ray> rays(count);
  std::vector<scene::Hit> hits(count);
  for (std::size_t k = 0; k < pattern_->order.size(); ++k) {
    const LidarPattern::Ray& ray = pattern_->rays[pattern_->order[k]];
    for (std::size_t s = 0; s < sub_count_; ++s) {
      Vec3<double> part = ray.direction;
      if (sub_count_ > 1) {
        const auto turned =
            deflect<double>({part[0], part[1], part[2]}, sub_offsets_[s][0], sub_offsets_[s][1]);
        part = {turned[0], turned[1], turned[2]};
      }
      rays[k * sub_count_ + s] = {to_eigen(mount.position + mount.rotation * ray.origin),
                                  to_eigen(mount.rotation * part), kFar * own_.max_range};
    }
  }
  scene.own_vehicle().cast(rays, hits);
  own_hits_ = std::move(hits);
  for (std::size_t k = 0; k < count; ++k) own_ranges_[k] = own_hits_[k].range;
}

/// Of the incidence.
double Lidar::find_cosine(std::size_t i, std::size_t sub, bool is_own) const {
  if (!is_own) {
    const std::size_t k = number(i, sub);
    const Vector3 &n = hits_[k].normal, &d = rays_[k].direction;
    return std::abs(n.x() * d.x() + n.y() * d.y() + n.z() * d.z());
  }
  const Vector3& n = own_hits_[own_number(i, sub)].normal;
  const Vec3<double> d = spec().mount.pose.rotation * pattern_->rays[i].direction;
  return std::abs(n.x() * d[0] + n.y() * d[1] + n.z() * d[2]);
}

Echo Lidar::find_echo(const DriveScene& scene, std::size_t i, std::size_t sub) const {
  const std::size_t k = number(i, sub), own = own_number(i, sub);
  const bool is_own = own_ranges_[own] < hits_[k].range;
  const scene::Hit& hit = is_own ? own_hits_[own] : hits_[k];
  Echo echo{kNothing, 0, 0, 0, -1};
  if (!hit.is_hit()) return echo;
  const double cosine = find_cosine(i, sub, is_own);
  if (cosine < min_cosine_) return echo;
  const Coat& coat = (is_own ? own_paints_ : paints_)[static_cast<std::size_t>(hit.material)];
  echo.range = hit.range;
  echo.reflectivity = coat.reflectivity * cosine;
  echo.retroreflection = coat.retroreflection;
  echo.label = hit.label;
  echo.object = is_own ? in_vehicle_ : scene.object_of(hit.instance);
  return echo;
}

// Echoes of a beam's parts that are closer to each other than the pulse is long become one return,
// at their mean weighted by power: between an edge and what is after it there are mixed pixels.
void Lidar::add_points(const DriveScene& scene, std::uint32_t i, const RayRandom& random,
                       PointCloud* cloud) {
  struct Return {
    double range, signal, intensity, strongest;
    int label, object;
  };
  Return returns[kMaxSubRays + 1];  // neither of these is filled before it is used
  std::size_t count = 0;
  Echo echoes[kMaxSubRays];
  std::size_t found = 0;
  for (std::size_t s = 0; s < sub_count_; ++s) {
    const Echo echo = find_echo(scene, i, s);
    if (echo.range < kNothing) echoes[found++] = echo;
  }
  if (found > 1)
    std::stable_sort(echoes, echoes + found,
                     [](const Echo& a, const Echo& b) { return a.range < b.range; });
  const double share = 1.0 / static_cast<double>(sub_count_);
  double first = 0;
  for (std::size_t e = 0; e < found; ++e) {
    const Echo& echo = echoes[e];
    const double reflectivity = echo.reflectivity + 100 * echo.retroreflection;
    const double signal =
        share * calc_signal(own_, reflectivity, 1, echo.range, is_ideal() ? 0 : extinction_);
    if (count == 0 || echo.range - first > own_.pulse_length) {
      first = echo.range;
      returns[count++] = {0, 0, 0, 0, 0, -1};
    }
    Return& r = returns[count - 1];
    r.range += signal * echo.range;
    r.signal += signal;
    r.intensity +=
        share * (echo.retroreflection > 0.02 ? 101 + std::min(154.0, 154 * echo.retroreflection)
                                             : std::min(100.0, 100 * echo.reflectivity));
    if (signal > r.strongest) {
      r.strongest = signal;
      r.label = echo.label;
      r.object = echo.object;
    }
  }
  for (std::size_t r = 0; r < count; ++r)
    returns[r].range = returns[r].signal > 0 ? returns[r].range / returns[r].signal : 0;

  if (!is_ideal() && extinction_ > 0) {
    // The first particle on the way, by inverting 1 - exp(-beta r).
    const double beta = kParticleShare * extinction_;
    const double r = -std::log(random.uniforms(i, 2)[0]) / beta;
    if (r < (count > 0 ? returns[0].range : own_.max_range)) {
      for (std::size_t k = count; k > 0; --k) returns[k] = returns[k - 1];
      const double signal = calc_signal(own_, kParticleReflectivity, 1, r, extinction_);
      returns[0] = {r, signal, 100 * kParticleReflectivity, signal, 0, -2};
      ++count;
    }
  }

  // Those that are detected, with their noise.
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    Return& r = returns[k];
    if (is_ideal()) {
      if (r.range < own_.min_range || r.range > own_.max_range) continue;
    } else {
      // Returns have blocks from 16 on. The first number decides whether it is lost, what is left of
      // its interval whether it is detected, which at a strong signal is nearly certain.
      // Those of first returns are drawn for the whole scan.
      double chance = chances_[i - part_.from], noise = noises_[i - part_.from];
      if (k > 0) {
        const auto u = random.uniforms(i, kReturnBlock + static_cast<std::uint32_t>(k));
        chance = u[0], noise = internal::normal_quantile(u[1]);
      }
      if (chance < own_.dropout) continue;
      const double luck = (chance - own_.dropout) / (1 - own_.dropout);
      if (!is_detected(r.signal, luck)) continue;
      r.range = quantize(r.range + bias_ + calc_range_sigma(own_, r.signal) * noise, own_.quantum);
      if (r.range < own_.min_range) continue;
      r.intensity = std::round(r.intensity);
    }
    returns[kept++] = r;
  }
  if (kept == 0) return;
  std::size_t chosen[2] = {0, 0};
  std::size_t chosen_count = 1;
  std::size_t strongest = 0;
  for (std::size_t k = 1; k < kept; ++k)
    if (returns[k].signal > returns[strongest].signal) strongest = k;
  switch (own_.returns) {
    case LidarSpec::Returns::kStrongest:
      chosen[0] = strongest;
      break;
    case LidarSpec::Returns::kLast:
      chosen[0] = kept - 1;
      break;
    case LidarSpec::Returns::
        kDual:  // the strongest and the last; the second strongest if that is the same
      chosen[0] = strongest;
      chosen[1] = kept - 1;
      if (strongest == kept - 1 && kept > 1) {
        chosen[1] = 0;
        for (std::size_t k = 1; k + 1 < kept; ++k)
          if (returns[k].signal > returns[chosen[1]].signal) chosen[1] = k;
      }
      chosen_count = kept > 1 ? 2 : 1;
      break;
  }
  const scene::Ray& ray = rays_[number(i)];
  const Vec3<double> origin(ray.origin.x(), ray.origin.y(), ray.origin.z());
  const Vec3<double> direction =
      nominal_.empty() ? Vec3<double>(ray.direction.x(), ray.direction.y(), ray.direction.z())
                       : nominal_[i - part_.from];
  for (std::size_t k = 0; k < chosen_count; ++k) {
    const Return& r = returns[chosen[k]];
    CloudPoint point;
    point.range = r.range;
    point.intensity = r.intensity;
    point.ray = i;
    point.label = r.label;
    point.instance = r.object;
    point.return_number = static_cast<std::uint8_t>(k + 1);
    point.return_count = static_cast<std::uint8_t>(chosen_count);
    point.world = origin + direction * r.range;
    cloud->points.push_back(point);
  }
}

// A ray that is not divided has one return in clear air.
void Lidar::add_single_points(const DriveScene& scene, PointCloud* cloud) const {
  constexpr std::size_t kLanes = EchoColumns::kLanes;
  for (std::size_t i = part_.from; i < part_.to; i += kLanes) {
    const std::size_t n = std::min(kLanes, part_.to - i);
    EchoColumns echoes;
    const scene::Hit* met[kLanes];
    bool is_own[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) {
      echoes.range[l] = kNothing;
      echoes.cosine[l] = echoes.reflectivity[l] = echoes.retroreflection[l] = 0;
      echoes.chance[l] = echoes.noise[l] = 0;
      if (l >= n) continue;
      const std::size_t k = number(i + l), own = own_number(i + l);
      is_own[l] = own_ranges_[own] < hits_[k].range;
      const scene::Hit& hit = is_own[l] ? own_hits_[own] : hits_[k];
      met[l] = &hit;
      if (!hit.is_hit()) continue;
      const Coat& coat =
          (is_own[l] ? own_paints_ : paints_)[static_cast<std::size_t>(hit.material)];
      echoes.range[l] = hit.range;
      echoes.cosine[l] = find_cosine(i + l, 0, is_own[l]);
      echoes.reflectivity[l] = coat.reflectivity;
      echoes.retroreflection[l] = coat.retroreflection;
      echoes.chance[l] = chances_[i + l - part_.from];
      echoes.noise[l] = noises_[i + l - part_.from];
    }
    ReturnColumns returns;
    unsigned found = measure_returns(own_, bias_, min_cosine_, echoes, &returns);
    for (; found != 0; found &= found - 1) {
      const int l = std::countr_zero(found);
      const std::size_t k = number(i + l);
      CloudPoint point;
      point.range = returns.range[l];
      point.intensity = returns.intensity[l];
      point.ray = static_cast<std::uint32_t>(i + l);
      point.label = met[l]->label;
      point.instance = is_own[l] ? in_vehicle_ : scene.object_of(met[l]->instance);
      const Vector3& o = rays_[k].origin;
      const Vector3& d = rays_[k].direction;
      point.world =
          Vec3<double>(o.x(), o.y(), o.z()) +
          (nominal_.empty() ? Vec3<double>(d.x(), d.y(), d.z()) : nominal_[i + l - part_.from]) *
              point.range;
      cloud->points.push_back(point);
    }
  }
}

void Lidar::measure_part(const Readings& in, const Part& part, const RayRandom& random,
                         PointCloud* cloud) {
  make_room(part);
  aim(in, cloud->begin, random);
  cast(in, cloud->begin);
  if (!is_ideal()) {
    draw_uniforms_and_normals(random, static_cast<std::uint32_t>(part.from), kReturnBlock, chances_,
                              noises_);
  }
  if (!is_ideal() && sub_count_ == 1 && extinction_ == 0) {
    add_single_points(*in.scene, cloud);
    return;
  }
  for (std::size_t i = part.from; i < part.to; ++i)
    add_points(*in.scene, static_cast<std::uint32_t>(i), random, cloud);
}

void Lidar::measure(const Readings& in, RandomStream*, Sample* sample) {
  PointCloud& cloud = clouds_[slot_of(*sample, clouds_.size())];
  const RayRandom random(key_, static_cast<std::uint64_t>(sample->number));
  const double begin = sample->measured;
  in_vehicle_ = in.vehicle;
  cloud.begin = begin;
  const Pose frame = in.motion->at(begin).pose;
  const Pose& mount = spec().mount.pose;
  cloud.pose = {frame.position + frame.rotation * mount.position, frame.rotation * mount.rotation};
  look_at_own_vehicle(*in.scene);
  paints_ = list_paints(in.scene->scene());
  own_paints_ = list_paints(in.scene->own_vehicle());
  const scene::Scene& scene = in.scene->scene();
  if (cloud.labels.empty() || static_cast<int>(cloud.labels.size()) != scene.label_count()) {
    cloud.labels.clear();
    for (int k = 0; k < scene.label_count(); ++k) cloud.labels.push_back(scene.label_name(k));
  }
  cloud.points.clear();
  if (in.scene->has_movers()) {
    for (const Part& part : slow_parts_) measure_part(in, part, random, &cloud);
  } else if (spec().threads > 1) {
    measure_part(in, {0, pattern_->rays.size()}, random, &cloud);
  } else {
    for (const Part& part : parts_) measure_part(in, part, random, &cloud);
  }
  std::vector<double>& out = sample->values;
  out[0] = static_cast<double>(cloud.points.size());
  out[1] = begin + pattern_->duration;
  for (int k = 0; k < 3; ++k) out[2 + k] = cloud.pose.position[k];
  for (int k = 0; k < 9; ++k) out[5 + k] = cloud.pose.rotation(k % 3, k / 3);
}

}  // namespace

std::unique_ptr<Sensor> make_lidar(const SensorSpec& spec, const Carrier&,
                                   const RandomStream& stream) {
  return std::make_unique<Lidar>(spec, stream);
}

}  // namespace camber::sensors
