// Andrews' squeezing mechanism: seven bodies in a plane, driven by a torque to some 1100 rad/s
// at the end. [Hairer, Wanner 1996] section VII.7 has the equations; the reference solution at
// t = 0.03 s is that of the Test Set for IVP Solvers [Mazzia, Magherini 2008], problem ANDREWS.
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "camber/integrate/dae_integrator.h"

namespace camber::integrate {
namespace {

constexpr int kBodies = 7, kLoops = 6;
constexpr int kMotion = 2 * kBodies;  // angles and their speeds
constexpr int kSize = kMotion + 2 * kLoops;
using Coordinates7 = std::array<double, kBodies>;
using Loops6 = std::array<double, kLoops>;

// Lengths in m, masses in kg, moments of inertia in kg m^2, as the book names them.
constexpr double kD = 0.028, kDa = 0.0115, kE = 0.02, kEa = 0.01421, kRr = 0.007, kRa = 0.00092,
                 kSs = 0.035, kSa = 0.01874, kSb = 0.01043, kSc = 0.018, kSd = 0.02, kTa = 0.02308,
                 kTb = 0.00916, kU = 0.04, kUa = 0.01228, kUb = 0.00449, kZf = 0.02, kZt = 0.04,
                 kFa = 0.01421;
constexpr double kXa = -0.06934, kYa = -0.00227, kXb = -0.03635, kYb = 0.03273, kXc = 0.014,
                 kYc = 0.072;
constexpr Coordinates7 kM = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
constexpr Coordinates7 kI = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
constexpr double kTorque = 0.033, kStiffness = 4530, kRestLength = 0.07785;  // [N m], [N/m], [m]

// q = beta, theta, gamma, phi, delta, omega, epsilon: M a with the blocks of M.
Coordinates7 mass_times(const Coordinates7& q, const Coordinates7& a) {
  const double theta = q[1], phi = q[3], omega = q[5];
  const double e = kE - kEa, z = kZf - kFa;
  const double m11 = kM[0] * kRa * kRa +
                     kM[1] * (kRr * kRr - 2 * kDa * kRr * std::cos(theta) + kDa * kDa) + kI[0] +
                     kI[1];
  const double m12 = kM[1] * (kDa * kDa - kDa * kRr * std::cos(theta)) + kI[1];
  const double m22 = kM[1] * kDa * kDa + kI[1];
  const double m33 = kM[2] * (kSa * kSa + kSb * kSb) + kI[2];
  const double m44 = kM[3] * e * e + kI[3];
  const double m45 = kM[3] * (e * e + kZt * e * std::sin(phi)) + kI[3];
  const double m55 = kM[3] * (kZt * kZt + 2 * kZt * e * std::sin(phi) + e * e) +
                     kM[4] * (kTa * kTa + kTb * kTb) + kI[3] + kI[4];
  const double m66 = kM[5] * z * z + kI[5];
  const double m67 = kM[5] * (z * z - kU * z * std::sin(omega)) + kI[5];
  const double m77 = kM[5] * (z * z - 2 * kU * z * std::sin(omega) + kU * kU) +
                     kM[6] * (kUa * kUa + kUb * kUb) + kI[5] + kI[6];
  return {m11 * a[0] + m12 * a[1], m12 * a[0] + m22 * a[1], m33 * a[2],
          m44 * a[3] + m45 * a[4], m45 * a[3] + m55 * a[4], m66 * a[5] + m67 * a[6],
          m67 * a[5] + m77 * a[6]};
}

Coordinates7 forces(const Coordinates7& q, const Coordinates7& v) {
  const double xd = kSd * std::cos(q[2]) + kSc * std::sin(q[2]) + kXb;
  const double yd = kSd * std::sin(q[2]) - kSc * std::cos(q[2]) + kYb;
  const double length = std::hypot(xd - kXc, yd - kYc);
  const double pull = -kStiffness * (length - kRestLength) / length;
  const double fx = pull * (xd - kXc), fy = pull * (yd - kYc);
  const double d = kM[1] * kDa * kRr * std::sin(q[1]);
  const double e = kM[3] * kZt * (kE - kEa) * std::cos(q[3]);
  const double z = kM[5] * kU * (kZf - kFa) * std::cos(q[5]);
  return {kTorque - d * v[1] * (v[1] + 2 * v[0]),
          d * v[0] * v[0],
          fx * (kSc * std::cos(q[2]) - kSd * std::sin(q[2])) +
              fy * (kSd * std::cos(q[2]) + kSc * std::sin(q[2])),
          e * v[4] * v[4],
          -e * v[3] * (v[3] + 2 * v[4]),
          -z * v[6] * v[6],
          z * v[5] * (v[5] + 2 * v[6])};
}

struct LoopEquations {
  Loops6 g;
  std::array<Coordinates7, kLoops> G;
};
LoopEquations loops(const Coordinates7& q) {
  const double b = q[0], bt = q[0] + q[1], gamma = q[2], pd = q[3] + q[4], delta = q[4],
               oe = q[5] + q[6], epsilon = q[6];
  using std::cos, std::sin;
  const double x = kRr * cos(b) - kD * cos(bt), y = kRr * sin(b) - kD * sin(bt);
  const double xt = kD * sin(bt), yt = -kD * cos(bt);  // by theta
  const double xb = -kRr * sin(b) + xt, yb = kRr * cos(b) + yt;
  return {
      {x - kSs * sin(gamma) - kXb, y + kSs * cos(gamma) - kYb,
       x - kE * sin(pd) - kZt * cos(delta) - kXa, y + kE * cos(pd) - kZt * sin(delta) - kYa,
       x - kZf * cos(oe) - kU * sin(epsilon) - kXa, y - kZf * sin(oe) + kU * cos(epsilon) - kYa},
      {Coordinates7{xb, xt, -kSs * cos(gamma), 0, 0, 0, 0},
       Coordinates7{yb, yt, -kSs * sin(gamma), 0, 0, 0, 0},
       Coordinates7{xb, xt, 0, -kE * cos(pd), -kE * cos(pd) + kZt * sin(delta), 0, 0},
       Coordinates7{yb, yt, 0, -kE * sin(pd), -kE * sin(pd) - kZt * cos(delta), 0, 0},
       Coordinates7{xb, xt, 0, 0, 0, kZf * sin(oe), kZf * sin(oe) - kU * cos(epsilon)},
       Coordinates7{yb, yt, 0, 0, 0, -kZf * cos(oe), -kZf * cos(oe) - kU * sin(epsilon)}}};
}

// y = (q, v, lambda, mu): q' = v + G^T mu, M v' = f - G^T lambda, g = 0, G v = 0.
Dae make_squeezer() {
  Dae dae;
  dae.size = kSize;
  dae.kinds.assign(kSize, ComponentKind::kDifferential);
  std::fill(dae.kinds.begin() + kMotion, dae.kinds.end(), ComponentKind::kMultiplier);
  dae.F = [](double, std::span<const double> y, std::span<const double> y_dot,
             std::span<double> F) {
    Coordinates7 q, v, a;
    std::copy_n(y.begin(), kBodies, q.begin());
    std::copy_n(y.begin() + kBodies, kBodies, v.begin());
    std::copy_n(y_dot.begin() + kBodies, kBodies, a.begin());
    const auto M_a = mass_times(q, a), f = forces(q, v);
    const auto [g, G] = loops(q);
    const auto lambda = y.subspan(kMotion, kLoops), mu = y.last(kLoops);
    for (int i = 0; i < kBodies; ++i) {
      F[i] = y_dot[i] - v[i];
      F[kBodies + i] = M_a[i] - f[i];
      for (int k = 0; k < kLoops; ++k) {
        F[i] -= G[k][i] * mu[k];
        F[kBodies + i] += G[k][i] * lambda[k];
      }
    }
    for (int k = 0; k < kLoops; ++k) {
      F[kMotion + k] = g[k];
      F[kMotion + kLoops + k] = 0;
      for (int i = 0; i < kBodies; ++i) {
        F[kMotion + kLoops + k] += G[k][i] * v[i];
      }
    }
    return true;
  };
  return dae;
}

TEST(SevenBodyMechanism, ReachesThePublishedPositions) {
  std::array<double, kSize> y0{
      -0.0617138900142764496358948458001, 0,
      0.455279819163070380255912382449,   0.222668390165885884674473185609,
      0.487364979543842550225598953530,   -0.222668390165885884674473185609,
      1.23054744454982119249735015568};
  std::array<double, kSize> y_dot0{};
  y_dot0[kBodies] = 14222.4439199541138705911625887;
  y_dot0[kBodies + 1] = -10666.8329399655854029433719415;
  y0[kMotion] = 98.5668703962410896057654982170;
  y0[kMotion + 1] = -6.12268834425566265503114393122;
  DaeIntegrator integrator(make_squeezer(),
                           {.relative_tolerance = 1e-10, .absolute_tolerance = 1e-10});
  ASSERT_TRUE(integrator.start(0, y0, y_dot0).ok());
  const auto result = integrator.advance_to(0.03);
  ASSERT_TRUE(result.ok()) << result.text;
  const Coordinates7 expected = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                 -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                 1.048080741042263};
  for (int i = 0; i < kBodies; ++i) {
    EXPECT_NEAR(integrator.y()[i], expected[i], 1e-6);
  }
  Coordinates7 q;
  std::copy_n(integrator.y().begin(), kBodies, q.begin());
  for (const double g : loops(q).g) {
    EXPECT_NEAR(g, 0, 1e-10);  // [m]
  }
  EXPECT_LT(integrator.statistics().steps, 20'000);
}

}  // namespace
}  // namespace camber::integrate
