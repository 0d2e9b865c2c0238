#include <cmath>

#include "camber/core/require.h"
#include "camber/report/plot.h"

namespace camber::report {

// Steps of 1, 2 or 5 times a power of ten, as [Heckbert 1990, "Nice numbers for graph labels"].
std::vector<double> linear_ticks(double first, double last, int count) {
  require(std::isfinite(first) && std::isfinite(last) && last > first && count > 0,
          "linear_ticks: ", count, " parts of the range ", first, " to ", last);
  const double rough = (last - first) / count;
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  const double ratio = rough / decade;
  const double step = decade * (ratio < 1.5 ? 1.0 : ratio < 3.5 ? 2.0 : ratio < 7.5 ? 5.0 : 10.0);
  std::vector<double> ticks;
  const double start = std::ceil(first / step - 1e-9);
  const double end = std::floor(last / step + 1e-9);
  for (int k = 0; start + k <= end; ++k) ticks.push_back((start + k) * step);
  return ticks;
}

// Decades; over less than two of them also 2 and 5, so that there is something to read off.
std::vector<double> log_ticks(double first, double last) {
  require(first > 0.0 && std::isfinite(last) && last > first, "log_ticks: the range ", first,
          " to ", last, " is not positive");
  const bool is_short = std::log10(last / first) < 2.5;
  std::vector<double> ticks;
  const int end = static_cast<int>(std::ceil(std::log10(last)));
  for (int k = static_cast<int>(std::floor(std::log10(first))); k <= end; ++k) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * std::pow(10.0, k);
      const bool is_inside = tick >= first * (1.0 - 1e-9) && tick <= last * (1.0 + 1e-9);
      if (is_inside && (digit == 1.0 || is_short)) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace camber::report
