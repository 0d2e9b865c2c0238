#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "camber/sensors/sensor_spec.h"

namespace camber::sensors {

/// When and where the rays of one scan go, in the sensor's frame: the same in every scan.
struct LidarPattern {
  struct Ray {
    double time = 0;                    // since the start of the scan [s]
    Vec3<double> origin;                // [m]
    Vec3<double> direction;             // unit
    double azimuth = 0, elevation = 0;  // [rad] to the left, up
    int ring = 0;                       // laser, from the lowest elevation; row of a flash
    int column = 0;                     // firing
  };
  /// What each scan needs of a ray.
  struct Aim {
    double time, origin[3], direction[3];
  };
  std::vector<Ray> rays;             // in the order of their times
  std::vector<Aim> aims;             // of the rays
  std::vector<std::uint32_t> order;  // of casting: neighbors follow each other
  std::vector<std::uint32_t> place;  // of each ray in this order
  std::vector<std::uint32_t>
      slices;           // places where a new millisecond starts, at most that long; the end
  double duration = 0;  // of a scan [s]
  int rings = 0, columns = 0;
};

/// The pattern of a sensor that scans `rate` times per second.
///
/// Spinning: firings follow each other every firing_cycle; in each, slot k fires at k *
/// channel_interval, and the head turns all the time: azimuth = -+ 2 pi rate t + offset, seen from
/// above clockwise or not, straight ahead at t = 0. A scan is as many firings as fit in one
/// revolution; the rest of the revolution is idle.
/// Throws std::invalid_argument for a pattern without rays or one that is longer than 1 / rate.
std::shared_ptr<const LidarPattern> make_lidar_pattern(const LidarSpec& spec, double rate);

}  // namespace camber::sensors
