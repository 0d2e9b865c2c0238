// [Iserles et al. 2000] A. Iserles, H. Z. Munthe-Kaas, S. P. Norsett, A. Zanna, Lie-group methods,
// Acta Numerica 9, appendix B, with quaternions in place of 3 x 3 matrices:
//   exp(phi / 2) = [cos(a/2), sin(a/2) phi / a],  a = |phi|                         (1)
//   V(phi) = 1 + (1 - cos a) / a^2 [phi] + (a - sin a) / a^3 [phi]^2                (2)
//   V(phi)^-1 = 1 - [phi] / 2 + (1 - (a/2) cot(a/2)) / a^2 [phi]^2                  (3)
// The quotients lose their digits for small angles: series take over below a = 0.2, where the first
// term left out is below the rounding.
#include "camber/integrate/lie_maps.h"

#include <array>
#include <cmath>

namespace camber::integrate::internal {
namespace {

constexpr double kSmall = 0.04;  // [rad^2]

double dot(ConstTriple a, ConstTriple b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double square(ConstQuaternion q) { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]; }

/// sin(a/2) / a from a^2.
double half_sinc(double a2) {
  if (a2 < kSmall) {
    return 0.5 - a2 * (1. / 48 - a2 * (1. / 3840 - a2 * (1. / 645120 - a2 / 185794560)));
  }
  const double a = std::sqrt(a2);
  return std::sin(0.5 * a) / a;
}

/// x <- x + s (phi x x) + c (phi x (phi x x)).
void apply_quadratic(ConstTriple phi, ConstTriple x, double s, double c, Triple out) {
  std::array<double, 3> first, second;
  cross(phi, x, first);
  cross(phi, first, second);
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = x[i] + s * first[i] + c * second[i];
  }
}

}  // namespace

void cross(ConstTriple a, ConstTriple b, Triple c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

void rotate(ConstQuaternion q, ConstTriple a, Triple R_a) {
  const ConstTriple u = q.last<3>();
  const double n2 = square(q);
  const double along = 2 * dot(u, a) / n2, keep = (q[0] * q[0] - dot(u, u)) / n2;
  std::array<double, 3> u_a;
  cross(u, a, u_a);
  for (std::size_t i = 0; i < 3; ++i) {
    R_a[i] = keep * a[i] + along * u[i] + 2 * q[0] / n2 * u_a[i];
  }
}

void rotate_back(ConstQuaternion q, ConstTriple a, Triple R_T_a) {
  const std::array<double, 4> conjugate{q[0], -q[1], -q[2], -q[3]};
  rotate(conjugate, a, R_T_a);
}

void normalize(Quaternion q) {
  const double scale = 1 / std::sqrt(square(q));
  for (double& entry : q) {
    entry *= scale;
  }
}

void turn(ConstQuaternion q, ConstTriple phi, Quaternion out) {
  const double a2 = dot(phi, phi), s = half_sinc(a2);  // (1)
  const double w = std::cos(0.5 * std::sqrt(a2)), x = s * phi[0], y = s * phi[1], z = s * phi[2];
  const std::array<double, 4> p{q[0], q[1], q[2], q[3]};
  out[0] = p[0] * w - p[1] * x - p[2] * y - p[3] * z;
  out[1] = p[0] * x + p[1] * w + p[2] * z - p[3] * y;
  out[2] = p[0] * y - p[1] * z + p[2] * w + p[3] * x;
  out[3] = p[0] * z + p[1] * y - p[2] * x + p[3] * w;
  normalize(out);
}

void find_turn(ConstQuaternion q0, ConstQuaternion q1, Triple phi) {
  const auto [w, x, y, z] = std::array{q0[0], -q0[1], -q0[2], -q0[3]};
  const double real = w * q1[0] - x * q1[1] - y * q1[2] - z * q1[3];
  phi[0] = w * q1[1] + x * q1[0] + y * q1[3] - z * q1[2];
  phi[1] = w * q1[2] - x * q1[3] + y * q1[0] + z * q1[1];
  phi[2] = w * q1[3] + x * q1[2] - y * q1[1] + z * q1[0];
  const double length = std::sqrt(dot(phi, phi));
  const double angle = 2 * std::atan2(length, std::abs(real));
  const double scale = std::copysign(length > 0 ? angle / length : 2., real);
  for (double& entry : phi) {
    entry *= scale;
  }
}

void apply_V(ConstTriple phi, ConstTriple rho, Triple out) {
  const double a2 = dot(phi, phi), s = half_sinc(a2);
  double c;
  if (a2 < kSmall) {
    c = 1. / 6 - a2 * (1. / 120 - a2 * (1. / 5040 - a2 * (1. / 362880 - a2 / 39916800)));
  } else {
    const double a = std::sqrt(a2);
    c = (a - std::sin(a)) / (a2 * a);
  }
  apply_quadratic(phi, rho, 2 * s * s, c, out);  // (2), as 1 - cos a = 2 sin^2(a/2)
}

void apply_V_inverse(ConstTriple phi, ConstTriple p, Triple out) {
  const double a2 = dot(phi, phi);
  double c;
  if (a2 < kSmall) {
    c = 1. / 12 + a2 * (1. / 720 + a2 * (1. / 30240 + a2 * (1. / 1209600 + a2 / 47900160)));
  } else {
    const double half = 0.5 * std::sqrt(a2);
    c = (1 - half / std::tan(half)) / a2;
  }
  apply_quadratic(phi, p, -0.5, c, out);  // (3)
}

}  // namespace camber::integrate::internal
