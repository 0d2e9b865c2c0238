#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "camber/codegen/interpreter.h"
#include "camber/lagrange/acceleration_equations.h"

namespace camber::lagrange {

/// Solves r(t, x, y) = 0 for y as a whole, by Newton's method with the exact dr/dy and a
/// factorization that finds the rank: for models whose equations have no other form, for states at
/// which elimination without pivoting breaks down, and to explain what is wrong with a singular
/// model.
class ImplicitAccelerations {
 public:
  explicit ImplicitAccelerations(const AccelerationEquations& equations);

  /// `known` is t, x, inputs and parameters in this order. y holds a guess, which only equations
  /// nonlinear in y use, and then the result. Returns false if the equations are singular or do not
  /// converge; why() has the reason in words.
  bool solve(std::span<const double> known, std::span<double> y);
  const std::string& why() const { return why_; }

  /// What is singular in dr/dy here, in the names of unknowns and constraints; empty when nothing
  /// is. One sentence.
  std::string diagnose(std::span<const double> known, std::span<const double> y);

  /// dr/dy at some y.
  const Eigen::MatrixXd& jacobian(std::span<const double> known, std::span<const double> y);
  /// dy/dx of the solution, by implicit differentiation: -(dr/dy)^-1 dr/dx. Returns false if dr/dy
  /// is singular.
  bool solve_sensitivity(std::span<const double> known, std::span<const double> y,
                         Eigen::MatrixXd* dy_dx);

 private:
  void evaluate(std::span<const double> known, std::span<const double> y);
  std::string describe_null_vector(const Eigen::VectorXd& v) const;

  int n_ = 0;  // unknowns
  int n_accelerations_ = 0;
  int n_multipliers_ = 0;
  int n_state_ = 0;
  bool linear_ = false;  // in y
  std::vector<std::string> unknown_names_, constraint_names_;
  codegen::Interpreter<double> residual_;  // t, x, inputs, parameters, y -> r, dr/dy
  codegen::Program sensitivity_program_;   // same -> dr/dx
  std::optional<codegen::Interpreter<double>> sensitivity_;  // made when first asked for
  std::vector<double> arguments_, values_, state_columns_;
  Eigen::VectorXd r_, row_scale_, column_scale_;
  Eigen::MatrixXd J_, scaled_;
  std::string why_;
};

}  // namespace camber::lagrange
