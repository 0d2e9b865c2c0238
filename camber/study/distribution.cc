#include "camber/study/distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/study/portable_math.h"

namespace camber::study {
namespace {

using camber::internal::portable_log;

constexpr std::array<std::string_view, 10> kNames = {
    "uniform", "normal",      "lognormal", "triangular", "beta",
    "weibull", "exponential", "table",     "choice",     "constant"};

double clamp_open(double u) { return std::clamp(u, 0x1p-54, 1 - 0x1p-53); }

/// The distribution function before cuts, for the kinds that may be cut.
double cdf(const Distribution& d, double x) {
  switch (d.kind) {
    case DistributionKind::kNormal:
      return normal_cdf((x - d.a) / d.b);
    case DistributionKind::kLognormal:
      return x <= 0 ? 0 : normal_cdf((portable_log(x) - portable_log(d.a)) / d.b);
    case DistributionKind::kWeibull:
      return x <= 0 ? 0 : 1 - portable_exp(-portable_pow(x / d.b, d.a));
    case DistributionKind::kExponential:
      return x <= 0 ? 0 : 1 - portable_exp(-x / d.a);
    default:
      return 0;
  }
}

double uncut_quantile(const Distribution& d, double u) {
  switch (d.kind) {
    case DistributionKind::kNormal:
      return d.a + d.b * normal_quantile(u);
    case DistributionKind::kLognormal:
      return d.a * portable_exp(d.b * normal_quantile(u));
    case DistributionKind::kWeibull:
      return d.b * portable_pow(-portable_log(1 - clamp_open(u)), 1 / d.a);
    case DistributionKind::kExponential:
      return -d.a * portable_log(1 - clamp_open(u));
    default:
      return 0;
  }
}

double triangular_quantile(const Distribution& d, double u) {
  const double width = d.high - d.low, at_mode = (d.mode - d.low) / width;
  if (u < at_mode) return d.low + std::sqrt(u * width * (d.mode - d.low));
  return d.high - std::sqrt((1 - u) * width * (d.high - d.mode));
}

double beta_quantile(const Distribution& d, double u) {
  double low = 0, high = 1;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double x = 0.5 * (low + high);
    if (x <= low || x >= high) break;
    (beta_cdf(x, d.a, d.b) < u ? low : high) = x;
  }
  return d.low + (d.high - d.low) * 0.5 * (low + high);
}

double table_quantile(const Distribution& d, double u) {
  const auto at = std::ranges::lower_bound(d.cumulative, u);
  if (at == d.cumulative.begin()) return d.values.front();
  if (at == d.cumulative.end()) return d.values.back();
  const auto i = static_cast<std::size_t>(at - d.cumulative.begin());
  const double share = (u - d.cumulative[i - 1]) / (d.cumulative[i] - d.cumulative[i - 1]);
  return d.values[i - 1] + share * (d.values[i] - d.values[i - 1]);
}

double choice_quantile(const Distribution& d, double u) {
  const auto at = std::ranges::upper_bound(d.cumulative, u);
  const auto i = static_cast<std::size_t>(at - d.cumulative.begin());
  return static_cast<double>(std::min(i, d.choices() - 1));
}

double real_quantile(const Distribution& d, double u) {
  switch (d.kind) {
    case DistributionKind::kUniform:
      if (d.is_integer) return std::min(d.high, std::floor(d.low + u * (d.high - d.low + 1)));
      return (1 - u) * d.low + u * d.high;
    case DistributionKind::kTriangular:
      return triangular_quantile(d, u);
    case DistributionKind::kBeta:
      return beta_quantile(d, u);
    case DistributionKind::kTable:
      return table_quantile(d, u);
    case DistributionKind::kChoice:
      return choice_quantile(d, u);
    case DistributionKind::kConstant:
      return d.a;
    default:
      break;
  }
  if (!d.has_low && !d.has_high) return uncut_quantile(d, u);
  const double first = d.has_low ? cdf(d, d.low) : 0, last = d.has_high ? cdf(d, d.high) : 1;
  const double x = uncut_quantile(d, first + u * (last - first));
  return std::clamp(x, d.has_low ? d.low : -HUGE_VAL, d.has_high ? d.high : HUGE_VAL);
}

// --- Reading ---

void read_ends(const TomlNode& node, Distribution* d) {
  d->low = node.at("low").number("");
  d->high = node.at("high").number("");
  d->has_low = d->has_high = true;
  if (!(d->low < d->high))
    node.at("high").error(concat("must be > low = ", d->low, ", got ", d->high));
}

void read_cuts(const TomlNode& node, Distribution* d) {
  if (const TomlNode low = node.find("low")) {
    d->low = low.number("");
    d->has_low = true;
  }
  if (const TomlNode high = node.find("high")) {
    d->high = high.number("");
    d->has_high = true;
    if (d->has_low && !(d->low < d->high))
      high.error(concat("must be > low = ", d->low, ", got ", d->high));
  }
  if (!(d->has_low || d->has_high) || !(d->b > 0 || d->kind == DistributionKind::kExponential))
    return;
  const double first = d->has_low ? cdf(*d, d->low) : 0, last = d->has_high ? cdf(*d, d->high) : 1;
  if (d->a > 0 && d->has_low == d->has_high && !(d->low < d->high)) return;  // told above
  if (last - first < 1e-9)
    node.error(concat("low and high leave a probability of ", short_text(last - first, 3),
                      " of the distribution; at least 1e-9 is needed"));
}

/// Weights of the values, made cumulative.
void read_weights(const TomlNode& node, std::size_t count, Distribution* d) {
  std::vector<double> weights(count, 1.0);
  if (const TomlNode given = node.find("weights")) {
    weights.clear();
    for (const TomlNode& weight : given.elements()) weights.push_back(weight.non_negative(""));
    if (weights.size() != count) {
      given.error(concat("must have one weight per value, ", count, ", got ", weights.size()));
      weights.assign(count, 1.0);
    }
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0)) node.at("weights").error("one weight at least must be > 0");
  double so_far = 0;
  for (const double weight : weights) d->cumulative.push_back((so_far += weight) / sum);
  if (!d->cumulative.empty()) d->cumulative.back() = 1;
}

void read_choice(const TomlNode& node, Distribution* d) {
  const TomlNode list = node.at("values");
  const std::vector<TomlNode> values = list.elements();
  const bool is_text = !values.empty() && values.front().is_text();
  for (const TomlNode& value : values) {
    if (is_text) {
      d->texts.push_back(value.text());
    } else {
      d->values.push_back(value.number(""));
    }
  }
  if (values.empty()) list.error("must have one value at least");
  read_weights(node, values.size(), d);
}

void read_table_values(const TomlNode& node, Distribution* d) {
  const TomlNode list = node.at("values");
  d->values = list.numbers("");
  const std::size_t count = d->values.size();
  if (count < 2) list.error(concat("must have two values at least, got ", count));
  if (const TomlNode given = node.find("probabilities")) {
    d->cumulative = given.numbers("");
    const bool is_good =
        d->cumulative.size() == count && count >= 2 && d->cumulative.front() == 0 &&
        d->cumulative.back() == 1 &&
        std::ranges::adjacent_find(d->cumulative, std::greater_equal<>()) == d->cumulative.end();
    if (!is_good)
      given.error("must rise from 0 to 1, one probability per value: that of a smaller one");
    if (!std::ranges::is_sorted(d->values))
      list.error("must not fall where probabilities are given");
    if (!is_good) d->cumulative.clear();
  } else {
    std::ranges::sort(d->values);
  }
  if (d->cumulative.empty())  // a sample of measured values
    for (std::size_t i = 0; i < count; ++i)
      d->cumulative.push_back(count < 2 ? 1
                                        : static_cast<double>(i) / static_cast<double>(count - 1));
  if (d->values.empty()) {
    d->values = {0};
    d->cumulative = {1};
  }
}

}  // namespace

std::string_view name_of(DistributionKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

double quantile(const Distribution& d, double u) {
  const double x = real_quantile(d, std::clamp(u, 0.0, 1.0));
  const bool is_rounded =
      d.is_integer && d.kind != DistributionKind::kUniform && d.kind != DistributionKind::kChoice;
  return is_rounded ? std::nearbyint(x) : x;
}

bool is_bounded(const Distribution& d) {
  switch (d.kind) {
    case DistributionKind::kNormal:
    case DistributionKind::kLognormal:
    case DistributionKind::kWeibull:
    case DistributionKind::kExponential:
      return false;
    default:
      return true;
  }
}

double low_end(const Distribution& d) {
  if (d.kind == DistributionKind::kConstant || d.kind == DistributionKind::kChoice)
    return quantile(d, 0);
  return quantile(d, is_bounded(d) ? 0 : 0.05);
}

double high_end(const Distribution& d) {
  if (d.kind == DistributionKind::kChoice) return static_cast<double>(d.choices()) - 1;
  return quantile(d, is_bounded(d) ? 1 : 0.95);
}

Distribution read_distribution(const TomlNode& node) {
  Distribution d;
  const TomlNode kind = node.at("kind");
  const std::string word = kind.choice(kNames);
  const auto found = std::ranges::find(kNames, word);
  if (found == kNames.end()) return d;
  d.kind = static_cast<DistributionKind>(found - kNames.begin());
  switch (d.kind) {
    case DistributionKind::kUniform:
      read_ends(node, &d);
      break;
    case DistributionKind::kTriangular:
      read_ends(node, &d);
      d.mode = node.at("mode").number("");
      if (d.low < d.high && !(d.low <= d.mode && d.mode <= d.high))
        node.at("mode").error(concat("must be from ", d.low, " to ", d.high, ", got ", d.mode));
      break;
    case DistributionKind::kBeta:
      d.a = node.at("a").positive("");
      d.b = node.at("b").positive("");
      read_ends(node, &d);
      break;
    case DistributionKind::kNormal:
      d.a = node.at("mean").number("");
      d.b = node.at("sigma").positive("");
      read_cuts(node, &d);
      break;
    case DistributionKind::kLognormal:
      d.a = node.at("median").positive("");
      d.b = node.at("sigma_log").positive("");
      read_cuts(node, &d);
      break;
    case DistributionKind::kWeibull:
      d.a = node.at("shape").positive("");
      d.b = node.at("scale").positive("");
      read_cuts(node, &d);
      break;
    case DistributionKind::kExponential:
      d.a = node.at("mean").positive("");
      read_cuts(node, &d);
      break;
    case DistributionKind::kTable:
      read_table_values(node, &d);
      break;
    case DistributionKind::kChoice:
      read_choice(node, &d);
      break;
    case DistributionKind::kConstant:
      d.a = node.at("value").number("");
      break;
  }
  if (d.kind != DistributionKind::kChoice) {
    d.is_integer = node.get("integer", false).boolean();
    if (d.is_integer && d.kind == DistributionKind::kUniform &&
        (std::floor(d.low) != d.low || std::floor(d.high) != d.high))
      node.at("low").error("low and high must be whole numbers where integer = true");
  }
  return d;
}

std::string describe(const Distribution& d) {
  std::string text(name_of(d.kind));
  const auto add = [&](const char* name, double value) {
    text += concat(", ", name, " ", short_text(value));
  };
  switch (d.kind) {
    case DistributionKind::kNormal:
      add("mean", d.a), add("sigma", d.b);
      break;
    case DistributionKind::kLognormal:
      add("median", d.a), add("sigma of the logarithm", d.b);
      break;
    case DistributionKind::kWeibull:
      add("shape", d.a), add("scale", d.b);
      break;
    case DistributionKind::kExponential:
      add("mean", d.a);
      break;
    case DistributionKind::kBeta:
      add("a", d.a), add("b", d.b);
      break;
    case DistributionKind::kTriangular:
      add("mode", d.mode);
      break;
    case DistributionKind::kConstant:
      text += " " + short_text(d.a);
      break;
    case DistributionKind::kChoice:
    case DistributionKind::kTable:
      text += concat(" of ", d.choices(), " values");
      break;
    case DistributionKind::kUniform:
      break;
  }
  if (d.has_low) add("from", d.low);
  if (d.has_high) add("to", d.high);
  return text;
}

}  // namespace camber::study
