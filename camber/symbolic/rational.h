#pragma once

#include <cstddef>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// e = numerator / denominator, without fractions in either: a sum is brought over the least product
/// of all denominators in it, also of those inside its factors. Functions are atoms.
struct RationalForm {
  Expr numerator;    // multiplied out
  Expr denominator;  // a product
};

/// Throws ExpansionLimitError where a sum would have more terms.
RationalForm rational_form(const Expr& e, std::size_t max_terms = 1000);

/// Whether e is proven to be zero wherever it has a value. Its values at random points come first:
/// one that is not zero ends the search. Then the proof: over one denominator, with angle sums
/// multiplied out and squares of sines and cosines reduced, the numerator has no terms.
bool is_proven_zero(const Expr& e);

}  // namespace camber::symbolic
