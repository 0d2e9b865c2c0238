#pragma once

#include <string>
#include <vector>

#include "camber/codegen/interpreter.h"
#include "camber/lagrange/state_space.h"

namespace camber::lagrange {

/// E x' = A x + B u, y = C x + D u in numbers.
struct NumericStateSpace {
  Eigen::MatrixXd E, A, B, C, D;
};

/// The matrices of a state space as one program of their parameters, for sweeps: an evaluation
/// takes about a microsecond where substitution takes milliseconds.
class StateSpaceProgram {
 public:
  explicit StateSpaceProgram(const StateSpace& symbolic);

  const std::vector<Expr>& parameters() const { return parameters_; }
  const std::vector<std::string>& state_names() const { return state_names_; }
  const std::vector<std::string>& input_names() const { return input_names_; }
  const std::vector<std::string>& output_names() const { return output_names_; }

  /// Throws std::invalid_argument that names the parameters without a value, and std::domain_error
  /// that names an entry without a finite one (a division by V = 0).
  NumericStateSpace evaluate(const Substitution& values);

 private:
  void check_finite(const NumericStateSpace& result) const;

  std::vector<Expr> parameters_;
  std::vector<std::string> state_names_, input_names_, output_names_;
  codegen::Interpreter<double> interpreter_;
  std::vector<double> inputs_, outputs_;
};

}  // namespace camber::lagrange
