#pragma once

#include "camber/driveline/scalars.h"

namespace camber::driveline {

/// Splits a torque onto two shafts that may turn at different speeds. `bias` is how many times the
/// other shaft's torque one may have: 1 is an open differential, 3 to 4 a torque-biasing one.
struct Differential {
  double bias = 1;
  double slip_speed = 0.5;  // difference of speeds at which the bias is mostly there [rad/s]
};

template <class T>
struct ShaftTorques {
  T first, second;  // [N m]
};

/// The torques add up to the given one; the slower shaft gets more. What is lost, (T1 - T2) (w2 -
/// w1) / 2, is never negative.
template <class T>
ShaftTorques<T> calc_differential(const Differential& differential, const T& torque,
                                  const T& first_speed, const T& second_speed) {
  using std::abs;
  using std::tanh;
  if (differential.bias == 1) return {T(0.5 * torque), T(0.5 * torque)};
  const double locking = (differential.bias - 1) / (differential.bias + 1);
  const T moved =
      0.5 * locking * abs(torque) * tanh((first_speed - second_speed) / differential.slip_speed);
  return {T(0.5 * torque - moved), T(0.5 * torque + moved)};
}

}  // namespace camber::driveline
