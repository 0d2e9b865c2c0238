#pragma once

#include <cstddef>

#include "camber/symbolic/expr.h"

// The rules of trigonometry.h, exponential.h, factor.h and divide.h, and some more, for one sum,
// product or function, without descending into its parts. An expression to which a rule does not
// apply is returned unchanged.

namespace camber::symbolic::internal {

Expr reduce_squares_in_sum(const Expr& e);
/// A normal form: every sin(u)^2 becomes 1 - cos(u)^2, or the other way round, and the terms are
/// multiplied out to at most so many (ExpansionLimitError beyond). What cancels by sin^2 + cos^2 =
/// 1 in any power is gone then; reduce_squares_in_sum() takes one step at a time, each shorter than
/// the one before, and may get stuck.
enum class Squares { kOfSines, kOfCosines };
Expr eliminate_squares_in_sum(const Expr& e, Squares gone, std::size_t max_terms);
Expr contract_angles_in_sum(const Expr& e);
Expr contract_quotients_in_product(const Expr& e);
Expr contract_exponentials_in_product(const Expr& e);
Expr contract_logarithms_in_sum(const Expr& e);
/// exp(2*log(x) + y) is x^2*exp(y).
Expr release_logarithms_of_exponential(const Expr& e);
/// abs(x)^2 is x^2, abs(x)*sign(x) is x, sqrt(x^2) is abs(x).
Expr contract_absolutes_in_product(const Expr& e);
/// x^2 + 2*x*y + y^2 + z is (x + y)^2 + z.
Expr complete_squares_in_sum(const Expr& e);
Expr factor_sum(const Expr& e);
Expr cancel_in_product(const Expr& e);
/// a/(x + y) + b/(x - y) over the product of all denominators, its numerator multiplied out to at
/// most so many terms (ExpansionLimitError beyond).
Expr join_fractions_in_sum(const Expr& e, std::size_t max_terms);
/// (x^2 - 1)/(x - 1) is x + 1, (x - 1)/(x^2 - 1) is 1/(x + 1).
Expr divide_in_product(const Expr& e);

}  // namespace camber::symbolic::internal
