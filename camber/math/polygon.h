#pragma once

#include <cstddef>
#include <vector>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"
#include "camber/math/scalar.h"

namespace camber::math {

namespace internal {

/// The line through a polygon's side: offset + slope (x - from).
struct Side {
  double from, offset, slope;
};
inline Side find_side(const std::vector<double>& xs, const std::vector<double>& ys, double x) {
  std::size_t k = 0;
  while (k + 2 < xs.size() && x > xs[k + 1]) ++k;
  return {xs[k], ys[k], (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k])};
}

}  // namespace internal

/// The value at x of the polygon through (xs[k], ys[k]); its first and last sides are extended
/// beyond the end points. Written as a sum of kinks, y0 + s0 (x - x0) + sum of (change of slope)
/// max(0, x - xk), without a search, for expressions. At least two points, xs ascending.
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

// Plain numbers search for their side and take one division.
inline double look_up(const std::vector<double>& xs, const std::vector<double>& ys, double x) {
  const internal::Side side = internal::find_side(xs, ys, x);
  return side.offset + side.slope * (x - side.from);
}
template <int N>
Dual<N> look_up(const std::vector<double>& xs, const std::vector<double>& ys, const Dual<N>& x) {
  const internal::Side side = internal::find_side(xs, ys, x.value);
  return side.offset + side.slope * (x - side.from);
}
// The side of each lane is chosen, not searched for: each side costs one division for all lanes.
template <int N>
Lanes<N> look_up(const std::vector<double>& xs, const std::vector<double>& ys, const Lanes<N>& x) {
  const auto side_at = [&](std::size_t k) {
    return internal::Side{xs[k], ys[k], (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k])};
  };
  const internal::Side first = side_at(0);
  Lanes<N> from(first.from), offset(first.offset), slope(first.slope);
  for (std::size_t k = 1; k + 1 < xs.size(); ++k) {
    const auto is_past = x > xs[k];
    if (!any(is_past)) break;
    const internal::Side side = side_at(k);
    from = select(is_past, Lanes<N>(side.from), from);
    offset = select(is_past, Lanes<N>(side.offset), offset);
    slope = select(is_past, Lanes<N>(side.slope), slope);
  }
  return offset + slope * (x - from);
}

/// The value of the polygon, constant beyond its end points.
template <class T, class Number>
T look_up_held(const std::vector<Number>& xs, const std::vector<Number>& ys, const T& x) {
  const T first = T(xs.front()), last = T(xs.back());
  return look_up(xs, ys, T(select(x < first, first, select(x > last, last, x))));
}

}  // namespace camber::math
