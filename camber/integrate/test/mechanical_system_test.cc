#include "camber/integrate/mechanical_system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "camber/integrate/fixed_step.h"
#include "camber/integrate/integrator.h"
#include "camber/integrate/jacobian_check.h"
#include "camber/integrate/test/rigid_body.h"

namespace camber::integrate {
namespace {

std::array<double, 16> thrown_x() {
  std::array<double, 16> x;
  std::ranges::copy(thrown_q(), x.begin());
  std::ranges::copy(thrown_v(), x.begin() + 8);
  return x;
}

// Four numbers with a projection or with a stabilizing term, or the exponential map: one motion.
TEST(MechanicalSystem, AllMethodsMoveAThrownBodyAlike) {
  const auto system = make_thrown_body({});
  const double end = 3.1;
  FixedStepper stepper(system);
  auto q = thrown_q(), v = thrown_v();
  for (int i = 0; i < 6200; ++i) {
    ASSERT_TRUE(stepper.step(i * end / 6200, end / 6200, q, v).ok());
  }
  const std::array times{0.0, end};
  for (const auto& [method, norm, length_error] :
       {std::tuple{Method::kRungeKutta, QuaternionNorm::kProjected, 4e-16},
        {Method::kBdf, QuaternionNorm::kProjected, 4e-16},
        {Method::kRungeKutta, QuaternionNorm::kStabilized, 1e-8},
        {Method::kAdams, QuaternionNorm::kStabilized, 1e-8},
        {Method::kBdf, QuaternionNorm::kStabilized, 1e-8}}) {
    SCOPED_TRACE(testing::Message()
                 << "method " << static_cast<int>(method) << ", norm " << static_cast<int>(norm));
    const auto run =
        integrate(make_ode(system, norm), thrown_x(), times,
                  {.method = method, .relative_tolerance = 1e-10, .absolute_tolerance = 1e-10});
    ASSERT_TRUE(run.result.ok()) << run.result.text;
    EXPECT_NEAR(quaternion_length(run.x(1).subspan(1)), 1, length_error);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_NEAR(run.x(1)[i], q[i], 1e-7);
      EXPECT_NEAR(run.x(1)[8 + i], v[i], 1e-7);
    }
  }
}

// Without a projection, over 200 s and hundreds of revolutions.
TEST(MechanicalSystem, AdamsKeepsTheMomentumAndLengthOfALongSpin) {
  const SkewBody body;
  std::array<double, 7> x0{0.5, -0.5, 0.1, 0.7, 1.9, -0.8, 2.2};
  const auto momentum = [&](std::span<const double> x) {
    return matrix_of(x) * (body.inertia() * triple(x, 4));
  };
  const auto run = integrate(
      make_ode(make_free_top(body), QuaternionNorm::kStabilized), x0, make_times(0, 200, 50),
      {.method = Method::kAdams, .relative_tolerance = 1e-11, .absolute_tolerance = 1e-11});
  ASSERT_TRUE(run.result.ok()) << run.result.text;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    EXPECT_NEAR(quaternion_length(run.x(i)), 1, 1e-9);
    EXPECT_LT(norm(momentum(run.x(i)) - momentum(x0)), 1e-6 * norm(momentum(x0)));
  }
}

// A pose with gravity-like and gyroscopic terms, and the derivative by hand of R^T a as the
// polynomial that matrix_of() is: of the many that agree for unit quaternions.
MechanicalSystem make_differentiated_body() {
  const Vector3 a{1.3, -0.8, -9.1};
  const Matrix3 B{Vector3{0.3, -1.2, 0.7}, Vector3{0.9, 0.4, -0.6}, Vector3{-0.2, 1.1, 0.8}};
  MechanicalSystem system;
  system.nq = 8;
  system.nv = 7;
  system.blocks = {{CoordinateBlock::Kind::kPose, 0, 1}, {CoordinateBlock::Kind::kVector, 7, 0, 1}};
  system.accelerations = [=](double t, std::span<const double> q, std::span<const double> v,
                             std::span<double> v_dot) {
    const Vector3 w = triple(v, 1), u = triple(v, 4), g = transpose(matrix_of(q)) * a;
    const Vector3 w_dot = B * g - 0.4 * w, u_dot = g - cross(w, u) - 0.6 * triple(q, 4);
    v_dot[0] = std::sin(t) - 2.2 * q[7] - 0.3 * v[0];
    std::ranges::copy(w_dot, v_dot.begin() + 1);
    std::ranges::copy(u_dot, v_dot.begin() + 4);
    return true;
  };
  system.jacobian = [=](double, std::span<const double> q, std::span<const double> v,
                        std::span<double> J) {
    std::ranges::fill(J, 0.0);
    const auto put = [&](int row, int column, const Vector3& x) {
      for (int i = 0; i < 3; ++i) {
        J[column * 7 + row + i] += x[i];
      }
    };
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const std::array<Matrix3, 4> dR = {
        Matrix3{Vector3{0, -z, y}, Vector3{z, 0, -x}, Vector3{-y, x, 0}},
        Matrix3{Vector3{0, y, z}, Vector3{y, -2 * x, -w}, Vector3{z, w, -2 * x}},
        Matrix3{Vector3{-2 * y, x, w}, Vector3{x, 0, z}, Vector3{-w, z, -2 * y}},
        Matrix3{Vector3{-2 * z, -w, x}, Vector3{w, -2 * z, y}, Vector3{x, y, 0}}};
    for (int k = 0; k < 4; ++k) {
      const Vector3 dg = 2.0 * (transpose(dR[k]) * a);
      put(1, k, B * dg);
      put(4, k, dg);
    }
    for (int k = 0; k < 3; ++k) {
      Vector3 unit{};
      unit[k] = 1;
      put(4, 4 + k, -0.6 * unit);                           // p
      put(1, 8 + 1 + k, -0.4 * unit);                       // w
      put(4, 8 + 1 + k, -1.0 * cross(unit, triple(v, 4)));  // w
      put(4, 8 + 4 + k, -1.0 * cross(triple(v, 1), unit));  // u
    }
    J[49] = -2.2;  // row 0, q[7]
    J[56] = -0.3;  // row 0, v[0]
    return true;
  };
  return system;
}

TEST(MechanicalSystem, JacobianMatchesFiniteDifferencesAlsoOffTheUnitSphere) {
  const std::array<double, 15> x{0.6,  -0.4, 0.7, 0.3,  0.9, -1.3, 0.4, 0.2,
                                 -0.5, 1.4,  0.8, -2.1, 0.7, 1.6,  -0.9};
  ASSERT_GT(std::abs(quaternion_length(x) - 1), 0.04);
  for (const auto norm : {QuaternionNorm::kProjected, QuaternionNorm::kStabilized}) {
    std::string where;
    EXPECT_LT(check_jacobian(make_ode(make_differentiated_body(), norm), 0.3, x, &where), 1e-6)
        << where;
  }
}

TEST(MechanicalSystem, LengthOfAQuaternionHasNoInfluenceOnTheMotion) {
  const auto ode = make_ode(make_differentiated_body());
  std::array<double, 15> x{0.6,  -0.4, 0.7, 0.3,  0.9, -1.3, 0.4, 0.2,
                           -0.5, 1.4,  0.8, -2.1, 0.7, 1.6,  -0.9},
      unit_rate, rate;
  ASSERT_TRUE(ode.f(0.3, x, unit_rate));
  for (int k = 0; k < 4; ++k) {
    x[k] *= 1.7;
  }
  ASSERT_TRUE(ode.f(0.3, x, rate));
  for (int i = 0; i < 15; ++i) {
    EXPECT_NEAR(rate[i], (i < 4 ? 1.7 : 1.0) * unit_rate[i], 1e-14);
  }
}

// The system's own projection runs on normalized quaternions.
TEST(MechanicalSystem, ProjectsPositionsAndSpeeds) {
  auto system = make_thrown_body({});
  system.project = [](double, std::span<double> q, std::span<double> v) {
    q[0] = std::clamp(q[0], -0.2, 0.2);
    v[7] = std::max(v[7], 0.1);
    return std::abs(quaternion_length(q.subspan(1)) - 1) < 1e-15;
  };
  const auto ode = make_ode(system);
  auto x = thrown_x();
  x[2] += 0.1;
  x[15] = -0.3;
  ASSERT_TRUE(ode.project(0.0, x));
  EXPECT_NEAR(quaternion_length(std::span(x).subspan(1)), 1, 4e-16);
  EXPECT_EQ(x[0], 0.2);
  EXPECT_EQ(x[15], 0.1);
  EXPECT_EQ(ode.names[13], "vy");
  EXPECT_THROW(make_ode(system, QuaternionNorm::kStabilized), std::invalid_argument);
  EXPECT_THROW(Integrator(ode, {.method = Method::kAdams}), std::invalid_argument);
}

TEST(MechanicalSystem, RefusesWhatCannotWork) {
  auto system = make_thrown_body({});
  system.names.pop_back();
  EXPECT_THROW(make_ode(system), std::invalid_argument);
  system = make_thrown_body({});
  system.accelerations = {};
  EXPECT_THROW(make_ode(system), std::invalid_argument);
  system = make_free_top({});
  EXPECT_EQ(component_name(system, 3), "q[3]");
  EXPECT_EQ(component_name(system, 4), "v[0]");
}

}  // namespace
}  // namespace camber::integrate
