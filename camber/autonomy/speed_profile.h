#pragma once

#include "camber/autonomy/path.h"
#include "camber/autonomy/table.h"

namespace camber::autonomy {

/// The target speed of a driver, over time or over the distance along the path. Between two points
/// the acceleration is constant in both cases: the speed is linear over time, its square is linear
/// over the distance.
struct SpeedProfile {
  Table speed = {.x = {0}, .y = {20}};  // [m/s]
  bool is_over_path = false;            // x is s [m], else time [s]
};

struct TargetSpeed {
  double speed = 0;         // [m/s]
  double acceleration = 0;  // the profile's own [m/s^2]
};

TargetSpeed target_speed(const SpeedProfile& profile, double time, double s);

/// Limits of a driver in curves and on the pedals.
struct ProfileLimits {
  double top_speed = 25;                      // [m/s]
  double lateral_acceleration = 3;            // v <= sqrt(a / |curvature|) [m/s^2]
  double acceleration = 1, deceleration = 2;  // [m/s^2]
  double first_speed = 0;  // at the start of an open path [m/s]; less if curves need it
  double last_speed = 0;   // at its end
};

/// The fastest speed along the path within these limits, every `spacing` meters.
SpeedProfile make_speed_profile(const Path& path, const ProfileLimits& limits,
                                double spacing = 1.0);

}  // namespace camber::autonomy
