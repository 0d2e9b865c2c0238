#pragma once

#include <vector>

#include "camber/dynamics/wheel_motion.h"

namespace camber::dynamics {

/// Everything from outside that acts on a chassis and its wheels, in W.
struct ChassisLoads {
  explicit ChassisLoads(int wheel_count) : wheels(static_cast<std::size_t>(wheel_count)) {}

  std::vector<WheelLoad<double>> wheels;
  Vec3<double> body_force, body_torque;  // on the chassis body, at its frame's origin [N], [N m]
  double steering_torque = 0;            // on the pitman [N m], or on the rack [N]
  /// Of a wheel's axle torque so much reacts on the chassis body, the rest on the hub: 1 for a bare
  /// shaft, 1 / ratio where the hub has gears.
  double reaction_share = 1;
};

/// How the chassis body moves: its frame's origin and axes, in W.
struct BodyMotion {
  math::Mat3<double> R_WB = math::Mat3<double>::identity();
  Vec3<double> p_WB, w_WB, v_WB;  // [m], [rad/s], [m/s]
};

/// Pitman's angle or rack's way from the design position, and its rate.
struct SteeringMotion {
  double position = 0, rate = 0;
};

/// What a speed of a chassis is of.
enum class SpeedKind {
  kTurn,    // of the chassis body [rad/s]
  kTravel,  // of a body, along its axes [m/s]
  kJoint,   // or of a part of the suspension, about its axes [rad/s], [m/s]
  kSpin,    // of a wheel [rad/s]
};

}  // namespace camber::dynamics
