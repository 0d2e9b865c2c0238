#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "camber/core/toml_reader.h"

namespace camber::study {

enum class DistributionKind {
  kUniform,
  kNormal,
  kLognormal,
  kTriangular,
  kBeta,
  kWeibull,
  kExponential,
  kTable,
  kChoice,
  kConstant,
};

/// Distribution of an input. Every kind is drawn by the quantile of one uniform number, so that any
/// plan works with any distribution, and a sample has the same bits on every machine.
struct Distribution {
  DistributionKind kind = DistributionKind::kConstant;
  /// uniform, triangular: none but low and high; normal: mean, sigma; lognormal: median, sigma of
  /// the logarithm; beta: a, b; Weibull: shape, scale; exponential: mean; constant: its value.
  double a = 0, b = 0;
  double mode = 0;           // triangular
  double low = 0, high = 0;  // ends of uniform, triangular and beta; cuts of the others
  bool has_low = false, has_high = false;
  bool is_integer = false;         // rounded; uniform: both ends included, each equally likely
  std::vector<double> values;      // choice, if they are numbers; table
  std::vector<std::string> texts;  // choice, if they are words
  std::vector<double> cumulative;  // table, choice: probability up to and including each value

  bool is_text() const { return !texts.empty(); }
  std::size_t choices() const { return is_text() ? texts.size() : values.size(); }
};

/// The value at which the distribution function reaches u, 0 <= u <= 1; of a choice, the number of
/// the chosen value.
double quantile(const Distribution& distribution, double u);

/// Ends for grids, factorial plans and one at a time: the ends of a distribution that has them,
/// otherwise the 5 % and 95 % quantiles. Of a choice, the first and the last.
double low_end(const Distribution& distribution);
double high_end(const Distribution& distribution);

/// Whether it has both ends, apart from cuts.
bool is_bounded(const Distribution& distribution);

/// Reads `{ kind = "normal", mean = 2085, sigma = 60, low = 1900 }`. Mistakes are noted at the node.
Distribution read_distribution(const TomlNode& node);

std::string_view name_of(DistributionKind kind);
/// "normal, mean 2085, sigma 60, from 1900".
std::string describe(const Distribution& distribution);

}  // namespace camber::study
