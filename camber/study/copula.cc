#include "camber/study/copula.h"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/study/portable_math.h"

namespace camber::study {

GaussianCopula::GaussianCopula(int dimensions, std::span<const double> rank_correlation)
    : dimensions_(dimensions) {
  const auto n = static_cast<std::size_t>(dimensions);
  require(rank_correlation.size() == n * n, "GaussianCopula: ", dimensions, " inputs need ", n * n,
          " correlations, got ", rank_correlation.size());
  bool is_independent = true;
  std::vector<double> r(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    const bool is_diagonal = i / n == i % n;
    r[i] = is_diagonal ? 1 : 2 * portable_small_sine(std::numbers::pi / 6 * rank_correlation[i]);
    is_independent = is_independent && (is_diagonal || r[i] == 0);
  }
  if (is_independent) return;
  // Cholesky, row by row.
  factor_.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = r[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
      if (i != j) {
        factor_[i * n + j] = sum / factor_[j * n + j];
        continue;
      }
      require(sum > 1e-12,
              "the correlation matrix is not positive definite: no inputs can be "
              "correlated like this; pivot ",
              i + 1, " is ", short_text(sum, 3));
      factor_[i * n + i] = std::sqrt(sum);
    }
  }
}

void GaussianCopula::apply(std::span<double> u) const {
  if (is_independent()) return;
  const auto n = static_cast<std::size_t>(dimensions_);
  std::vector<double> z(n);
  for (std::size_t i = 0; i < n; ++i) z[i] = normal_quantile(u[i]);
  for (std::size_t i = 0; i < n; ++i) {
    if (factor_[i * n + i] == 1) continue;  // depends on none before it
    double sum = 0;
    for (std::size_t k = 0; k <= i; ++k) sum += factor_[i * n + k] * z[k];
    u[i] = normal_cdf(sum);
  }
}

}  // namespace camber::study
