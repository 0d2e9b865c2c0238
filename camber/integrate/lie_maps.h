#pragma once

#include <cmath>

#include "camber/math/lanes.h"
#include "camber/math/scalar.h"
#include "camber/math/vec3.h"

namespace camber::integrate::internal {

// Exponential map, logarithm and their kin on the unit quaternions and on SE(3).
// docs/theory/simulation.md section 5. A quaternion turns B into W; increments are in the axes of
// B, so they multiply from the right.

template <class T>
struct BasicQuaternion {
  T w = T(1);
  math::Vec3<T> u;  // x, y, z
};

using Vec3 = math::Vec3<double>;
using Quaternion = BasicQuaternion<double>;

template <class T>
T squared_norm(const BasicQuaternion<T>& q) {
  return q.w * q.w + dot(q.u, q.u);
}
template <class T>
BasicQuaternion<T> normalize(const BasicQuaternion<T>& q) {
  using std::sqrt;
  const T scale = T(1) / sqrt(squared_norm(q));
  return {q.w * scale, q.u * scale};
}
/// R(q) a and R(q)^T a, for a quaternion of any length but zero: R belongs to q / |q|.
template <class T>
math::Vec3<T> rotate(const BasicQuaternion<T>& q, const math::Vec3<T>& a) {
  return math::rotation_of_quaternion(q.w, q.u[0], q.u[1], q.u[2]) * a;
}
inline Vec3 rotate_back(const Quaternion& q, const Vec3& a) {
  return transpose_times(math::rotation_of_quaternion(q.w, q.u[0], q.u[1], q.u[2]), a);
}

template <class T>
BasicQuaternion<T> multiply(const BasicQuaternion<T>& a, const BasicQuaternion<T>& b) {
  return {a.w * b.w - dot(a.u, b.u), b.u * a.w + a.u * b.w + cross(a.u, b.u)};
}
/// q exp(phi / 2), normalized: q turned by the rotation vector phi. For double, Lanes<4> and
/// Lanes<8>, as screw_translation().
template <class T>
BasicQuaternion<T> turn(const BasicQuaternion<T>& q, const math::Vec3<T>& phi);
/// The shortest phi with turn(q0, phi) = q1 up to the sign of q1; |phi| <= pi.
Vec3 find_turn(const Quaternion& q0, const Quaternion& q1);

/// Translation part of exp of (phi, rho) in SE(3): V(phi) rho.
template <class T>
math::Vec3<T> screw_translation(const math::Vec3<T>& phi, const math::Vec3<T>& rho);
/// V(phi)^-1 p, for |phi| < 2 pi.
Vec3 find_screw_translation(const Vec3& phi, const Vec3& p);

}  // namespace camber::integrate::internal
