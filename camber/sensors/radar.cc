// Radar at the level of objects: rays over its field of view find what is visible, each object gives
// one return with range, azimuth and Doppler speed, if the radar equation lets it be detected:
//   P = (sigma / sigma0) (Rmax / R)^4 G F                                           (1)
// G is the antenna's pattern, F the interference of the direct way with the one over the ground.
// With ghosts, rays that meet an upright flat face go on as in a mirror; what they meet there is
// seen behind the face, at the length of both legs, a ghost. Its power loses a reflection on the way
// there and one on the way back.
// Cross sections by class are of the order that is found at 77 GHz; they fluctuate from scan to scan
// (Swerling 1: exponential distribution).

#include "camber/sensors/radar.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "camber/core/text.h"
#include "camber/sensors/drive_scene.h"
#include "camber/sensors/lidar.h"
#include "camber/sensors/sensor.h"

namespace camber::sensors {

double calc_antenna_pattern(const RadarSpec& spec, double azimuth, double elevation) {
  double exponent = 0;
  for (const auto& [angle, width] :
       {std::pair(azimuth, spec.beam_width[0]), std::pair(elevation, spec.beam_width[1])})
    if (width > 0) exponent += (angle / width) * (angle / width);
  return std::exp(-8 * std::numbers::ln2 * exponent);
}

double calc_ground_reflection(const RadarSpec& spec, double grazing) {
  const double sine = std::sin(grazing), cosine = std::cos(grazing);
  const double e = spec.ground_permittivity, root = std::sqrt(e - cosine * cosine);
  const double smooth = (e * sine - root) / (e * sine + root);
  const double phase = 2 * std::numbers::pi / spec.wavelength * spec.ground_roughness * sine;
  return smooth * std::exp(-2 * phase * phase);
}

double calc_ground_multipath(const RadarSpec& spec, double antenna, double target,
                             double distance) {
  // The detour without a difference of large numbers: 4 h1 h2 over the sum of both ways.
  const double direct = std::hypot(distance, antenna - target),
               over = std::hypot(distance, antenna + target);
  const double detour = 4 * antenna * target / (direct + over);
  const double gamma = calc_ground_reflection(spec, std::atan2(antenna + target, distance));
  const double phase = 2 * std::numbers::pi * detour / spec.wavelength;
  const double square = 1 + gamma * gamma + 2 * gamma * std::cos(phase);
  return square * square;
}

namespace {

double find_cross_section(const std::string& label) {  // [dBsm]
  if (label == "car") return 10;
  if (label == "pedestrian") return -5;
  return 0;
}

std::vector<std::string> number_names(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

class Radar : public Sensor {
 public:
  Radar(const SensorSpec& spec, const RandomStream& stream)
      : Sensor(spec, stream, list_quantities(std::get<RadarSpec>(spec.kind))),
        own_(std::get<RadarSpec>(spec.kind)) {
    const auto count = [&](const std::array<double, 2>& range) {
      return std::max(1, static_cast<int>(std::ceil((range[1] - range[0]) / own_.ray_spacing)));
    };
    const int rows = count(own_.elevation_range), columns = count(own_.azimuth_range);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const auto at = [](const std::array<double, 2>& range, double share) {
          return range[0] + share * (range[1] - range[0]);
        };
        const double e = at(own_.elevation_range, (r + 0.5) / rows);
        const double a = at(own_.azimuth_range, (c + 0.5) / columns);
        directions_.push_back({std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)});
      }
    rays_.resize(directions_.size());
    hits_.resize(directions_.size());
  }

  double reach() const override { return own_.range[1]; }

 protected:
  void measure(const Readings& in, RandomStream* random, Sample* sample) override;

 private:
  static std::vector<Quantity> list_quantities(const RadarSpec& spec) {
    const std::vector<std::string> names = number_names(spec.max_objects);
    std::vector<Quantity> list = {
        {"count", {"1"}, {}, "Objects that are detected"},
        {"range", {"m"}, names, "Distance of each object; NaN after the last"},
        {"azimuth", {"rad"}, names, "To the left"},
        {"range_rate", {"m/s"}, names, "Doppler speed; negative: it comes nearer"},
        {"cross_section", {"dBsm"}, names, "As received"},
        {"object", {"1"}, names, "Truth: vehicles, then things, then posts"}};
    if (spec.has_ghosts)
      list.push_back({"ghost", {"1"}, names, "Truth: 1 if it is seen in the mirror of a wall"});
    return list;
  }

  double find_multipath(DriveScene& scene, const Vec3<double>& antenna,
                        const Vec3<double>& target) const;

  struct Target {
    double range = std::numeric_limits<double>::infinity();
    Vector3 sum = Vector3::Zero();  // of the points that are seen
    int points = 0, instance = 0, label = 0, object = 0;

    void add(const scene::Hit& hit, double way, const Vector3& point) {
      range = std::min(range, way);
      sum += point;
      instance = hit.instance;
      label = hit.label;
      ++points;
    }
  };
  /// A target in the mirror of a face: `sum` is of its points where they are.
  struct Ghost : Target {
    Vector3 normal = Vector3::Zero();  // of the face
    double offset = 0;                 // of its plane along the normal [m]
    int mirror = 0;                    // instance that the face belongs to
  };
  /// A target as it is received.
  struct Echo {
    double range = 0;
    Vec3<double> point, speed;  // its middle or its mirror image; relative to the radar
    double gain = 1;            // by reflections [1]
    int label = 0, object = 0;
    bool is_ghost = false;
  };

  void find_targets(const DriveScene& scene);
  void find_ghosts(const DriveScene& scene);
  std::vector<Echo> list_echoes(const Readings& in, const Motion& at, double time) const;

  RadarSpec own_;
  std::vector<Vec3<double>> directions_;
  std::vector<scene::Ray> rays_, mirrored_;
  std::vector<scene::Hit> hits_, mirrored_hits_;
  std::vector<std::size_t> mirrored_from_;  // number of the ray that was mirrored
  std::vector<Target> targets_;             // by object
  std::vector<Ghost> ghosts_;
};

// The way over the ground is there if rays find its point on level ground, and nothing between that
// and the target.
double Radar::find_multipath(DriveScene& scene, const Vec3<double>& antenna,
                             const Vec3<double>& target) const {
  const auto to_point = [](const Vec3<double>& x) { return Vector3(x[0], x[1], x[2]); };
  const Vector3 A = to_point(antenna), T = to_point(target);
  const auto ground_below = [&](const Vector3& p) {
    return scene.scene().cast(scene::Ray{p, Vector3(0, 0, -1), own_.range[1]});
  };
  const scene::Hit low = ground_below(A);
  if (low.instance != scene::kGround) return 1;
  const double ground = A.z() - low.range;
  const double h1 = low.range, h2 = T.z() - ground;
  if (!(h1 > 0 && h2 > 0)) return 1;
  Vector3 S = A + h1 / (h1 + h2) * (T - A);
  S.z() = ground;
  constexpr double kNear = 0.05, kLevel = 0.999;  // [m], cosine of 2.6 deg
  const scene::Hit hit = scene.scene().cast(scene::Ray{A, (S - A).normalized(), own_.range[1]});
  if (hit.instance != scene::kGround || std::abs(hit.range - (S - A).norm()) > kNear ||
      hit.normal.z() < kLevel)
    return 1;
  const Vector3 up = T - S;
  const double reach = up.norm();
  const Vec3<double> from(S.x(), S.y(), S.z() + 1e-3),
      along(up.x() / reach, up.y() / reach, up.z() / reach);
  constexpr double kSkin = 0.5;  // the target itself is not in the way [m]
  if (scene.is_blocked(from, along, std::max(0.0, reach - kSkin))) return 1;
  return calc_ground_multipath(own_, h1, h2, std::hypot(T.x() - A.x(), T.y() - A.y()));
}

void Radar::find_targets(const DriveScene& scene) {
  targets_.assign(static_cast<std::size_t>(scene.object_count()), {});
  for (std::size_t k = 0; k < hits_.size(); ++k) {
    const scene::Hit& hit = hits_[k];
    const int object = hit.is_hit() ? scene.object_of(hit.instance) : -1;
    if (object >= 0)
      targets_[static_cast<std::size_t>(object)].add(hit, hit.range, rays_[k].at(hit.range));
  }
}

void Radar::find_ghosts(const DriveScene& scene) {
  constexpr double kUpright = 0.1, kSkin = 1e-3;  // of a normal's z; off the face [m]
  mirrored_.clear(), mirrored_from_.clear(), ghosts_.clear();
  for (std::size_t k = 0; k < hits_.size(); ++k) {
    const scene::Hit& hit = hits_[k];
    if (!hit.is_hit() || hit.instance < 0 || std::abs(hit.normal.z()) > kUpright) continue;
    const scene::Shape& shape = scene.scene().instance(hit.instance).shape;
    const bool is_flat = std::holds_alternative<scene::Box>(shape) ||
                         std::holds_alternative<scene::MeshShape>(shape);
    if (!is_flat) continue;
    const Vector3& d = rays_[k].direction;
    mirrored_.push_back({rays_[k].at(hit.range) + kSkin * hit.normal,
                         (d - 2 * d.dot(hit.normal) * hit.normal).normalized(),
                         std::max(0.0, own_.range[1] - hit.range)});
    mirrored_from_.push_back(k);
  }
  mirrored_hits_.resize(mirrored_.size());
  scene.scene().cast(mirrored_, mirrored_hits_);
  for (std::size_t m = 0; m < mirrored_.size(); ++m) {
    const scene::Hit &face = hits_[mirrored_from_[m]], &hit = mirrored_hits_[m];
    const int object = hit.is_hit() ? scene.object_of(hit.instance) : -1;
    if (object < 0 || hit.instance == face.instance) continue;
    const double offset = face.normal.dot(mirrored_[m].origin);
    auto same = std::ranges::find_if(ghosts_, [&](const Ghost& g) {
      return g.object == object && g.mirror == face.instance &&
             g.normal.dot(face.normal) > 0.9999 && std::abs(g.offset - offset) < 0.05;
    });
    if (same == ghosts_.end()) {
      Ghost ghost;
      ghost.object = object;
      ghost.normal = face.normal, ghost.offset = offset, ghost.mirror = face.instance;
      same = ghosts_.insert(ghosts_.end(), ghost);
    }
    same->add(hit, face.range + hit.range, mirrored_[m].at(hit.range));
  }
}

std::vector<Radar::Echo> Radar::list_echoes(const Readings& in, const Motion& at,
                                            double time) const {
  const auto to_vec3 = [](const Vector3& x) { return Vec3<double>(x.x(), x.y(), x.z()); };
  std::vector<Echo> echoes;
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const Target& target = targets_[k];
    if (target.points == 0) continue;
    const Vec3<double> point = to_vec3(target.sum / target.points);
    const Vec3<double> velocity = in.scene->velocity_at(target.instance, point, time, *in.vehicles);
    echoes.push_back(
        {target.range, point, velocity - at.velocity, 1, target.label, static_cast<int>(k), false});
  }
  for (const Ghost& ghost : ghosts_) {
    const Vector3 middle = ghost.sum / ghost.points;
    const Vec3<double> point = to_vec3(middle), normal = to_vec3(ghost.normal);
    const double before = ghost.normal.dot(middle) - ghost.offset;  // of the face
    const Vec3<double> image = point - normal * (2 * before);
    // The image moves as in a mirror, and twice as fast as the mirror itself.
    const Vec3<double> velocity = in.scene->velocity_at(ghost.instance, point, time, *in.vehicles);
    const Vec3<double> of_mirror =
        in.scene->velocity_at(ghost.mirror, point - normal * before, time, *in.vehicles);
    const Vec3<double> seen = velocity - normal * (2 * dot(velocity - of_mirror, normal));
    const double once = own_.wall_reflection * own_.wall_reflection;  // of the power
    echoes.push_back(
        {ghost.range, image, seen - at.velocity, once * once, ghost.label, ghost.object, true});
  }
  return echoes;
}

void Radar::measure(const Readings& in, RandomStream* random, Sample* sample) {
  const double time = sample->measured;
  const Motion at = find_mounted_motion(in.motion->at(time), spec().mount.pose);
  const auto to_eigen = [](const Vec3<double>& x) { return Vector3(x[0], x[1], x[2]); };
  const Vector3 origin = to_eigen(at.pose.position);
  for (std::size_t k = 0; k < rays_.size(); ++k)
    rays_[k] = {origin, to_eigen(at.pose.rotation * directions_[k]), own_.range[1]};
  const scene::Scene& scene = in.scene->scene();
  scene.cast(rays_, hits_);
  find_targets(*in.scene);
  if (own_.has_ghosts) find_ghosts(*in.scene);
  const auto most = static_cast<std::size_t>(own_.max_objects);
  std::vector<double>& out = sample->values;
  std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  std::size_t count = 0, ghosts = 0;
  for (const Echo& echo : list_echoes(in, at, time)) {
    if (count == most) break;
    if (echo.range < own_.range[0]) continue;
    const Vec3<double> line = echo.point - at.pose.position;
    const Vec3<double> own = transpose_times(at.pose.rotation, line);
    double range = echo.range, azimuth = std::atan2(own[1], own[0]);
    double rate = dot(echo.speed, line) / std::sqrt(dot(line, line));
    double section = find_cross_section(scene.label_name(echo.label));
    RandomStream noise = echo.is_ghost
                             ? random->substream("ghost", ghosts++)
                             : random->substream("object", static_cast<std::size_t>(echo.object));
    if (!is_ideal()) {
      if (own_.has_fluctuation) section += 10 * std::log10(-std::log(1 - noise.uniform()) + 1e-12);
      const double ratio = own_.range[1] / range;
      double gain =
          calc_antenna_pattern(own_, azimuth, std::atan2(own[2], std::hypot(own[0], own[1])));
      if (own_.has_ground_multipath && !echo.is_ghost)
        gain *= find_multipath(*in.scene, at.pose.position, echo.point);
      section += 10 * std::log10(echo.gain * gain + 1e-12);
      const double power = std::pow(10, 0.1 * (section - own_.reference_cross_section)) * ratio *
                           ratio * ratio * ratio;  // (1)
      if (noise.uniform() >= calc_detection(power)) continue;
      range += own_.range_sigma * noise.normal();
      azimuth += own_.azimuth_sigma * noise.normal();
      rate += own_.speed_sigma * noise.normal();
    }
    const double values[] = {
        range, azimuth, rate, section, static_cast<double>(echo.object), echo.is_ghost ? 1.0 : 0.0};
    for (std::size_t j = 0; j < (own_.has_ghosts ? 6U : 5U); ++j)
      out[1 + j * most + count] = values[j];
    ++count;
  }
  out[0] = static_cast<double>(count);
}

}  // namespace

std::unique_ptr<Sensor> make_radar(const SensorSpec& spec, const Carrier&,
                                   const RandomStream& stream) {
  return std::make_unique<Radar>(spec, stream);
}

}  // namespace camber::sensors
