#pragma once

#include <cstddef>
#include <span>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/polynomial.h"

namespace camber::symbolic {

struct ExpandOptions {
  /// At most this many terms in any sum; more throw ExpansionLimitError. (x + y)^100000 throws at
  /// once.
  std::size_t max_terms = 100'000;
  /// Also inside the arguments of functions.
  bool inside_functions = true;
};

/// Products of sums and whole positive powers of sums multiplied out, everywhere: in arguments too,
/// and in each factor of a denominator by itself. Named quantities stay whole.
Expr expand(const Expr& e, const ExpandOptions& options = {});

/// Ordered by powers of xs: sum of coefficient * monomial in xs, highest power first by the
/// canonical order. What depends on xs in another way (sin(x), 1/x) counts as coefficient.
/// Coefficients are not multiplied out.
Expr collect(const Expr& e, std::span<const Expr> xs, const ExpandOptions& options = {});

}  // namespace camber::symbolic
