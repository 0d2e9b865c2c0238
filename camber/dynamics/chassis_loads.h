#pragma once

#include <vector>

#include "camber/dynamics/wheel_motion.h"

namespace camber::dynamics {

/// All external loads on a chassis and its wheels, in W.
struct ChassisLoads {
  explicit ChassisLoads(int wheel_count)
      : wheels(static_cast<std::size_t>(wheel_count)), reaction_shares(wheels.size(), 1.0) {}

  std::vector<WheelLoad<double>> wheels;
  Vec3<double> body_force, body_torque;  // on the chassis body, at its frame's origin [N], [N m]
  double steering_torque = 0;            // on the pitman [N m], or on the rack [N]
  /// Per wheel, the fraction of its axle torque that reacts on the chassis body; the rest reacts on
  /// the hub: 1 for a plain shaft, 1 / ratio if the hub has gears, 0 for a towed wheel.
  std::vector<double> reaction_shares;
};

/// How the chassis body moves: its frame's origin and axes, in W.
struct BodyMotion {
  math::Mat3<double> R_WB = math::Mat3<double>::identity();
  Vec3<double> p_WB, w_WB, v_WB;  // [m], [rad/s], [m/s]
};

/// The pitman arm's angle or the rack's displacement from the design position, and its rate.
struct SteeringMotion {
  double position = 0, rate = 0;
};

/// The kind of a generalized speed of a chassis.
enum class SpeedKind {
  kTurn,    // of the chassis body [rad/s]
  kTravel,  // of a body, along its axes [m/s]
  kJoint,   // or of a part of the suspension, about its axes [rad/s], [m/s]
  kSpin,    // of a wheel [rad/s]
};

}  // namespace camber::dynamics
