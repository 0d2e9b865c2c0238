#pragma once

#include <optional>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::multibody {

/// How a constraint relaxes: [Ikoki 2021] eq. 14-18 with the corrections of
/// docs/theory/rolling-wheel.md, section 4. Functions of t, and of coordinates and their speeds as
/// variable(name).
struct Relaxation {
  /// N: the fraction of the needed force that the constraint exerts. One entry for all of its rows,
  /// or n * n, row by row, of its n rows: positive semi-definite. 1 is the constraint itself.
  std::vector<symbolic::Expr> weight = {};
  /// It slips if it needs more than this: a coefficient of the normal force for rolling, a force or
  /// torque [N], [N m] for a rod or a coupler.
  std::optional<symbolic::Expr> friction = {};
  /// Slip speed at which the restoring force equals the full friction force: the sharpness of
  /// friction [m/s]; for a coupler in its own unit per second.
  double slip_speed = 0.02;

  bool is_given() const { return !weight.empty() || friction.has_value(); }
};

}  // namespace camber::multibody
