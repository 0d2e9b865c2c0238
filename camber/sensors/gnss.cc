// Satellite receiver: geodetic position and velocity of its antenna.
//   position = truth + Gauss-Markov + white, east, north and up                    (1)
// With a sky mask, satellites behind objects and hills are lost; fewer than four: no fix. Errors of
// the others grow with the dilution of precision against that of the open sky [Misra 2006, 6.1]:
//   Q = (G^T G)^-1, rows of G: (line of sight, 1)                                  (2)
// With multipath, signals that walls reflect come late, with the direct ones or instead of them;
// least squares make errors of position of those of the ranges.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "camber/sensors/drive_scene.h"
#include "camber/sensors/gnss_paths.h"
#include "camber/sensors/noise.h"
#include "camber/sensors/satellites.h"
#include "camber/sensors/sensor.h"

namespace camber::sensors {
namespace {

class Gnss : public Sensor {
 public:
  Gnss(const SensorSpec& spec, const RandomStream& stream)
      : Sensor(
            spec, stream,
            {{"position",
              {"deg", "deg", "m"},
              {"latitude", "longitude", "height"},
              "Of the antenna on WGS84; height above the ellipsoid"},
             {"velocity", {"m/s"}, {"east", "north", "up"}, "Of the antenna"},
             {"local_position",
              {"m"},
              {"x", "y", "z"},
              "The measured position in the frame of the world"},
             {"deviation", {"m"}, {"horizontal", "vertical"}, "1 sigma, as the receiver reports"},
             {"fix", {"1"}, {}, "0 none, 1 position"},
             {"satellites", {"1"}, {}, "In use; 0 without a sky mask"}}),
        own_(std::get<GnssSpec>(spec.kind)),
        site_(own_.origin) {
    const double more = own_.ppm * 1e-6 * own_.baseline;
    horizontal_ = std::hypot(own_.horizontal, more);
    vertical_ = std::hypot(own_.vertical, more);
    RandomStream random = constants("position");
    for (int k = 0; k < 3; ++k) {
      slow_[k] = {k < 2 ? horizontal_ : vertical_, own_.correlation_time, 0};
      slow_[k].start(&random);
    }
  }

  double reach() const override { return own_.has_sky_mask ? kSight : 0; }

 protected:
  void measure(const Readings& in, RandomStream* random, Sample* sample) override {
    const Motion at = find_mounted_motion(in.motion->at(sample->measured), spec().mount.pose);
    const double c = std::cos(own_.heading), s = std::sin(own_.heading);
    const auto to_enu = [&](const Vec3<double>& x) {
      return Vec3<double>(c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]);
    };
    // Draws do not depend on the sky.
    double error[3], speed_error[3];
    for (int k = 0; k < 3; ++k) {
      if (sample->number > 0) slow_[k].advance(period(), random);
      error[k] = slow_[k].value + own_.white * random->normal();
      speed_error[k] = own_.velocity * random->normal();
    }
    int satellites = 0;
    double grow_across = 1, grow_up = 1;
    Vec3<double> bias;  // east, north, up
    bool has_fix = true;
    if (own_.has_sky_mask && in.scene != nullptr) {
      const SkyView sky = look_at_sky(*in.scene, at.pose.position, sample->measured);
      satellites = sky.count;
      has_fix = sky.has_fix;
      grow_across = sky.horizontal;
      grow_up = sky.vertical;
      bias = sky.bias;
    }
    std::vector<double>& out = sample->values;
    if (!has_fix) {
      std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
      out[11] = 0;
      out[12] = satellites;
      return;
    }
    Vec3<double> place = to_enu(at.pose.position), velocity = to_enu(at.velocity);
    if (!is_ideal()) {
      place += Vec3<double>(grow_across * error[0], grow_across * error[1], grow_up * error[2]);
      place += bias;
      velocity += Vec3<double>(speed_error[0], speed_error[1], speed_error[2]);
    }
    const Geodetic there = site_.to_geodetic(place);
    constexpr double kDegree = std::numbers::pi / 180;
    out[0] = there.latitude / kDegree;
    out[1] = there.longitude / kDegree;
    out[2] = there.height;
    for (int k = 0; k < 3; ++k) out[3 + k] = velocity[k];
    out[6] = c * place[0] + s * place[1];
    out[7] = c * place[1] - s * place[0];
    out[8] = place[2];
    const double size = is_ideal() ? 0 : 1;
    out[9] = size * grow_across * std::hypot(horizontal_, own_.white);
    out[10] = size * grow_up * std::hypot(vertical_, own_.white);
    out[11] = 1;
    out[12] = satellites;
  }
  void save_own(StateWriter* out) const override {
    for (const GaussMarkov& slow : slow_) out->write(slow.value);
  }
  void restore_own(StateReader* in) override {
    for (GaussMarkov& slow : slow_) slow.value = in->read();
  }

 private:
  static constexpr double kSight = 300;  // how far objects hide satellites [m]

  struct SkyView {
    int count = 0;
    bool has_fix = false;
    double horizontal = 1, vertical = 1;  // dilution over that of the open sky
    Vec3<double> bias;                    // by reflections: east, north, up [m]
  };

  SkyView look_at_sky(DriveScene& scene, const Vec3<double>& antenna, double time) {
    const double c = std::cos(own_.heading), s = std::sin(own_.heading);
    std::vector<Vec3<double>> all, seen;
    std::vector<double> errors;  // of the ranges to those that are seen [m]
    std::vector<Wall> walls;
    if (own_.has_multipath) walls = find_walls(scene, antenna, kSight);
    for (const Vec3<double>& enu :
         find_satellites(site_, own_.time_of_day + time, own_.elevation_mask)) {
      all.push_back(enu);
      const Vec3<double> world(c * enu[0] + s * enu[1], c * enu[1] - s * enu[0], enu[2]);
      const SignalPath path = find_path(scene, antenna, walls, world, kSight);
      if (!path.is_direct && !path.is_reflected) continue;
      seen.push_back(enu);
      errors.push_back(calc_range_error(path, own_.wall_reflection));
    }
    SkyView view;
    view.count = static_cast<int>(seen.size());
    const Dilution open = find_dilution(all), now = find_dilution(seen);  // (2)
    view.has_fix = now.is_valid && open.is_valid;
    if (!view.has_fix) return view;
    view.horizontal = now.horizontal / open.horizontal;
    view.vertical = now.vertical / open.vertical;
    view.bias = find_position_error(seen, errors);
    return view;
  }

  GnssSpec own_;
  LocalFrame site_;
  double horizontal_ = 0, vertical_ = 0;  // [m]
  GaussMarkov slow_[3];                   // east, north, up
};

}  // namespace

std::unique_ptr<Sensor> make_gnss(const SensorSpec& spec, const Carrier&,
                                  const RandomStream& stream) {
  return std::make_unique<Gnss>(spec, stream);
}

}  // namespace camber::sensors
