#pragma once

// Dry friction as a constraint that relaxes: docs/theory/rolling-wheel.md, section 3. Written once
// for the wheel in its plane, for rows of mechanisms and for tires that stand or creep.

#include <cmath>

#include "camber/math/scalar.h"

namespace camber::contact {

/// What a relaxed constraint transmits.
template <class T>
struct RelaxedForce {
  T force;   // [N], |force| <= limit
  T weight;  // s^2 of the relaxation: 1 sticks, towards 0 it slips freely
};
template <class T>
struct RelaxedPlaneForce {
  T x, y;    // [N], of length <= limit
  T weight;  // s^2
};

/// The force that a contact needs to stick: `holding` keeps the slip as it is, the rest brings it
/// back to zero, the faster the smaller slip_speed [m/s] is. It grows with the third power of the
/// slip, so that a contact that slides pulls against its slip and not beside it. (7)
template <class T>
T needed_force(const T& holding, const T& slip, const T& limit, double slip_speed) {
  const T z = slip / slip_speed;
  return holding - limit * z * (1.0 + z * z);
}

/// Friction along a line: s^2 times the needed force, with s^2 = min(1, limit / |needed|). (8)
template <class T>
RelaxedForce<T> relax_friction(const T& holding, const T& slip, const T& limit, double slip_speed) {
  using math::select, std::abs;
  const T needed = needed_force(holding, slip, limit, slip_speed);
  const auto slips = abs(needed) > limit;
  // Not the product of both, which may exceed the limit by a rounding error.
  const T saturated = select(needed > T(0), limit, T(-limit));
  return {select(slips, saturated, needed), select(slips, T(limit / abs(needed)), T(1))};
}

/// The same in a plane: the force is scaled, not each of its components.
template <class T>
RelaxedPlaneForce<T> relax_plane_friction(const T& holding_x, const T& holding_y, const T& slip_x,
                                          const T& slip_y, const T& limit, double slip_speed) {
  using math::select, std::sqrt;
  const T z_x = slip_x / slip_speed, z_y = slip_y / slip_speed;
  const T pull = limit * (1.0 + z_x * z_x + z_y * z_y);
  const T x = holding_x - pull * z_x, y = holding_y - pull * z_y;
  const T squared = x * x + y * y;
  const auto slips = squared > limit * limit;
  const T weight = select(slips, T(limit / sqrt(select(slips, squared, T(1)))), T(1));
  return {weight * x, weight * y, weight};
}

}  // namespace camber::contact
