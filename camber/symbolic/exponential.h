#pragma once

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// exp(a)*exp(b) = exp(a + b), exp(a)^n = exp(n*a), everywhere outside named quantities.
Expr contract_exponentials(const Expr& e);

/// c*log(a) + c*log(b) = c*log(a*b), c*log(a) - c*log(b) = c*log(a/b). The result is defined
/// wherever e is, and may be defined where e is not (a and b both negative).
Expr contract_logarithms(const Expr& e);

}  // namespace camber::symbolic
