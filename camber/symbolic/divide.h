#pragma once

#include <optional>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// The polynomial q with dividend = q * divisor, where long division by a leaf in which the divisor
/// has a numeric leading coefficient finds one: (x^2 - y^2) and (x - y) give x + y. Sums of up to
/// 300 terms and degree 50 are tried; an empty result proves nothing.
std::optional<Expr> divide_exactly(const Expr& dividend, const Expr& divisor);

}  // namespace camber::symbolic
