#pragma once

// Inputs of the simple vehicles (point_mass.h, single_track.h) from the driver and the ground.

#include "camber/math/scalar.h"

namespace camber::dynamics {

/// Held over a step.
struct SimpleInputs {
  double steer = 0;     // mean angle of the front wheels, left + [rad]
  double throttle = 0;  // 0 to 1
  double brake = 0;     // 0 to 1
  double parking_brake = 0;
  bool is_low_range = false;
  int held_gear = 0;  // 0: the gearbox chooses
};

/// The ground under a vehicle that has no height of its own.
template <class T>
struct SimpleGround {
  T slope_x = T(0), slope_y = T(0);  // of the height, along the world's axes
  T friction = T(1);                 // factor on that of the tires
};

/// Flat, level and dry, for any place.
struct LevelGround {
  template <class T>
  SimpleGround<T> operator()(const T&, const T&) const {
    return {};
  }
};

/// Gravity on a slope, in the vehicle's axes [m/s^2].
template <class T>
struct SlopePull {
  T ahead, left, normal;
};

template <class T>
SlopePull<T> calc_slope_pull(const SimpleGround<T>& ground, double gravity, const T& cos_yaw,
                             const T& sin_yaw) {
  using std::sqrt;
  const T ahead = ground.slope_x * cos_yaw + ground.slope_y * sin_yaw;
  const T left = ground.slope_y * cos_yaw - ground.slope_x * sin_yaw;
  const T normal = gravity / sqrt(1.0 + ahead * ahead + left * left);
  return {T(-normal * ahead), T(-normal * left), normal};
}

/// x within +-bound.
template <class T>
T limit(const T& x, const T& bound) {
  using math::select;
  return select(x > bound, bound, T(select(x < -bound, T(-bound), x)));
}

/// The sign of a speed, without a jump [m/s].
template <class T>
T soft_sign(const T& speed) {
  using std::sqrt;
  return speed / sqrt(speed * speed + 0.01);
}

/// One step of Runge and Kutta's classical method. `State` has + and a number's *.
template <class State, class Rates>
State advance_classically(const State& state, const Rates& rates, double dt) {
  const State k1 = rates(state), k2 = rates(state + 0.5 * dt * k1),
              k3 = rates(state + 0.5 * dt * k2), k4 = rates(state + dt * k3);
  return state + dt / 6 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}

}  // namespace camber::dynamics
