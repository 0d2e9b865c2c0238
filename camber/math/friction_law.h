#pragma once

// Dry friction as a constraint that relaxes: docs/theory/rolling-wheel.md, section 3. Written once
// for the wheel in its plane, for constraint rows of mechanisms and for tires at rest or at very
// low speed.

#include <cmath>

#include "camber/math/scalar.h"

namespace camber::math {

/// What a relaxed constraint transmits.
template <class T>
struct RelaxedForce {
  T force;   // [N], |force| <= limit
  T weight;  // s^2 of the relaxation: 1 sticks, toward 0 it slips freely
};
template <class T>
struct RelaxedPlaneForce {
  T x, y;    // [N], of length <= limit
  T weight;  // s^2
};

/// The force that a contact needs to stick (7): `holding` keeps the slip speed constant, and a
/// restoring term brings it back to zero, faster for a smaller slip_speed [m/s]. The restoring term
/// grows with the third power of the slip, so that the force of a sliding contact points against
/// its slip.
template <class T>
T needed_force(const T& holding, const T& slip, const T& limit, double slip_speed) {
  const T z = slip / slip_speed;
  return holding - limit * z * (1.0 + z * z);
}

/// Friction along a line: the needed force, limited by friction, s^2 = min(1, limit / |needed|).
/// The part of `holding` beyond the limit is dropped, whether it acts with or against the slip.
/// (6), (8)
template <class T>
RelaxedForce<T> relax_friction(const T& holding, const T& slip, const T& limit, double slip_speed) {
  using math::select, std::abs;
  const auto clamp = [&limit](const T& x) {
    return select(x > limit, limit, select(x < -limit, T(-limit), x));
  };
  const T needed = needed_force(holding, slip, limit, slip_speed);
  const T force = clamp(needed_force(T(clamp(holding)), slip, limit, slip_speed));
  const auto slips = abs(needed) > limit;
  return {force, select(slips, T(limit / abs(select(slips, needed, T(1)))), T(1))};
}

/// Friction in a plane: the vector is scaled as a whole, not component by component.
template <class T>
RelaxedPlaneForce<T> relax_plane_friction(const T& holding_x, const T& holding_y, const T& slip_x,
                                          const T& slip_y, const T& limit, double slip_speed) {
  using math::select, std::sqrt;
  /// The factor that shortens a vector to the limit; 1 if it is shorter.
  const auto share = [&limit](const T& x, const T& y) {
    const T squared = x * x + y * y;
    const auto is_beyond = squared > limit * limit;
    return T(select(is_beyond, T(limit / sqrt(select(is_beyond, squared, T(1)))), T(1)));
  };
  const T z_x = slip_x / slip_speed, z_y = slip_y / slip_speed;
  const T pull = limit * (1.0 + z_x * z_x + z_y * z_y);
  const T held = share(holding_x, holding_y);
  const T x = held * holding_x - pull * z_x, y = held * holding_y - pull * z_y;
  const T scale = share(x, y);
  return {scale * x, scale * y, share(holding_x - pull * z_x, holding_y - pull * z_y)};
}

}  // namespace camber::math
