#pragma once

// The rotation vector of a rotation, angle * axis with an angle up to pi, and the torque of an
// energy that depends on it (docs/theory/multibody.md (6)-(7)). Works for every scalar: select()
// instead of branches, series near zero.

#include <cmath>

#include "camber/math/scalar.h"
#include "camber/math/spatial.h"

namespace camber::math {

/// Computed from the unit quaternion, whose largest entry is taken from the diagonal of 4 q q^T and
/// the others from the same column [Shepperd 1978]: as exact near pi, where R's antisymmetric part
/// vanishes, as anywhere. At pi itself one of two opposite vectors.
template <class T>
Vec3<T> rotation_vector(const Mat3<T>& R) {
  using std::atan2, std::sqrt;
  const T one = T(1);
  const T wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1),
          xy = R(0, 1) + R(1, 0), xz = R(0, 2) + R(2, 0), yz = R(1, 2) + R(2, 1);
  T most = one + R(0, 0) + R(1, 1) + R(2, 2);
  T w = most, x = wx, y = wy, z = wz;
  const auto take_if_larger = [&](const T& square, const T& w_, const T& x_, const T& y_,
                                  const T& z_) {
    const auto is_larger = square > most;
    w = select(is_larger, w_, w);
    x = select(is_larger, x_, x);
    y = select(is_larger, y_, y);
    z = select(is_larger, z_, z);
    most = select(is_larger, square, most);
  };
  const T xx = one + R(0, 0) - R(1, 1) - R(2, 2), yy = one - R(0, 0) + R(1, 1) - R(2, 2),
          zz = one - R(0, 0) - R(1, 1) + R(2, 2);
  take_if_larger(xx, wx, xx, xy, xz);
  take_if_larger(yy, wy, xy, yy, yz);
  take_if_larger(zz, wz, xz, yz, zz);
  // A column of 4 q q^T over twice the root of its largest entry; the sign makes w >= 0.
  const T root = T(2) * sqrt(most);
  const T scale = select(w < T(0), T(-1), T(1)) / root;
  const T cosine = scale * w;
  const Vec3<T> u = Vec3<T>(x, y, z) * scale;  // sin(angle / 2) * axis
  const T square = dot(u, u);
  const auto is_small = square < T(1e-6);
  const T sine = sqrt(select(is_small, one, square));
  const T ratio = select(is_small, T(T(2) + square * (T(1.0 / 3) + square * T(0.15))),
                         T(T(2) * atan2(sine, cosine) / sine));
  return u * ratio;
}

/// The torque on the rotating body, in the axes in which the rotation vector `turn` is expressed,
/// that does the same work as `f` does on the change of `turn`: J^T f with turn' = J w.
template <class T>
Vec3<T> torque_of_turn(const Vec3<T>& turn, const Vec3<T>& f) {
  using std::cos, std::sin, std::sqrt;
  const T square = dot(turn, turn);
  const auto is_small = square < T(1e-3);
  const T half = T(0.5) * sqrt(select(is_small, T(1), square));
  const T c = select(is_small, T(T(1.0 / 12) + square * (T(1.0 / 720) + square * T(1.0 / 30240))),
                     T((T(1) - half * cos(half) / sin(half)) / (T(4) * half * half)));
  const Vec3<T> once = cross(turn, f);
  return f + once * T(0.5) + cross(turn, once) * c;
}

}  // namespace camber::math
