#pragma once

#include <array>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "camber/integrate/mechanical_system.h"

// Rigid bodies whose motion is known, written down without the code under test: rotations are
// matrices here.
namespace camber::integrate {

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<Vector3, 3>;  // rows

inline double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vector3 operator*(double s, const Vector3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return a + -1.0 * b; }
inline double norm(const Vector3& a) { return std::sqrt(dot(a, a)); }
inline Vector3 operator*(const Matrix3& A, const Vector3& x) {
  return {dot(A[0], x), dot(A[1], x), dot(A[2], x)};
}
inline Matrix3 transpose(const Matrix3& A) {
  Matrix3 T;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      T[i][j] = A[j][i];
    }
  }
  return T;
}
inline Matrix3 operator*(const Matrix3& A, const Matrix3& B) {
  const Matrix3 T = transpose(B);
  return {Vector3{dot(A[0], T[0]), dot(A[0], T[1]), dot(A[0], T[2])},
          Vector3{dot(A[1], T[0]), dot(A[1], T[1]), dot(A[1], T[2])},
          Vector3{dot(A[2], T[0]), dot(A[2], T[1]), dot(A[2], T[2])}};
}
inline Matrix3 inverse(const Matrix3& A) {
  const Vector3 a = cross(A[1], A[2]), b = cross(A[2], A[0]), c = cross(A[0], A[1]);
  const double d = dot(A[0], a);
  return transpose({1 / d * a, 1 / d * b, 1 / d * c});
}

inline Vector3 triple(std::span<const double> x, int start = 0) {
  return {x[start], x[start + 1], x[start + 2]};
}
/// The rotation matrix of a unit quaternion [w x y z], entry by entry.
inline Matrix3 matrix_of(std::span<const double> q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {Vector3{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
          Vector3{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
          Vector3{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}
/// A quaternion of a rotation by less than pi.
inline std::array<double, 4> quaternion_of(const Matrix3& R) {
  const double w = std::sqrt(1 + R[0][0] + R[1][1] + R[2][2]) / 2;
  return {w, (R[2][1] - R[1][2]) / (4 * w), (R[0][2] - R[2][0]) / (4 * w),
          (R[1][0] - R[0][1]) / (4 * w)};
}
inline double quaternion_length(std::span<const double> q) {
  return std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}
inline Matrix3 rotation_x(double a) {
  return {Vector3{1, 0, 0}, Vector3{0, std::cos(a), -std::sin(a)},
          Vector3{0, std::sin(a), std::cos(a)}};
}
inline Matrix3 rotation_z(double a) {
  return {Vector3{std::cos(a), -std::sin(a), 0}, Vector3{std::sin(a), std::cos(a), 0},
          Vector3{0, 0, 1}};
}

/// A body whose principal axes are those of nothing else.
struct SkewBody {
  double mass = 2.7;                                                    // [kg]
  Vector3 moments = {0.31, 0.52, 0.67};                                 // [kg m^2] principal
  Matrix3 R_BP = rotation_z(0.7) * rotation_x(-0.4) * rotation_z(1.9);  // principal axes
  Matrix3 inertia() const {
    const Matrix3 diagonal{Vector3{moments[0], 0, 0}, Vector3{0, moments[1], 0},
                           Vector3{0, 0, moments[2]}};
    return R_BP * diagonal * transpose(R_BP);
  }
};

/// Free rotation: q a quaternion, I w' = -w x I w.
inline MechanicalSystem make_free_top(const SkewBody& body) {
  const Matrix3 I = body.inertia(), I_inverse = inverse(I);
  MechanicalSystem system;
  system.nq = 4;
  system.nv = 3;
  system.blocks = {{CoordinateBlock::Kind::kQuaternion, 0, 0}};
  system.accelerations = [=](double, std::span<const double>, std::span<const double> v,
                             std::span<double> v_dot) {
    const Vector3 w = triple(v), alpha = I_inverse * cross(I * w, w);
    std::copy(alpha.begin(), alpha.end(), v_dot.begin());
    return true;
  };
  return system;
}

/// A thrown body on springs, a wind that depends on time, and a first-order state that the spin
/// drives: every kind of block, and terms in all of t, q and v. q = [slider; pose], v = [slider;
/// w; v; first-order].
inline MechanicalSystem make_thrown_body(const SkewBody& body) {
  const Matrix3 I = body.inertia(), I_inverse = inverse(I);
  MechanicalSystem system;
  system.nq = 8;
  system.nv = 8;
  system.blocks = {{CoordinateBlock::Kind::kVector, 0, 0, 1}, {CoordinateBlock::Kind::kPose, 1, 1}};
  system.accelerations = [=](double t, std::span<const double> q, std::span<const double> v,
                             std::span<double> v_dot) {
    const Matrix3 R_WB = matrix_of(q.subspan(1));
    const Vector3 p = triple(q, 5), w = triple(v, 1), u = triple(v, 4), hook{0.2, -0.3, 0.15};
    const Vector3 wind{1.1 * std::sin(1.7 * t), 0.4, -0.8 * std::cos(0.9 * t)};
    const Vector3 force_W =
        wind - 3.1 * (p + R_WB * hook) - (0.3 + 0.2 * q[0]) * (R_WB * u) + Vector3{0, 0, -2.2};
    const Vector3 force_B = transpose(R_WB) * force_W;
    const Vector3 alpha = I_inverse * (cross(hook, force_B) + cross(I * w, w) - v[7] * w);
    const Vector3 a = 1 / body.mass * force_B - cross(w, u);
    v_dot[0] = -4.3 * q[0] - 0.2 * v[0] + 0.7 * w[1];
    std::copy(alpha.begin(), alpha.end(), v_dot.begin() + 1);
    std::copy(a.begin(), a.end(), v_dot.begin() + 4);
    v_dot[7] = (0.1 * norm(w) - v[7]) / 0.3;
    return true;
  };
  system.names = {"slider",  "qw", "qx", "qy", "qz", "px", "py", "pz",
                  "slider'", "wx", "wy", "wz", "vx", "vy", "vz", "drag"};
  return system;
}
inline std::array<double, 8> thrown_q() {
  std::array<double, 8> q{0.3, 0.5, -0.3, 0.7, 0.2, 0.9, -1.4, 0.6};
  const double length = quaternion_length(std::span(q).subspan(1));
  for (int i = 1; i < 5; ++i) {
    q[i] /= length;
  }
  return q;
}
inline std::array<double, 8> thrown_v() { return {0.4, 1.9, -2.6, 1.2, 0.8, 1.3, -0.7, 0.2}; }

/// sn, cn, dn of u for the parameter m = k^2 by the arithmetic-geometric mean
/// [Abramowitz, Stegun 1964] 16.4.
struct JacobiElliptic {
  double sn, cn, dn;
};
inline JacobiElliptic jacobi_elliptic(double u, double m) {
  std::vector<double> a{1}, c{std::sqrt(m)};
  double b = std::sqrt(1 - m);
  for (int n = 0; n < 7; ++n) {  // converges quadratically
    const double mean = (a.back() + b) / 2;
    c.push_back((a.back() - b) / 2);
    b = std::sqrt(a.back() * b);
    a.push_back(mean);
  }
  double phi = std::ldexp(a.back() * u, static_cast<int>(a.size()) - 1);
  for (std::size_t n = a.size() - 1; n > 0; --n) {
    phi = (phi + std::asin(c[n] * std::sin(phi) / a[n])) / 2;
  }
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - m * sn * sn)};
}

/// [Landau, Lifshitz 1976] section 37, for moments I1 < I2 < I3 and L^2 > 2 E I2: the spin of a
/// free top in principal axes at time t, with w2 = 0 at t = 0.
struct EulerTop {
  Vector3 I;
  double L, E;           // [kg m^2/s], [J]
  double rate() const {  // [1/s] of the argument of the elliptic functions
    return std::sqrt((I[2] - I[1]) * (L * L - 2 * E * I[0]) / (I[0] * I[1] * I[2]));
  }
  double parameter() const {
    return (I[1] - I[0]) * (2 * E * I[2] - L * L) / ((I[2] - I[1]) * (L * L - 2 * E * I[0]));
  }
  Vector3 spin(double t) const {
    const auto [sn, cn, dn] = jacobi_elliptic(rate() * t, parameter());
    return {std::sqrt((2 * E * I[2] - L * L) / (I[0] * (I[2] - I[0]))) * cn,
            std::sqrt((2 * E * I[2] - L * L) / (I[1] * (I[2] - I[1]))) * sn,
            std::sqrt((L * L - 2 * E * I[0]) / (I[2] * (I[2] - I[0]))) * dn};
  }
};

}  // namespace camber::integrate
