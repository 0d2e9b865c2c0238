#pragma once

#include <cstddef>
#include <vector>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"

namespace camber::math {

/// A curve through points, constant outside of them: cubic between two points, with a continuous
/// slope after the first, and monotone between points, so it does not overshoot.
class SmoothCurve {
 public:
  SmoothCurve() = default;
  /// The slope at the last point is `end_slope`. Throws std::invalid_argument unless there are at
  /// least two points and x ascends.
  SmoothCurve(std::vector<double> x, std::vector<double> y, double end_slope = 0);

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }

  double at(double x) const {
    const double inside = hold(x);
    const Piece& p = find_piece(inside);
    return eval(p, inside - p.from);
  }
  template <int N>
  Dual<N> at(const Dual<N>& x) const {
    const double inside = hold(x.value);
    const Piece& p = find_piece(inside);
    return eval(p, inside == x.value ? Dual<N>(x - p.from) : Dual<N>(inside - p.from));
  }
  template <int N>
  Lanes<N> at(const Lanes<N>& x) const {
    Lanes<N> all;
    for (int i = 0; i < N; ++i) all.set_lane(i, at(x.lane(i)));
    return all;
  }

 private:
  struct Piece {
    double from, offset, slope, bend, twist;
  };
  template <class T>
  static T eval(const Piece& p, const T& t) {
    return p.offset + t * (p.slope + t * (p.bend + t * p.twist));
  }
  double hold(double x) const {
    return x < x_.front() ? x_.front() : x > x_.back() ? x_.back() : x;
  }
  const Piece& find_piece(double x) const {
    std::size_t k = 0;
    while (k + 1 < pieces_.size() && x > pieces_[k + 1].from) ++k;
    return pieces_[k];
  }

  std::vector<double> x_, y_;
  std::vector<Piece> pieces_;
};

}  // namespace camber::math
