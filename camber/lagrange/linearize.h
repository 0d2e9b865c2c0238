#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "camber/symbolic/matrix.h"
#include "camber/symbolic/substitute.h"

namespace camber::lagrange {

using symbolic::Expr;
using symbolic::MatrixX;
using symbolic::Substitution;

struct LinearizeOptions {
  /// Names of the expressions in messages: one each, or none at all.
  std::vector<std::string> names;
  /// Symbols that vary beside the variables of time: inputs that have no derivatives.
  std::vector<Expr> symbols;
  /// If true, an expression that does not vanish along the motion is an error. If false, its value there is
  /// left out, which gives the change of a quantity that need not be zero, such as an output.
  bool must_vanish = true;
  /// Whether a rest that is not proven zero is zero all the same, because of the values of its
  /// parameters; empty: none is. Asked with the number of the expression.
  std::function<bool(std::size_t i, const Expr& rest)> vanishes = {};
};

/// The expressions to first order about a motion (001 section 4.1): a sum of coefficient * variable
/// over every variable that occurs, with derivatives of any order. A variable stands for its
/// perturbation here and keeps its name.
///
/// `motion` has q -> f(t), and q' -> df/dt follows; variables that it does not name are at rest at
/// zero. The result has constant coefficients, multiplied out: that `time` drops out of them is
/// proven by rewriting, not sampled. Throws std::invalid_argument that names the expression and the
/// variable whose coefficient varies in time, or the expression that is not zero along the motion.
std::vector<Expr> linearize(std::span<const Expr> expressions, const Substitution& motion,
                            const Expr& time, const LinearizeOptions& options = {});

/// The values of the expressions along the motion, simplified.
std::vector<Expr> values_along(std::span<const Expr> expressions, const Substitution& motion,
                               const Expr& time);

/// M q'' + C q' + K q = F, where F contains the terms without q: inputs and other variables.
struct DynamicForm {
  MatrixX M, C, K;
  symbolic::VectorX F;
};

/// M, C, K and F of equations = 0 that are linear in the coordinates and their first two
/// derivatives.
DynamicForm dynamic_form(std::span<const Expr> equations, std::span<const Expr> coordinates);

/// The symmetric Q of F = q^T Q q. Throws std::invalid_argument when F has other terms.
MatrixX quadratic_form(const Expr& F, std::span<const Expr> q);

/// The variables of time that occur, with their derivatives; each once, in canonical order.
std::vector<Expr> variables_of(std::span<const Expr> expressions);

}  // namespace camber::lagrange
