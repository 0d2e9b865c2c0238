#pragma once

// Measurements for a pilot. The types do not depend on the simulator: recorded data may fill them,
// too.

#include <string>
#include <variant>
#include <vector>

#include "camber/math/vec3.h"

namespace camber::autonomy {

using math::Mat3, math::Vec3;

/// Where a sensor is fixed: in the vehicle's frame about the point midway between the axles on the
/// ground, x forward, y left, z up.
struct SensorPlace {
  Vec3<double> position;                             // [m]
  Mat3<double> rotation = Mat3<double>::identity();  // sensor axes in the vehicle's
};

struct GnssFix {
  double time = 0;  // of the measurement [s]
  bool has_fix = false;
  double x = 0, y = 0, z = 0;               // of the antenna in the world's frame [m]
  double vx = 0, vy = 0;                    // [m/s]
  double sigma = 0, velocity_sigma = 0.05;  // of each coordinate [m], [m/s]
  Vec3<double> antenna = {};                // in the vehicle's frame, as in SensorPlace [m]
};

struct ImuSample {
  double time = 0;              // [s]
  Vec3<double> specific_force;  // in the vehicle's axes [m/s^2]
  Vec3<double> rate;            // in the vehicle's axes [rad/s]
};

struct OdometrySample {
  double time = 0;      // [s]
  double distance = 0;  // that the rear wheels have rolled since the start, their mean [m]
};

struct BusSample {
  double time = 0;   // [s]
  double steer = 0;  // mean angle of the front wheels, left + [rad]
  int gear = 0;      // -1 reverse
};

struct LidarPoint {
  float x = 0, y = 0, z = 0;  // in the sensor's frame at the time of the ray [m]
  float time = 0;             // since the start of the scan [s]
};

/// One scan, points in the order of their times.
struct LidarScan {
  double time = 0;      // of its first ray [s]
  double duration = 0;  // [s]
  SensorPlace place = {};
  std::vector<LidarPoint> points = {};
};

/// One object of a radar, in the sensor's frame.
struct RadarObject {
  double range = 0;    // [m]
  double azimuth = 0;  // to the left [rad]
  double rate = 0;     // of the range: negative if it comes nearer [m/s]
};

struct RadarScan {
  double time = 0;  // [s]
  SensorPlace place = {};
  std::vector<RadarObject> objects = {};
};

using Measurement =
    std::variant<GnssFix, ImuSample, OdometrySample, BusSample, LidarScan, RadarScan>;

}  // namespace camber::autonomy
