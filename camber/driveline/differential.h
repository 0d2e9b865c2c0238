#pragma once

#include "camber/driveline/scalars.h"
#include "camber/math/elementary.h"

namespace camber::driveline {

/// Splits a torque between two shafts that may rotate at different speeds; its case rotates at
/// their mean, weighted by their shares. `bias` is the max factor between the torque ratio of the
/// shafts and the ratio of their shares: 1 is an open differential, 3 to 4 a torque-biasing one.
template <class Number>
struct BasicDifferential {
  Number first_share{0.5};  // 1: the first shaft alone is driven, 0: the second
  Number bias{1};
  Number preload{0};       // moved from the faster to the slower shaft without any torque [N m]
  Number slip_speed{0.5};  // difference of speeds at which the bias is mostly there [rad/s]
};
using Differential = BasicDifferential<double>;  // in lanes: one of several vehicles at once

template <class T>
struct ShaftTorques {
  T first, second;  // [N m]
};

/// tanh; in lanes without the standard library.
template <class T>
T calc_sense(const T& x) {
  using std::tanh;
  return tanh(x);
}
template <int N>
math::Lanes<N> calc_sense(const math::Lanes<N>& x) {
  return math::own::tanh(x);
}

/// The torques add up to the given one; the slower shaft gets more. The loss is never negative.
template <class Number, class T>
ShaftTorques<T> calc_differential(const BasicDifferential<Number>& differential, const T& torque,
                                  const T& first_speed, const T& second_speed) {
  using math::all;
  using math::select;
  using std::abs;
  const Number first = differential.first_share, second = 1.0 - first, bias = differential.bias;
  if (all(bias == 1.0) && all(differential.preload == 0.0))
    return {T(first * torque), T(second * torque)};
  // As much as makes the slower one's torque over the faster one's bias times what it is by share.
  const Number to_second = first * second * (bias - 1.0) / (first + bias * second),
               to_first = first * second * (bias - 1.0) / (second + bias * first);
  const T sense = calc_sense(T((first_speed - second_speed) / differential.slip_speed));
  const T moved = abs(torque) * sense * select(sense > 0.0, T(to_second), T(to_first)) +
                  differential.preload * sense;
  return {T(first * torque - moved), T(second * torque + moved)};
}

/// Speed of its case [rad/s].
template <class Number, class T>
T calc_input_speed(const BasicDifferential<Number>& differential, const T& first_speed,
                   const T& second_speed) {
  return differential.first_share * first_speed + (1.0 - differential.first_share) * second_speed;
}

}  // namespace camber::driveline
