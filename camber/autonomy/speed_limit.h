#pragma once

#include <string_view>

namespace camber::autonomy {

/// Limits of the speed of a vehicle that drives by sensors.
struct SpeedLimits {
  double max_speed = 5;              // [m/s]
  double deceleration = 3;           // of braking [m/s^2]
  double reaction = 0.4;             // from seeing to braking [s]
  double lateral_acceleration = 2;   // [m/s^2]
  double vertical_acceleration = 2;  // of the body over rough ground [m/s^2]
  double gap = 1;                    // that is left before a hazard [m]
};

struct SpeedRoom {
  double free_length = 0;  // before a hazard or what was not seen [m]
  double goal_length = 0;  // before the goal, where the vehicle stops [m]
  double curvature = 0;    // [1/m]
  double grade = 0;        // rise over run ahead; downhill it takes from the brakes
  double roughness = 0;    // rms of the ground's height [m]
};

struct SpeedLimit {
  double speed = 0;         // [m/s]
  double acceleration = 0;  // to keep to it: <= 0 while braking [m/s^2]
  std::string_view reason;  // of the strictest: "max_speed", "room", "goal", "curve", "rough"
};

/// v^2/(2 a) + v t <= room; v^2 |kappa| <= a_y. docs/theory/autonomy.md, section 5.
SpeedLimit calc_speed_limit(const SpeedLimits& limits, const SpeedRoom& room, double speed);

}  // namespace camber::autonomy
