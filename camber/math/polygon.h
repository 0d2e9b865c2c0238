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

/// The polygon through (xs[k], ys[k]) at x; its first and last side go on outside. Written as a sum
/// of kinks, y0 + s0 (x - x0) + sum of (change of slope) max(0, x - xk), without a search, for
/// expressions. Two points at least, xs ascending.
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

// Numbers find their side, at one division.
inline double look_up(const std::vector<double>& xs, const std::vector<double>& ys, double x) {
  const internal::Side side = internal::find_side(xs, ys, x);
  return side.offset + side.slope * (x - side.from);
}
template <int N>
Dual<N> look_up(const std::vector<double>& xs, const std::vector<double>& ys, const Dual<N>& x) {
  const internal::Side side = internal::find_side(xs, ys, x.value);
  return side.offset + side.slope * (x - side.from);
}
template <int N>
Lanes<N> look_up(const std::vector<double>& xs, const std::vector<double>& ys, const Lanes<N>& x) {
  Lanes<N> from, offset, slope;
  for (int i = 0; i < N; ++i) {
    const internal::Side side = internal::find_side(xs, ys, x.lane(i));
    from.set_lane(i, side.from);
    offset.set_lane(i, side.offset);
    slope.set_lane(i, side.slope);
  }
  return offset + slope * (x - from);
}

/// The same, constant outside of its points.
template <class T, class Number>
T look_up_held(const std::vector<Number>& xs, const std::vector<Number>& ys, const T& x) {
  const T first = T(xs.front()), last = T(xs.back());
  return look_up(xs, ys, T(select(x < first, first, select(x > last, last, x))));
}

// --- Smooth curves ---

namespace internal {

/// from <= x: offset + t (slope + t (bend + t twist)), t = x - from.
struct Piece {
  double from, offset, slope, bend, twist;
};

/// Of a curve at a point between sides of the lengths a, b and the slopes p, q: a mean of both
/// [Fritsch and Butland 1984], with which no piece leaves the range of its ends.
inline double calc_mean_slope(double a, double b, double p, double q) {
  if (p * q <= 0) return 0;
  return 3 * (a + b) * p * q / ((2 * b + a) * q + (b + 2 * a) * p);
}

inline Piece find_piece(const std::vector<double>& xs, const std::vector<double>& ys,
                        double end_slope, double x) {
  const std::size_t n = xs.size();
  std::size_t k = 0;
  while (k + 2 < n && x > xs[k + 1]) ++k;
  const auto length = [&](std::size_t i) { return xs[i + 1] - xs[i]; };
  const auto rise = [&](std::size_t i) { return (ys[i + 1] - ys[i]) / length(i); };
  const double h = length(k), s = rise(k);
  const double d0 = k == 0 ? s : calc_mean_slope(length(k - 1), h, rise(k - 1), s);
  const double d1 = k + 2 == n ? end_slope : calc_mean_slope(h, length(k + 1), s, rise(k + 1));
  return {xs[k], ys[k], d0, (3 * s - 2 * d0 - d1) / h, (d0 + d1 - 2 * s) / (h * h)};
}

inline double held(const std::vector<double>& xs, double x) {
  return x < xs.front() ? xs.front() : x > xs.back() ? xs.back() : x;
}

}  // namespace internal

/// The curve through (xs[k], ys[k]), constant outside: cubic between the points, continuous with
/// its slope behind the first one and without humps of its own. It comes to its last point with
/// `end_slope`. Two points at least, xs ascending.
inline double look_up_smooth(const std::vector<double>& xs, const std::vector<double>& ys, double x,
                             double end_slope = 0) {
  const double at = internal::held(xs, x);
  const internal::Piece p = internal::find_piece(xs, ys, end_slope, at);
  const double t = at - p.from;
  return p.offset + t * (p.slope + t * (p.bend + t * p.twist));
}
template <int N>
Dual<N> look_up_smooth(const std::vector<double>& xs, const std::vector<double>& ys,
                       const Dual<N>& x, double end_slope = 0) {
  const double at = internal::held(xs, x.value);
  const internal::Piece p = internal::find_piece(xs, ys, end_slope, at);
  const Dual<N> t = at == x.value ? Dual<N>(x - p.from) : Dual<N>(at - p.from);
  return p.offset + t * (p.slope + t * (p.bend + t * p.twist));
}
template <int N>
Lanes<N> look_up_smooth(const std::vector<double>& xs, const std::vector<double>& ys,
                        const Lanes<N>& x, double end_slope = 0) {
  Lanes<N> all;
  for (int i = 0; i < N; ++i) all.set_lane(i, look_up_smooth(xs, ys, x.lane(i), end_slope));
  return all;
}

}  // namespace camber::math
