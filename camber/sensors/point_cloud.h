#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/sensors/lidar_pattern.h"

namespace camber::sensors {

/// One return of a ray.
struct CloudPoint {
  double range = 0;           // as measured [m]
  double intensity = 0;       // calibrated reflectivity: 0 to 100 diffuse, above: retroreflector
  std::uint32_t ray = 0;      // in the pattern
  std::int32_t label = 0;     // truth: class of what was hit, in the scene's numbers
  std::int32_t instance = 0;  // truth: object, -1 the ground, -2 rain, fog or dust
  std::uint8_t return_number = 1, return_count = 1;
  Vec3<double> world;  // measured point, placed by the true pose at its time [m]
};

/// What a LIDAR delivers for one scan.
struct PointCloud {
  std::shared_ptr<const LidarPattern> pattern;
  double begin = 0;  // time of the first ray [s]
  Pose pose;         // truth: of the sensor at that time
  std::vector<CloudPoint> points;
  std::vector<std::string> labels;  // names of the classes

  double time(std::size_t i) const { return begin + pattern->aims[points[i].ray].time; }
  /// In the sensor's frame at the time of the ray, as the device reports it [m].
  Vec3<double> position(std::size_t i) const {
    const LidarPattern::Aim& aim = pattern->aims[points[i].ray];
    const double range = points[i].range;
    return {aim.origin[0] + aim.direction[0] * range, aim.origin[1] + aim.direction[1] * range,
            aim.origin[2] + aim.direction[2] * range};
  }
  /// In the sensor's frame at the start of the scan, without the distortion by its motion [m].
  Vec3<double> undistorted(std::size_t i) const {
    return transpose_times(pose.rotation, points[i].world - pose.position);
  }

  void save(StateWriter* out) const;
  /// The pattern stays.
  void restore(StateReader* in);
};

/// Point Cloud Data 0.7, binary, little-endian: x y z (float), intensity, time since the start of
/// the scan (float), ring, return (uint16), label, instance (int32). Points are in the sensor's frame
/// at their own times.
void write_pcd(const std::string& path, const PointCloud& cloud);

/// LAS 1.4 [ASPRS 2019], point format 6, in the world's frame, to the millimeter. GPS time is the
/// time of the run, classification the class.
void write_las(const std::string& path, const PointCloud& cloud);

}  // namespace camber::sensors
