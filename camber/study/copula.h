#pragma once

#include <span>
#include <vector>

namespace camber::study {

/// Correlated uniform numbers by a Gaussian copula: independent ones become normal, are mixed by the
/// Cholesky factor of a correlation matrix, and become uniform again. Distributions of the single
/// inputs stay as they are; only their ranks are correlated.
class GaussianCopula {
 public:
  GaussianCopula() = default;
  /// `rank_correlation` is Spearman's, a full symmetric matrix with 1 on its diagonal, row after row.
  /// Normal numbers with correlation r have rank correlation 6/pi asin(r/2). Throws
  /// std::invalid_argument if no such numbers exist (not positive definite).
  GaussianCopula(int dimensions, std::span<const double> rank_correlation);

  bool is_independent() const { return factor_.empty(); }
  /// In place. Inputs without a correlation keep their numbers bit for bit.
  void apply(std::span<double> u) const;

 private:
  int dimensions_ = 0;
  std::vector<double> factor_;  // lower triangle, row after row, full rows; empty: independent
};

}  // namespace camber::study
