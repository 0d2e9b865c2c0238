#pragma once

#include "camber/symbolic/expr.h"

// The rules of trigonometry.h, exponential.h, factor.h and divide.h for one sum or product, whose
// parts they take as they are. Any other expression, and one to which a rule does not apply, comes
// back as it is.

namespace camber::symbolic::internal {

Expr reduce_squares_in_sum(const Expr& e);
Expr contract_angles_in_sum(const Expr& e);
Expr contract_quotients_in_product(const Expr& e);
Expr contract_exponentials_in_product(const Expr& e);
Expr contract_logarithms_in_sum(const Expr& e);
Expr factor_sum(const Expr& e);
Expr cancel_in_product(const Expr& e);
/// (x^2 - 1)/(x - 1) is x + 1.
Expr divide_in_product(const Expr& e);

}  // namespace camber::symbolic::internal
