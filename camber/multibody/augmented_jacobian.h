#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "camber/multibody/forces.h"
#include "camber/multibody/joint_coordinate.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

/// The constraint equations that `ta` and `fa` solve with M v' = Q + G^T lambda: the rows in use
/// and, if joints are equations, the forces along their axes.
struct AugmentedEquations {
  std::span<const int> rows;                      // places in Model::rows
  double rate = 0;                                // [1/s] of Baumgarte's method, 0 without it
  std::span<CoordinateRow> coordinate_rows = {};  // after the others
  std::span<const GivenMotion> drives = {};       // of those
  std::span<AxisElement> axes = {};
};

/// The state for which they were solved, and the solution.
struct AugmentedSolution {
  const VectorX<double>&q, &v, &v_dot;
  const VectorX<double>& lambda;  // of the rows, then of the coordinate rows
};

/// The Jacobian of accelerations by multipliers. The equations, evaluated in dual numbers with v'
/// and lambda held constant, give the residual caused by a change of q or v; the solver that found
/// v' and lambda, whose factors are still available, solves for the correction. Allocates in the
/// constructor and in the first calc().
class AugmentedJacobian {
 public:
  /// For a tree whose loops are cut open.
  explicit AugmentedJacobian(const Model<double>& model);

  void set_wrench(int wrench, const Vec3<double>& force, const Vec3<double>& torque) {
    multibody::set_wrench(wrench, force, torque, &model_);
  }

  /// dv'/d[q; v] column by column, nv entries each. solve(Q, b, &x) gives x of M x - G^T mu = Q, G
  /// x = b at the solution; `is_driven` marks the entries of [q; v] whose motion is given.
  template <class Solve>
  void calc(const AugmentedEquations& equations, const AugmentedSolution& at,
            const std::vector<bool>& is_driven, Solve&& solve, std::span<double> J) {
    const int columns = model_.nq + model_.nv;
    std::ranges::fill(J, 0.0);
    for (int first = 0; first < columns; first += kDirections) {
      evaluate(equations, at, first);
      for (int column = first; column < std::min(first + kDirections, columns); ++column) {
        if (is_driven[static_cast<std::size_t>(column)]) continue;
        take_away(column - first);
        solve(Q_, b_, &x_);
        std::copy_n(x_.data(), model_.nv,
                    J.data() + static_cast<std::ptrdiff_t>(column) * model_.nv);
      }
    }
  }

 private:
  /// The residuals of all equations, with derivatives by kDirections entries of [q; v].
  void evaluate(const AugmentedEquations& equations, const AugmentedSolution& at, int first);
  void push_joint_forces(std::span<AxisElement> axes);
  void push_multipliers(const AugmentedEquations& equations, const VectorX<double>& lambda);
  /// Q and b that cancel the residual of one direction.
  void take_away(int direction);

  Model<Dual> model_;
  PositionKinematics<Dual> pos_;
  VelocityKinematics<Dual> vel_;
  Forces<Dual> forces_;
  std::vector<Spatial<Dual>> carried_, F_;  // of each row in use
  VectorX<Dual> q_, v_, v_dot_, tau_, c_ddot_, axis_q_, axis_v_;
  VectorX<double> Q_, b_, x_;
};

}  // namespace camber::multibody
