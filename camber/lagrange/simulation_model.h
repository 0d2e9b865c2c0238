#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "camber/lagrange/acceleration_equations.h"
#include "camber/lagrange/constraint_projection.h"
#include "camber/lagrange/forward_dynamics.h"
#include "camber/lagrange/implicit_accelerations.h"

namespace camber::lagrange {

struct SimulationOptions {
  DerivationOptions derivation = {};
  Baumgarte baumgarte = {};
  /// Values that replace those of the system's parameters.
  std::map<std::string, double> parameters = {};
  /// If false, accelerations come from a dense factorization with pivoting, which otherwise is used
  /// only if elimination without pivoting fails. Slower; for comparisons.
  bool eliminate_symbolically = true;
};

/// A model as numbers: x' = f(t, x), its Jacobian, the projection onto its constraints, outputs.
/// Made for an integrator, but independent of the integrator. Not thread-safe: use one per thread.
///
/// x is q, u, extra variables with a differential equation, and in the vakonomic form the
/// multipliers of nonholonomic constraints.
class SimulationModel {
 public:
  /// Derives the equations. Throws std::invalid_argument when a parameter has no value, when a
  /// symbol is unknown to the model, or when the model is singular in all states.
  explicit SimulationModel(const System& system, const SimulationOptions& options = {});

  const AccelerationEquations& equations() const { return equations_; }
  int state_size() const { return n_state_; }
  std::vector<std::string> state_names() const;
  /// Where a coordinate, speed or extra variable is in x. Throws std::invalid_argument if it is
  /// not.
  int index_of(const Expr& variable) const;
  /// An input as a function of time [s]; 0 until set.
  void set_input(const Expr& input, std::function<double(double)> function);

  /// Returns false if there is no value; why() has the reason.
  bool calc_state_rate(double t, std::span<const double> x, std::span<double> x_dot);
  /// df/dx, column by column, exact.
  bool calc_jacobian(double t, std::span<const double> x, std::span<double> J);
  /// Moves x to the nearest state that meets all constraints; for the drift of a step.
  bool project(double t, std::span<double> x);
  const std::string& why() const { return why_; }

  /// u', multipliers, z' and algebraic variables: equations().unknowns().
  bool calc_unknowns(double t, std::span<const double> x, std::span<double> y);
  /// Sets the guess of an algebraic variable that follows from nonlinear equations; without it, the
  /// last result is the guess.
  void set_algebraic_guess(const Expr& variable, double value);
  /// The largest constraint residual of positions and speeds.
  double constraint_error(double t, std::span<const double> x);
  /// The diagonal of the mass matrix: one per speed.
  std::vector<double> calc_inertias(double t, std::span<const double> x);
  /// What is singular in this state; empty if nothing is.
  std::string diagnose(double t, std::span<const double> x);

  /// Any expression of the model's symbols, states and unknowns, as a function of t and x.
  std::function<double(double t, std::span<const double> x)> observe(const Expr& expression);

  /// The program that runs at each step, if the equations allow one; to write it out or count its
  /// operations.
  const std::optional<codegen::Program>& forward_dynamics() const { return program_; }
  ConstraintProjection& constraints() { return constraints_; }
  /// t, x, inputs at t, parameters: the first inputs of all programs of the model.
  std::span<double> known(double t, std::span<const double> x);

 private:
  bool solve(double t, std::span<const double> x);

  AccelerationEquations equations_;
  int n_state_;
  std::vector<double> parameter_values_;
  std::vector<std::function<double(double)>> input_functions_;
  ImplicitAccelerations implicit_;
  ConstraintProjection constraints_;
  std::optional<codegen::Program> program_;
  std::optional<codegen::Interpreter<double>> interpreter_;
  std::optional<codegen::Interpreter<double>> rates_;          // q'
  std::optional<codegen::Interpreter<double>> rate_jacobian_;  // dq'/dx
  std::vector<double> known_, results_, y_;                    // results_: x', then y
  std::string why_;
};

}  // namespace camber::lagrange
