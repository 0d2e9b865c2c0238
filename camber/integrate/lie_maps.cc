// [Iserles et al. 2000] A. Iserles, H. Z. Munthe-Kaas, S. P. Norsett, A. Zanna, Lie-group methods,
// Acta Numerica 9, with quaternions in place of 3 x 3 matrices:
//   exp(phi / 2) = [cos(a/2), sin(a/2) phi / a],  a = |phi|                         (1)
//   V(phi) = 1 + (1 - cos a) / a^2 [phi] + (a - sin a) / a^3 [phi]^2                (2)
//   V(phi)^-1 = 1 - [phi] / 2 + (1 - (a/2) cot(a/2)) / a^2 [phi]^2                  (3)
// The quotients lose their digits for small angles: series take over below a = 0.2, where the first
// term left out is below the rounding.
#include "camber/integrate/lie_maps.h"

#include <cmath>

namespace camber::integrate::internal {
namespace {

constexpr double kSmall = 0.04;  // [rad^2]

/// sin(a/2) / a from a^2.
double half_sinc(double a2) {
  if (a2 < kSmall) {
    return 0.5 - a2 * (1. / 48 - a2 * (1. / 3840 - a2 * (1. / 645120 - a2 / 185794560)));
  }
  const double a = std::sqrt(a2);
  return std::sin(0.5 * a) / a;
}

/// cos(a/2) from a^2.
double half_cos(double a2) {
  if (a2 < kSmall) {
    return 1 - a2 * (1. / 8 - a2 * (1. / 384 - a2 * (1. / 46080 - a2 / 10321920)));
  }
  return std::cos(0.5 * std::sqrt(a2));
}

/// x + s (phi x x) + c (phi x (phi x x)).
Vec3 apply_quadratic(const Vec3& phi, const Vec3& x, double s, double c) {
  const Vec3 first = cross(phi, x);
  return x + first * s + cross(phi, first) * c;
}

}  // namespace

Quaternion turn(const Quaternion& q, const Vec3& phi) {
  const double a2 = dot(phi, phi);
  return normalize(multiply(q, {half_cos(a2), phi * half_sinc(a2)}));  // (1)
}

Vec3 find_turn(const Quaternion& q0, const Quaternion& q1) {
  const Quaternion between = multiply({q0.w, -q0.u}, q1);
  const double length = std::sqrt(dot(between.u, between.u));
  const double angle = 2 * std::atan2(length, std::abs(between.w));
  return between.u * std::copysign(length > 0 ? angle / length : 2., between.w);
}

Vec3 screw_translation(const Vec3& phi, const Vec3& rho) {
  const double a2 = dot(phi, phi), s = half_sinc(a2);
  double c = 0;
  if (a2 < kSmall) {
    c = 1. / 6 - a2 * (1. / 120 - a2 * (1. / 5040 - a2 * (1. / 362880 - a2 / 39916800)));
  } else {
    const double a = std::sqrt(a2);
    c = (a - std::sin(a)) / (a2 * a);
  }
  return apply_quadratic(phi, rho, 2 * s * s, c);  // (2), as 1 - cos a = 2 sin^2(a/2)
}

Vec3 find_screw_translation(const Vec3& phi, const Vec3& p) {
  const double a2 = dot(phi, phi);
  double c = 0;
  if (a2 < kSmall) {
    c = 1. / 12 + a2 * (1. / 720 + a2 * (1. / 30240 + a2 * (1. / 1209600 + a2 / 47900160)));
  } else {
    const double half = 0.5 * std::sqrt(a2);
    c = (1 - half / std::tan(half)) / a2;
  }
  return apply_quadratic(phi, p, -0.5, c);  // (3)
}

}  // namespace camber::integrate::internal
