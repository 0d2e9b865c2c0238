#pragma once

// Estimates with intervals: docs/theory/studies.md.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace camber::study {

/// An estimate with its confidence interval.
struct Estimate {
  double value = 0;
  double low = 0, high = 0;
};

/// Fraction of successes, with Wilson's score interval.
Estimate wilson(long successes, long trials, double confidence);

/// Mean, with Student's interval; of one value, the interval is infinite.
Estimate mean_of(std::span<const double> values, double confidence);
double sigma_of(std::span<const double> values);

/// Quantile of ascending values, with the interval between two of them that holds whatever the
/// distribution is (order statistics). Where there are too few values, the interval is infinite to
/// that side.
Estimate quantile_of(std::span<const double> sorted, double probability, double confidence);

/// Mean of independent estimates of the same thing, such as replicates of a Sobol' sequence.
Estimate combine(std::span<const double> replicates, double confidence);

/// P(X <= k) of a binomial number.
double binomial_cdf(long k, long n, double p);

/// Spearman's rank correlation; ties share their mean rank.
double rank_correlation(std::span<const double> x, std::span<const double> y);

/// Half-width of the band around an empirical distribution function that holds everywhere at once
/// (Dvoretzky, Kiefer, Wolfowitz; Massart's constant).
double ecdf_band(long count, double confidence);

struct Histogram {
  double first = 0, width = 0;
  std::vector<long> counts;
};
/// Bins after Freedman and Diaconis, 5 to 40, at round numbers.
Histogram make_histogram(std::span<const double> sorted);

/// Fractions of a figure's variance by an input alone, and with all others.
struct SobolIndices {
  Estimate first, total;
};
/// From rows of a Saltelli design: f(A), f(B), and f(AB_i) for each input i. Intervals by bootstrap
/// over rows.
std::vector<SobolIndices> sobol_indices(std::span<const double> a, std::span<const double> b,
                                        const std::vector<std::vector<double>>& ab,
                                        double confidence, std::uint64_t seed);

/// Morris' measures of elementary effects: their mean, mean size and spread.
struct MorrisMeasures {
  double mean = 0, sigma = 0;
  Estimate mean_size;  // mu*, with a bootstrap interval
};
MorrisMeasures morris_measures(std::span<const double> effects, double confidence,
                               std::uint64_t seed);

/// Coefficients of least squares y = X b; X row after row.
std::vector<double> least_squares(std::span<const double> x, std::span<const double> y,
                                  int columns);

}  // namespace camber::study
