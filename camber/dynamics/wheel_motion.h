#pragma once

// Motion of a vehicle's wheels, and the loads on them. Everything is in the axes of the world W.

#include "camber/math/vec3.h"

namespace camber::dynamics {

using math::Vec3;

/// Motion of a wheel and of its hub, which does not spin.
template <class T>
struct WheelMotion {
  Vec3<T> center;    // of the wheel [m]
  Vec3<T> axis;      // of its spin, unit, to the left: a wheel that rolls forward spins about +
  Vec3<T> velocity;  // of the center [m/s]
  Vec3<T> hub_turn_rate;  // angular velocity of the hub [rad/s]
  T spin{0};              // of the wheel against its hub, about the axis [rad/s]
};

/// Loads on a wheel.
template <class T>
struct WheelLoad {
  Vec3<T> force;     // of the ground on the wheel, at its center [N]
  Vec3<T> torque;    // of the ground, about the center [N m]
  T axle_torque{0};  // of driveline and brake about the axis [N m]
};

}  // namespace camber::dynamics
