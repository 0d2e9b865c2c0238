#pragma once

#include "camber/terrain/surface_point.h"

namespace camber::terrain::internal {

// Catmull-Rom splines in both directions: a cubic of four neighbors in each cell that meets its
// neighbors with the same value and slope (C1), goes through the nodes and is exact for quadratics.
// Weights of the nodes -1, 0, 1, 2 for t in [0, 1], with their derivatives by t.
template <class T>
struct CubicWeights {
  T w[4], d[4];

  explicit CubicWeights(const T& t)
      : w{0.5 * t * (-1 + t * (2 - t)), 0.5 * (2 + t * t * (-5 + 3 * t)),
          0.5 * t * (1 + t * (4 - 3 * t)), 0.5 * t * t * (t - 1)},
        d{0.5 * (-1 + t * (4 - 3 * t)), 0.5 * t * (-10 + 9 * t), 0.5 * (1 + t * (8 - 9 * t)),
          0.5 * t * (-2 + 3 * t)} {}
};

/// The spline at (u, v) in [0, 1]^2 of a cell. `first` is the node (-1, -1) of the 16 around it,
/// rows of x follow each other at `stride`; `inverse_spacing` is that of the nodes [1/m].
template <class Node>
SurfaceSample sample_bicubic(const Node* first, std::ptrdiff_t stride, double u, double v,
                             double inverse_spacing) {
  const CubicWeights<double> a(u), b(v);
  const double a_dd[] = {2 - 3 * u, -5 + 9 * u, 4 - 9 * u, -1 + 3 * u};
  const double b_dd[] = {2 - 3 * v, -5 + 9 * v, 4 - 9 * v, -1 + 3 * v};
  SurfaceSample s;
  for (int j = 0; j < 4; ++j) {
    const Node* row = first + j * stride;
    const double p0 = row[0], p1 = row[1], p2 = row[2], p3 = row[3];
    const double f = a.w[0] * p0 + a.w[1] * p1 + a.w[2] * p2 + a.w[3] * p3;
    const double fu = a.d[0] * p0 + a.d[1] * p1 + a.d[2] * p2 + a.d[3] * p3;
    const double fuu = a_dd[0] * p0 + a_dd[1] * p1 + a_dd[2] * p2 + a_dd[3] * p3;
    s.h += b.w[j] * f, s.hx += b.w[j] * fu, s.hxx += b.w[j] * fuu;
    s.hy += b.d[j] * f, s.hxy += b.d[j] * fu, s.hyy += b_dd[j] * f;
  }
  const double k = inverse_spacing;
  s.hx *= k, s.hy *= k, s.hxx *= k * k, s.hxy *= k * k, s.hyy *= k * k;
  return s;
}

/// Eight points of one cell, bit by bit as above.
template <class Node>
EightSlopes sample_bicubic(const Node* first, std::ptrdiff_t stride, const EightNumbers& u,
                           const EightNumbers& v, double inverse_spacing) {
  const CubicWeights<EightNumbers> a(u), b(v);
  EightSlopes s;
  for (int j = 0; j < 4; ++j) {
    const Node* row = first + j * stride;
    const double p0 = row[0], p1 = row[1], p2 = row[2], p3 = row[3];
    const EightNumbers f = a.w[0] * p0 + a.w[1] * p1 + a.w[2] * p2 + a.w[3] * p3;
    const EightNumbers fu = a.d[0] * p0 + a.d[1] * p1 + a.d[2] * p2 + a.d[3] * p3;
    s.h += b.w[j] * f, s.hx += b.w[j] * fu, s.hy += b.d[j] * f;
  }
  s.hx *= inverse_spacing, s.hy *= inverse_spacing;
  return s;
}

/// Eight points, by x and y in spacings from the node (0, 0), of a grid of nx x ny nodes. Neighbors
/// are mostly in one cell, and are sampled together: find(i, j) gives the first of its 16 nodes.
/// Points outside are passed to one(lane).
template <class Find, class One>
EightSlopes sample_cells(const EightNumbers& gx, const EightNumbers& gy, int nx, int ny,
                         std::ptrdiff_t stride, double inverse_spacing, const Find& find,
                         const One& one) {
  EightSlopes all;
  constexpr unsigned kAll = 255;
  unsigned left = kAll;
  for (int lane = 0; lane < 8; ++lane) {
    if ((left >> lane & 1U) == 0) continue;
    const double x = gx.lane(lane), y = gy.lane(lane);
    if (!(x >= 0 && y >= 0 && x < nx - 1 && y < ny - 1)) {
      all.set(lane, one(lane));
      continue;
    }
    const int i = static_cast<int>(x), j = static_cast<int>(y);
    const EightNumbers u = gx - static_cast<double>(i), v = gy - static_cast<double>(j);
    const EightSlopes here = sample_bicubic(find(i, j), stride, u, v, inverse_spacing);
    const auto is_here = u >= 0.0 && u < 1.0 && v >= 0.0 && v < 1.0;
    all.h = select(is_here, here.h, all.h);
    all.hx = select(is_here, here.hx, all.hx);
    all.hy = select(is_here, here.hy, all.hy);
    left &= ~math::internal::sign_bits<8>(is_here.pack);
  }
  return all;
}

}  // namespace camber::terrain::internal
