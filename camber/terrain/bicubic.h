#pragma once

#include "camber/terrain/surface_point.h"

namespace camber::terrain::internal {

// Catmull-Rom splines in both directions: a cubic of four neighbors in each cell that meets its
// neighbors with the same value and slope (C1), goes through the nodes and is exact for quadratics.
// Weights of the nodes -1, 0, 1, 2 for t in [0, 1], with their derivatives by t.
struct CubicWeights {
  double w[4], d[4], dd[4];

  explicit CubicWeights(double t)
      : w{0.5 * t * (-1 + t * (2 - t)), 0.5 * (2 + t * t * (-5 + 3 * t)),
          0.5 * t * (1 + t * (4 - 3 * t)), 0.5 * t * t * (t - 1)},
        d{0.5 * (-1 + t * (4 - 3 * t)), 0.5 * t * (-10 + 9 * t), 0.5 * (1 + t * (8 - 9 * t)),
          0.5 * t * (-2 + 3 * t)},
        dd{2 - 3 * t, -5 + 9 * t, 4 - 9 * t, -1 + 3 * t} {}
};

/// The spline at (u, v) in [0, 1]^2 of a cell. `first` is the node (-1, -1) of the 16 around it,
/// rows of x follow each other at `stride`; `inverse_spacing` is that of the nodes [1/m].
template <class Node>
SurfaceSample sample_bicubic(const Node* first, std::ptrdiff_t stride, double u, double v,
                             double inverse_spacing) {
  const CubicWeights a(u), b(v);
  SurfaceSample s;
  for (int j = 0; j < 4; ++j) {
    const Node* row = first + j * stride;
    const double p0 = row[0], p1 = row[1], p2 = row[2], p3 = row[3];
    const double f = a.w[0] * p0 + a.w[1] * p1 + a.w[2] * p2 + a.w[3] * p3;
    const double fu = a.d[0] * p0 + a.d[1] * p1 + a.d[2] * p2 + a.d[3] * p3;
    const double fuu = a.dd[0] * p0 + a.dd[1] * p1 + a.dd[2] * p2 + a.dd[3] * p3;
    s.h += b.w[j] * f, s.hx += b.w[j] * fu, s.hxx += b.w[j] * fuu;
    s.hy += b.d[j] * f, s.hxy += b.d[j] * fu, s.hyy += b.dd[j] * f;
  }
  const double k = inverse_spacing;
  s.hx *= k, s.hy *= k, s.hxx *= k * k, s.hxy *= k * k, s.hyy *= k * k;
  return s;
}

}  // namespace camber::terrain::internal
