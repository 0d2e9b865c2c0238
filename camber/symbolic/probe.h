#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic::internal {

inline constexpr std::size_t kProbePoints = 3;
/// A sum that cancels to less than this fraction of its largest term counts as rounding. Doubles
/// carry seven digits more; the probability that a nonzero value is this small at three random
/// points is 1e-27.
inline constexpr double kCancelled = 1e-9;

/// An expression's values at the probe points, 0 where only rounding is left.
using Probed = std::array<double, kProbePoints>;
/// Whether it is zero at every probe point, and so, with probability one, for all values of the
/// symbols.
bool is_zero(const Probed& probed);

/// The expressions at random points, the same for all of them and in every call. Nothing when no
/// points were found at which every expression has a value.
std::optional<std::vector<Probed>> probe(std::span<const Expr> expressions);

/// The value at one point, 0 where only rounding is left of a sum; NaN where a leaf has no value.
/// The arithmetic of one double: `cancelled` is the fraction of its largest term that counts as 0.
double evaluate_cancelling(const Expr& e, const std::unordered_map<Expr, double>& values,
                           double cancelled = kCancelled);

/// Rows of a matrix (`entries` row by row) that are linearly dependent at every probe point: the
/// first row that depends on rows above it, and those. Empty if there are none.
std::vector<int> find_dependent_rows(std::span<const Probed> entries, int columns);

}  // namespace camber::symbolic::internal
