#pragma once

#include <cmath>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"
#include "camber/math/vec3.h"

namespace camber::terrain {

/// A surface z = h(x, y) at one point: height, slopes and second derivatives.
template <class T>
struct SurfacePoint {
  T h{0};                    // [m]
  T hx{0}, hy{0};            // dh/dx, dh/dy [-]
  T hxx{0}, hxy{0}, hyy{0};  // second derivatives [1/m]

  /// Unit normal, up.
  math::Vec3<T> normal() const {
    using std::sqrt;
    const T nz = T(1) / sqrt(T(1) + hx * hx + hy * hy);
    return {-hx * nz, -hy * nz, nz};
  }
  /// Mean of the two principal curvatures [1/m]; positive in a hollow, negative on a crest.
  T mean_curvature() const {
    using std::sqrt;
    const T g = T(1) + hx * hx + hy * hy;
    return ((T(1) + hy * hy) * hxx - T(2) * hx * hy * hxy + (T(1) + hx * hx) * hyy) /
           (T(2) * g * sqrt(g));
  }
  /// Curvature of the section along the unit direction (cx, cy) in the ground plane [1/m].
  T curvature_along(const T& cx, const T& cy) const {
    using std::sqrt;
    const T slope = hx * cx + hy * cy;
    const T g = T(1) + slope * slope;
    return (hxx * cx * cx + T(2) * hxy * cx * cy + hyy * cy * cy) / (g * sqrt(g));
  }

  SurfacePoint& operator+=(const SurfacePoint& b) {
    h += b.h, hx += b.hx, hy += b.hy, hxx += b.hxx, hxy += b.hxy, hyy += b.hyy;
    return *this;
  }
};

using SurfaceSample = SurfacePoint<double>;

/// Eight points of a surface, without second derivatives.
using EightNumbers = math::Lanes<8>;
struct EightSlopes {
  EightNumbers h{0.0}, hx{0.0}, hy{0.0};

  void set(int lane, const SurfaceSample& s) {
    h.set_lane(lane, s.h), hx.set_lane(lane, s.hx), hy.set_lane(lane, s.hy);
  }
};

// Every surface is sampled on doubles, once, in one place. Other scalars follow from the sample:
// its second derivatives are all that first derivatives of height and slopes need, so that a dual
// number is exact, and its value has the bits of the double. Second derivatives themselves are
// taken as constant (theirs would be third ones).

/// h, hx, hy with their derivatives by the chain rule.
template <int N>
SurfacePoint<math::Dual<N>> lift(const SurfaceSample& s, const math::Dual<N>& x,
                                 const math::Dual<N>& y) {
  using D = math::Dual<N>;
  const D dx = x - x.value, dy = y - y.value;  // zero, with the derivatives of x and y
  return {D(s.h) + (s.hx * dx + s.hy * dy),
          D(s.hx) + (s.hxx * dx + s.hxy * dy),
          D(s.hy) + (s.hxy * dx + s.hyy * dy),
          D(s.hxx),
          D(s.hxy),
          D(s.hyy)};
}
inline const SurfaceSample& lift(const SurfaceSample& s, double, double) { return s; }

/// Calls sample(x, y) for the values of x and y, lane by lane where T has lanes.
template <class Sample>
SurfaceSample sample_surface(const Sample& sample, double x, double y) {
  return sample(x, y);
}
template <class Sample, int N>
SurfacePoint<math::Dual<N>> sample_surface(const Sample& sample, const math::Dual<N>& x,
                                           const math::Dual<N>& y) {
  return lift(sample(x.value, y.value), x, y);
}
template <class Sample, int N>
SurfacePoint<math::Lanes<N>> sample_surface(const Sample& sample, const math::Lanes<N>& x,
                                            const math::Lanes<N>& y) {
  SurfacePoint<math::Lanes<N>> all;
  for (int i = 0; i < N; ++i) {
    const SurfaceSample s = sample(x.lane(i), y.lane(i));
    all.h.set_lane(i, s.h), all.hx.set_lane(i, s.hx), all.hy.set_lane(i, s.hy);
    all.hxx.set_lane(i, s.hxx), all.hxy.set_lane(i, s.hxy), all.hyy.set_lane(i, s.hyy);
  }
  return all;
}

}  // namespace camber::terrain
