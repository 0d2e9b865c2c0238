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

/// The series where a^2 is small, else the quotient, which is computed only if a number or a lane
/// needs it.
template <class T, class Quotient>
T choose(const T& a2, const T& series, const Quotient& quotient) {
  using math::select, math::all;
  const auto is_small = a2 < kSmall;
  if (all(is_small)) return series;
  return select(is_small, series, T(quotient()));
}

/// sin(a/2) / a from a^2.
template <class T>
T half_sinc(const T& a2) {
  const T series = 0.5 - a2 * (1. / 48 - a2 * (1. / 3840 - a2 * (1. / 645120 - a2 / 185794560)));
  return choose(a2, series, [&] {
    using std::sin, std::sqrt;
    const T a = sqrt(a2);
    return sin(0.5 * a) / a;
  });
}

/// cos(a/2) from a^2.
template <class T>
T half_cos(const T& a2) {
  const T series = 1 - a2 * (1. / 8 - a2 * (1. / 384 - a2 * (1. / 46080 - a2 / 10321920)));
  return choose(a2, series, [&] {
    using std::cos, std::sqrt;
    return cos(0.5 * sqrt(a2));
  });
}

/// x + s (phi x x) + c (phi x (phi x x)).
template <class T>
math::Vec3<T> apply_quadratic(const math::Vec3<T>& phi, const math::Vec3<T>& x, const T& s,
                              const T& c) {
  const math::Vec3<T> first = cross(phi, x);
  return x + first * s + cross(phi, first) * c;
}

}  // namespace

template <class T>
BasicQuaternion<T> turn(const BasicQuaternion<T>& q, const math::Vec3<T>& phi) {
  const T a2 = dot(phi, phi);
  return normalize(multiply(q, {half_cos(a2), phi * half_sinc(a2)}));  // (1)
}

Vec3 find_turn(const Quaternion& q0, const Quaternion& q1) {
  const Quaternion between = multiply({q0.w, -q0.u}, q1);
  const double length = std::sqrt(dot(between.u, between.u));
  const double angle = 2 * std::atan2(length, std::abs(between.w));
  return between.u * std::copysign(length > 0 ? angle / length : 2., between.w);
}

template <class T>
math::Vec3<T> screw_translation(const math::Vec3<T>& phi, const math::Vec3<T>& rho) {
  const T a2 = dot(phi, phi), s = half_sinc(a2);
  const T series = 1. / 6 - a2 * (1. / 120 - a2 * (1. / 5040 - a2 * (1. / 362880 - a2 / 39916800)));
  const T c = choose(a2, series, [&] {
    using std::sin, std::sqrt;
    const T a = sqrt(a2);
    return (a - sin(a)) / (a2 * a);
  });
  return apply_quadratic(phi, rho, T(2 * s * s), c);  // (2), as 1 - cos a = 2 sin^2(a/2)
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

#define CAMBER_INSTANTIATE(T)                                                        \
  template BasicQuaternion<T> turn(const BasicQuaternion<T>&, const math::Vec3<T>&); \
  template math::Vec3<T> screw_translation(const math::Vec3<T>&, const math::Vec3<T>&);
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(math::Lanes<4>)
CAMBER_INSTANTIATE(math::Lanes<8>)
#undef CAMBER_INSTANTIATE

}  // namespace camber::integrate::internal
