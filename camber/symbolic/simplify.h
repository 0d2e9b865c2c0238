#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

struct SimplifyOptions {
  /// Sums are multiplied out on trial up to this many terms.
  std::size_t max_terms = 300;
  /// Number of terms to examine; the rest of an expression is left unchanged. The default takes
  /// about a second.
  std::size_t max_work = 100'000;
  /// If false, it takes milliseconds instead of seconds and keeps most shared parts of the
  /// expressions: the equations of motion of a chain of six joints go from 1129 to 833 shared
  /// operations.
  bool multiply_out = true;
};

/// The shortest form found by operation count (count.h) among: terms multiplied out and collected,
/// common factors taken out and cancelled, fractions joined, squares of binomials, sin^2 + cos^2 =
/// 1 and its kin, angle sums, tangents, exponentials and logarithms, absolute values. Tried at each
/// sub-expression, children first, then on the whole. Named quantities are atoms.
///
/// The result never has more operations than e, neither as written nor with common sub-expressions
/// counted once, and in exact arithmetic has the same value wherever e has one: log(a) + log(b)
/// becomes log(a*b), which may overflow where the sum does not, and has a value also where both are
/// negative.
Expr simplify(const Expr& e, const SimplifyOptions& options = {});
/// Simplifies several expressions together: shared operations are counted over all of them.
std::vector<Expr> simplify(std::span<const Expr> es, const SimplifyOptions& options = {});

}  // namespace camber::symbolic
