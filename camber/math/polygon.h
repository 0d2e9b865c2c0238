#pragma once

#include <cstddef>
#include <vector>

#include "camber/math/scalar.h"

namespace camber::math {

/// The polygon through (xs[k], ys[k]) at x; its first and last side go on outside. Written as a sum
/// of kinks, y0 + s0 (x - x0) + sum of (change of slope) max(0, x - xk), without a search: lanes
/// and expressions run the same lines. Two points at least, xs ascending.
template <class T, class Number>
T look_up(const std::vector<Number>& xs, const std::vector<Number>& ys, const T& x) {
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
