#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "camber/codegen/interpreter.h"
#include "camber/lagrange/acceleration_equations.h"

namespace camber::lagrange {

/// The constraints on positions and speeds, and the projection onto the nearest state that meets
/// them.
class ConstraintProjection {
 public:
  explicit ConstraintProjection(const AccelerationEquations& equations);

  /// f(q, t) and df/dq of the holonomic constraints. `known` is t, x, inputs, parameters.
  void calc_positions(std::span<const double> known, Eigen::VectorXd* f, Eigen::MatrixXd* df_dq);
  /// B u + b and B of all constraints.
  void calc_velocities(std::span<const double> known, Eigen::VectorXd* v, Eigen::MatrixXd* B);

  /// Moves q, then u inside `known` by the smallest change to where all constraints hold. Meant for
  /// the drift of a step: returns false if a few Newton steps do not suffice; the positions may
  /// have changed then.
  bool project(std::span<double> known);
  /// The largest of |f| and |B u + b|.
  double error(std::span<const double> known);

  int position_count() const { return n_positions_; }
  int velocity_count() const { return n_velocities_; }

 private:
  int nq_, nu_, n_positions_, n_velocities_;
  codegen::Interpreter<double> positions_, velocities_;
  std::vector<double> position_values_, velocity_values_;
  Eigen::VectorXd f_, v_;
  Eigen::MatrixXd C_, B_;
};

}  // namespace camber::lagrange
