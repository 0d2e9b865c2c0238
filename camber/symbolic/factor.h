#pragma once

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// Common factors taken out of sums, the one that occurs in most terms first, then again inside and
/// beside it as Horner would: a*x^2 + b*x + c*x becomes x*(a*x + b + c). Applied everywhere, not
/// inside named quantities.
Expr factor_common(const Expr& e);

/// Powers that divide all terms of a sum cancelled against the factors beside it, everywhere:
/// (x*y + x*z)/x becomes y + z, (x^2 + x)/(x*y + x) becomes (x + 1)/(y + 1).
Expr cancel_common(const Expr& e);

}  // namespace camber::symbolic
