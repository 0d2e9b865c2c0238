#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "camber/math/scalar.h"

namespace camber::math {

/// The polygon through (xs[k], ys[k]) at x; its first and last side go on outside. Two points at
/// least, xs ascending. Plain numbers look for their side; all others sum up kinks, y0 + s0 (x -
/// x0) + sum of (change of slope) max(0, x - xk), the same lines for lanes and expressions.
template <class T, class Number>
T look_up(const std::vector<Number>& xs, const std::vector<Number>& ys, const T& x) {
  if constexpr (std::is_same_v<T, double> && std::is_same_v<Number, double>) {
    std::size_t k = 1;
    while (k + 1 < xs.size() && x > xs[k]) ++k;
    return ys[k - 1] + (ys[k] - ys[k - 1]) / (xs[k] - xs[k - 1]) * (x - xs[k - 1]);
  }
  T y = T(ys[0]);
  Number slope_before = Number(0);
  for (std::size_t k = 0; k + 1 < xs.size(); ++k) {
    const Number slope = (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]);
    const T past = x - xs[k];
    y += k == 0 ? T(slope * past) : T((slope - slope_before) * select(past > T(0), past, T(0)));
    slope_before = slope;
  }
  return y;
}

/// The same, constant outside of its points.
template <class T, class Number>
T look_up_held(const std::vector<Number>& xs, const std::vector<Number>& ys, const T& x) {
  const T first = T(xs.front()), last = T(xs.back());
  return look_up(xs, ys, T(select(x < first, first, select(x > last, last, x))));
}

}  // namespace camber::math
