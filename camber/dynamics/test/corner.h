#pragma once

// A corner of a car for tests: a mass on one wheel that keeps its heading and rolls, stepped by
// Heun's method. It needs no chassis.

#include <cmath>
#include <functional>

#include "camber/dynamics/wheel_on_ground.h"

namespace camber::dynamics {

struct CornerState {
  Vec3<double> position, velocity;  // of the wheel's center [m], [m/s]
  double spin = 0;                  // [rad/s]
  tire::TireState<double> tire;
};

struct Corner {
  double mass = 650;          // [kg]
  double spin_inertia = 7.3;  // [kg m^2]
  double gravity = 9.81;      // [m/s^2]
  Vec3<double> axis{0, 1, 0};
  bool locked = false;  // the wheel does not spin
  std::function<WheelForces<double>(const WheelMotion<double>&, const tire::TireState<double>&)>
      ground;

  WheelMotion<double> motion(const CornerState& s) const {
    return {.center = s.position,
            .axis = axis,
            .velocity = s.velocity,
            .hub_turn_rate = {},
            .spin = s.spin};
  }
  WheelForces<double> forces(const CornerState& s) const { return ground(motion(s), s.tire); }

  CornerState rates(const CornerState& s, double axle_torque) const {
    const WheelForces<double> f = forces(s);
    CornerState r;
    r.position = s.velocity;
    r.velocity = f.force * (1 / mass) + Vec3<double>(0, 0, -gravity);
    if (!locked) r.spin = (dot(f.torque, axis) + axle_torque) / spin_inertia;
    r.tire = f.rates;
    return r;
  }

  void step(double dt, double axle_torque, CornerState* s) const {
    const CornerState a = rates(*s, axle_torque);
    const CornerState b = rates(add(*s, a, dt), axle_torque);
    *s = add(add(*s, a, dt / 2), b, dt / 2);
  }

 private:
  static CornerState add(const CornerState& s, const CornerState& r, double h) {
    return {s.position + r.position * h,
            s.velocity + r.velocity * h,
            s.spin + h * r.spin,
            {s.tire.u + h * r.tire.u, s.tire.w + h * r.tire.w}};
  }
};

}  // namespace camber::dynamics
