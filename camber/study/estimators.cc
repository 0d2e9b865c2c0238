// [Wilson 1927] E. B. Wilson, J. Am. Stat. Assoc. 22. [Conover 1999] W. J. Conover, "Practical
// Nonparametric Statistics", 3rd ed., 3.2: intervals of quantiles. [Massart 1990] P. Massart, Ann.
// Probab. 18. [Saltelli 2010] A. Saltelli et al., Comput. Phys. Commun. 181, Table 2: first order
// (b), total (f), which is [Jansen 1999]'s. [Campolongo 2007] F. Campolongo, J. Cariboni, A.
// Saltelli, Environ. Model. Softw. 22: mu*. [Efron 1979] B. Efron, Ann. Stat. 7: bootstrap.

#include "camber/study/estimators.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/study/portable_math.h"

namespace camber::study {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kResamples = 400;

double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The middle `confidence` of resampled estimates.
void set_interval(std::vector<double> resampled, double confidence, Estimate* estimate) {
  std::ranges::sort(resampled);
  const auto n = static_cast<double>(resampled.size());
  const double tail = 0.5 * (1 - confidence);
  const auto at = [&](double p) {
    return resampled[static_cast<std::size_t>(std::clamp(std::floor(p * n), 0.0, n - 1))];
  };
  estimate->low = at(tail);
  estimate->high = at(1 - tail);
}

std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t j = i;
    while (j < order.size() && values[order[j]] == values[order[i]]) ++j;
    for (std::size_t m = i; m < j; ++m) ranks[order[m]] = 0.5 * static_cast<double>(i + j - 1);
    i = j;
  }
  return ranks;
}

}  // namespace

Estimate wilson(long successes, long trials, double confidence) {
  if (trials == 0) return {.value = std::numeric_limits<double>::quiet_NaN(), .low = 0, .high = 1};
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double z = normal_quantile(0.5 * (1 + confidence));
  const double center = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {.value = p, .low = std::max(0.0, center - half), .high = std::min(1.0, center + half)};
}

double sigma_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = sum_of(values) / static_cast<double>(values.size());
  double sum = 0;
  for (const double x : values) sum += (x - mean) * (x - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

Estimate mean_of(std::span<const double> values, double confidence) {
  if (values.empty()) return {std::numeric_limits<double>::quiet_NaN(), -kInfinity, kInfinity};
  const auto n = static_cast<double>(values.size());
  const double mean = sum_of(values) / n;
  if (values.size() < 2) return {mean, -kInfinity, kInfinity};
  const double half = student_factor(confidence, n - 1) * sigma_of(values) / std::sqrt(n);
  return {mean, mean - half, mean + half};
}

Estimate combine(std::span<const double> replicates, double confidence) {
  return mean_of(replicates, confidence);
}

double binomial_cdf(long k, long n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return beta_cdf(1 - p, static_cast<double>(n - k), static_cast<double>(k + 1));
}

// The number of values below the true quantile is binomial(n, p). X_(l) <= q holds unless fewer than
// l values are below it, so l is the largest with P(B <= l - 1) <= tail; u likewise from above.
Estimate quantile_of(std::span<const double> sorted, double probability, double confidence) {
  const auto n = static_cast<long>(sorted.size());
  if (n == 0) return {std::numeric_limits<double>::quiet_NaN(), -kInfinity, kInfinity};
  Estimate result;
  const double place = probability * static_cast<double>(n - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const double share = place - std::floor(place);
  result.value = sorted[below];
  if (share > 0) result.value += share * (sorted[below + 1] - sorted[below]);
  const double tail = 0.5 * (1 - confidence);
  long low = -1, high = n;  // P(B <= low) <= tail < P(B <= high)
  while (high - low > 1) {
    const long middle = low + (high - low) / 2;
    (binomial_cdf(middle, n, probability) <= tail ? low : high) = middle;
  }
  result.low = low < 0 ? -kInfinity : sorted[static_cast<std::size_t>(low)];
  low = -1, high = n;  // P(B <= low) < 1 - tail <= P(B <= high)
  while (high - low > 1) {
    const long middle = low + (high - low) / 2;
    (binomial_cdf(middle, n, probability) < 1 - tail ? low : high) = middle;
  }
  result.high = high >= n ? kInfinity : sorted[static_cast<std::size_t>(high)];
  return result;
}

double rank_correlation(std::span<const double> x, std::span<const double> y) {
  require(x.size() == y.size(), "rank_correlation: ", x.size(), " values and ", y.size());
  const std::vector<double> a = ranks_of(x), b = ranks_of(y);
  const double middle = 0.5 * (static_cast<double>(x.size()) - 1);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - middle) * (b[i] - middle);
    aa += (a[i] - middle) * (a[i] - middle);
    bb += (b[i] - middle) * (b[i] - middle);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

double ecdf_band(long count, double confidence) {
  if (count < 1) return 1;
  return std::min(1.0,
                  std::sqrt(std::log(2 / (1 - confidence)) / (2 * static_cast<double>(count))));
}

Histogram make_histogram(std::span<const double> sorted) {
  Histogram result;
  if (sorted.empty()) return result;
  const double low = sorted.front(), high = sorted.back();
  if (!(high > low)) {
    const double width = low == 0 ? 1 : 0.1 * std::abs(low);
    return {
        .first = low - 0.5 * width, .width = width, .counts = {static_cast<long>(sorted.size())}};
  }
  const auto n = static_cast<double>(sorted.size());
  const auto at = [&](double p) { return sorted[static_cast<std::size_t>(p * (n - 1))]; };
  double width = 2 * (at(0.75) - at(0.25)) / std::cbrt(n);
  width = std::clamp(width, (high - low) / 40, (high - low) / 5);
  const double power = std::pow(10, std::floor(std::log10(width)));
  const double digit = width / power;
  width = power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
  result.width = width;
  result.first = width * std::floor(low / width);
  const auto bins = static_cast<std::size_t>(std::floor((high - result.first) / width)) + 1;
  result.counts.assign(bins, 0);
  for (const double x : sorted)
    ++result.counts[std::min(bins - 1, static_cast<std::size_t>((x - result.first) / width))];
  return result;
}

namespace {

struct Design {
  std::span<const double> a, b;
  const std::vector<std::vector<double>>* ab;
};

/// First-order and total indices of input i over the rows that `rows` names.
std::pair<double, double> calc_indices(const Design& d, std::size_t i,
                                       std::span<const std::size_t> rows) {
  const auto n = static_cast<double>(rows.size());
  double sum = 0, square = 0, first = 0, total = 0;
  double center = 0;
  for (const std::size_t r : rows) center += d.a[r] + d.b[r];
  center /= 2 * n;  // taken off, which changes nothing exactly and much in the last digits
  const std::vector<double>& mixed = (*d.ab)[i];
  for (const std::size_t r : rows) {
    const double a = d.a[r] - center, b = d.b[r] - center, ab = mixed[r] - center;
    sum += a + b;
    square += a * a + b * b;
    first += b * (ab - a);
    total += (a - ab) * (a - ab);
  }
  const double variance = square / (2 * n) - (sum / (2 * n)) * (sum / (2 * n));
  if (!(variance > 0)) return {0, 0};
  return {first / n / variance, total / (2 * n) / variance};
}

}  // namespace

std::vector<SobolIndices> sobol_indices(std::span<const double> a, std::span<const double> b,
                                        const std::vector<std::vector<double>>& ab,
                                        double confidence, std::uint64_t seed) {
  const Design design{a, b, &ab};
  const std::size_t rows = a.size();
  std::vector<SobolIndices> result(ab.size());
  if (rows == 0) return result;
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::vector<double>> first(ab.size()), total(ab.size());
  RandomStream stream = RandomStream(seed).substream("bootstrap");
  std::vector<std::size_t> chosen(rows);
  for (int sample = 0; sample < kResamples; ++sample) {
    for (std::size_t& r : chosen)
      r = static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(rows) - 1));
    for (std::size_t i = 0; i < ab.size(); ++i) {
      const auto [s, t] = calc_indices(design, i, chosen);
      first[i].push_back(s);
      total[i].push_back(t);
    }
  }
  for (std::size_t i = 0; i < ab.size(); ++i) {
    std::tie(result[i].first.value, result[i].total.value) = calc_indices(design, i, all);
    set_interval(first[i], confidence, &result[i].first);
    set_interval(total[i], confidence, &result[i].total);
  }
  return result;
}

MorrisMeasures morris_measures(std::span<const double> effects, double confidence,
                               std::uint64_t seed) {
  MorrisMeasures result;
  if (effects.empty()) return result;
  const auto n = static_cast<double>(effects.size());
  std::vector<double> sizes;
  for (const double effect : effects) sizes.push_back(std::abs(effect));
  result.mean = sum_of(effects) / n;
  result.sigma = sigma_of(effects);
  result.mean_size.value = sum_of(sizes) / n;
  RandomStream stream = RandomStream(seed).substream("bootstrap");
  std::vector<double> resampled;
  for (int sample = 0; sample < kResamples; ++sample) {
    double sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      sum += sizes[static_cast<std::size_t>(
          stream.integer(0, static_cast<std::int64_t>(sizes.size()) - 1))];
    resampled.push_back(sum / n);
  }
  set_interval(resampled, confidence, &result.mean_size);
  return result;
}

std::vector<double> least_squares(std::span<const double> x, std::span<const double> y,
                                  int columns) {
  require(columns > 0 && x.size() == y.size() * static_cast<std::size_t>(columns),
          "least_squares: ", x.size(), " numbers for ", y.size(), " rows of ", columns);
  const auto rows = static_cast<Eigen::Index>(y.size());
  const MatrixX<double> X =
      Eigen::Map<const MatrixX<double>>(x.data(), columns, rows).transpose();  // row by row in x
  const VectorX<double> b =
      math::solve_least_squares(X, Eigen::Map<const VectorX<double>>(y.data(), rows));
  return {b.data(), b.data() + b.size()};
}

}  // namespace camber::study
