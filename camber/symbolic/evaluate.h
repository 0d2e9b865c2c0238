#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/interval.h"

namespace camber::symbolic {

/// Values of symbols and variables.
using Bindings = std::unordered_map<Expr, double>;
using Box = std::unordered_map<Expr, Interval>;

/// A sub-expression has no finite value at the given point: sqrt(-1), log(0), 0/0, overflow, a
/// number outside the range of double (10^400, 1/10^400).
class EvaluationError : public std::domain_error {
 public:
  EvaluationError(const std::string& message, const Expr& expression,
                  std::vector<double> argument_values)
      : std::domain_error(message),
        expression_(expression),
        argument_values_(std::move(argument_values)) {}
  /// The innermost sub-expression that has no value although its arguments have.
  const Expr& expression() const { return expression_; }
  /// The values of children(expression()).
  const std::vector<double>& argument_values() const { return argument_values_; }

 private:
  Expr expression_;
  std::vector<double> argument_values_;
};

/// The value in double. A branch that select() does not take need not have a value. Throws
/// EvaluationError if there is no value, and std::invalid_argument naming every leaf without a
/// binding.
double evaluate(const Expr& e, const Bindings& bindings);
/// The values of all expressions at the same point; common sub-expressions are evaluated once.
std::vector<double> evaluate(std::span<const Expr> es, const Bindings& bindings);
bool evaluate(const Condition& condition, const Bindings& bindings);

/// Bounds of e over a box, rounded outward. Bounds are sure, not tight: each occurrence of a leaf
/// counts as independent (x - x over [0, 1] built as different expressions gives [-1, 1]). A user
/// function is unbounded unless its arguments are single points.
Interval evaluate_interval(const Expr& e, const Box& box);

struct DomainError {
  Expr expression;                  // the sub-expression
  std::vector<Interval> arguments;  // the bounds of children(expression)
  std::string reason;               // "square root of a number that may be negative"
  bool everywhere = false;          // no point of the box is inside the domain
};
/// Every sub-expression that may leave its domain (or the range of double) somewhere in the box,
/// innermost first. An empty result is a proof that evaluate() succeeds in the whole box; the
/// reverse does not hold, as bounds are not tight. Branches that no point of the box takes are left
/// out.
std::vector<DomainError> find_domain_errors(const Expr& e, const Box& box);

}  // namespace camber::symbolic
