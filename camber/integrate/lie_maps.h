#pragma once

#include <cmath>

#include "camber/math/vec3.h"

namespace camber::integrate::internal {

// Exponential map, logarithm and their kin on the unit quaternions and on SE(3).
// docs/theory/simulation.md section 5. A quaternion turns B into W; increments are in the axes of
// B, so they multiply from the right.

using Vec3 = math::Vec3<double>;

struct Quaternion {
  double w = 1;
  Vec3 u;  // x, y, z
};

inline double squared_norm(const Quaternion& q) { return q.w * q.w + dot(q.u, q.u); }
inline Quaternion normalize(const Quaternion& q) {
  const double scale = 1 / std::sqrt(squared_norm(q));
  return {q.w * scale, q.u * scale};
}
/// R(q) a and R(q)^T a, for a quaternion of any length but zero: R belongs to q / |q|.
inline Vec3 rotate(const Quaternion& q, const Vec3& a) {
  return math::rotation_of_quaternion(q.w, q.u[0], q.u[1], q.u[2]) * a;
}
inline Vec3 rotate_back(const Quaternion& q, const Vec3& a) {
  return transpose_times(math::rotation_of_quaternion(q.w, q.u[0], q.u[1], q.u[2]), a);
}

inline Quaternion multiply(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - dot(a.u, b.u), b.u * a.w + a.u * b.w + cross(a.u, b.u)};
}
/// q exp(phi / 2), normalized: q turned by the rotation vector phi.
Quaternion turn(const Quaternion& q, const Vec3& phi);
/// The shortest phi with turn(q0, phi) = q1 up to the sign of q1; |phi| <= pi.
Vec3 find_turn(const Quaternion& q0, const Quaternion& q1);

/// Translation part of exp of (phi, rho) in SE(3): V(phi) rho.
Vec3 screw_translation(const Vec3& phi, const Vec3& rho);
/// V(phi)^-1 p, for |phi| < 2 pi.
Vec3 find_screw_translation(const Vec3& phi, const Vec3& p);

}  // namespace camber::integrate::internal
