// [Fritsch and Butland 1984] A method for constructing local monotone piecewise cubic interpolants.
#include "camber/math/smooth_curve.h"

#include <utility>

#include "camber/core/require.h"

namespace camber::math {
namespace {

/// Slope of the curve at a point between sides of lengths a, b and slopes p, q.
double calc_mean_slope(double a, double b, double p, double q) {
  if (p * q <= 0) return 0;
  return 3 * (a + b) / ((2 * b + a) / p + (b + 2 * a) / q);
}

}  // namespace

SmoothCurve::SmoothCurve(std::vector<double> x, std::vector<double> y, double end_slope)
    : x_(std::move(x)), y_(std::move(y)) {
  const std::size_t n = x_.size();
  require(n >= 2 && y_.size() == n, "SmoothCurve: needs at least two points, got ", n, " x and ",
          y_.size(), " y");
  std::vector<double> rise(n - 1), slope(n);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    require(x_[k + 1] > x_[k], "SmoothCurve: x must ascend: ", x_[k + 1], " comes after ", x_[k]);
    rise[k] = (y_[k + 1] - y_[k]) / (x_[k + 1] - x_[k]);
  }
  slope.front() = rise.front();
  slope.back() = end_slope;
  for (std::size_t k = 1; k + 1 < n; ++k)
    slope[k] = calc_mean_slope(x_[k] - x_[k - 1], x_[k + 1] - x_[k], rise[k - 1], rise[k]);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double h = x_[k + 1] - x_[k], d0 = slope[k], d1 = slope[k + 1];
    pieces_.push_back(
        {x_[k], y_[k], d0, (3 * rise[k] - 2 * d0 - d1) / h, (d0 + d1 - 2 * rise[k]) / (h * h)});
  }
}

}  // namespace camber::math
