#pragma once

#include <span>
#include <vector>

#include "camber/symbolic/expr.h"

// What forward and reverse accumulation share: the derivative of one node by one child.

namespace camber::symbolic::internal {

/// f(i) for each argument of a function, call or select through which a derivative can pass: not
/// the argument of sign, not a condition, and not where a user function does not change.
template <class F>
void for_each_smooth_argument(const Expr& e, const F& f) {
  switch (e.kind()) {
    case Kind::kSign:
      break;
    case Kind::kSelect:
      f(1);
      f(2);
      break;
    default:
      for (int i = 0; i < static_cast<int>(e.arguments().size()); ++i) {
        f(i);
      }
  }
}

/// d e / d argument i, for functions of one argument, atan2 and calls.
Expr function_partial(const Expr& e, int i);

/// Which argument min or max takes: the first where both are equal.
Condition takes_first(const Expr& min_or_max);

/// Appends the factors of the product divided by base i, whose numeric exponent is n:
/// d(product)/d(base i) = n * (the appended factors).
void append_cofactor(const Expr& product, std::size_t i, std::vector<Expr>* factors);

// A select with a zero branch is a guard: the other factors of the derivative need not have a value
// where the guard is 0. d/dx sqrt(max(0, x)) is select(x <= 0, 0, 1/(2*sqrt(max(0, x)))), not
// select(x <= 0, 0, 1)/(2*sqrt(max(0, x))).

/// The product of the derivative, which is the first factor, and the other factors, which are
/// placed inside all its guards.
Expr product_under_guards(std::span<const Expr> factors);

/// The sum of the terms, selects by the same condition as one. The terms are overwritten.
Expr sum_by_condition(std::vector<Term>* terms);

}  // namespace camber::symbolic::internal
