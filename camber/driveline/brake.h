#pragma once

#include "camber/driveline/scalars.h"

namespace camber::driveline {

/// A brake that can hold a wheel at rest: dry friction in series with a spring, whose twist is a
/// state [Dahl 1968]. It rotates a wheel back by at most the spring's twist.
template <class Number>
struct BasicBrake {
  Number capacity{0};      // at full pressure, at the wheel [N m]
  Number twist{0.004};     // at which the spring is as strong as friction [rad]
  Number damping{0.0025};  // of the spring, over its stiffness [s]
  Number soft_speed{2};    // the twist follows no faster [rad/s]: else it would be stiff
};
using Brake = BasicBrake<double>;  // in lanes: all brakes of a car at once

template <class T>
struct BrakeTorque {
  T torque;      // on the wheel [N m]
  T twist_rate;  // [rad/s]
};

/// twist' = w - |w| twist / twist_end, with w limited by the soft speed. `pressure` is 0 to 1.
template <class Number, class T>
BrakeTorque<T> calc_brake(const BasicBrake<Number>& brake, const T& pressure, const T& speed,
                          const T& twist) {
  using math::select;
  using std::abs;
  using std::sqrt;
  const T ratio = speed / brake.soft_speed;
  const T w = speed / sqrt(1.0 + ratio * ratio);
  const T rate = w - abs(w) * twist / brake.twist;
  const T share = (twist + brake.damping * rate) / brake.twist;
  const T inside = select(share > 1.0, T(1), select(share < -1.0, T(-1), share));
  return {T(-brake.capacity * pressure * inside), rate};
}

}  // namespace camber::driveline
