#include "camber/integrate/fixed_step.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/test/allocation_count.h"
#include "camber/integrate/integrator.h"
#include "camber/integrate/step_watch.h"
#include "camber/integrate/test/rigid_body.h"

namespace camber::integrate {
namespace {

constexpr std::array kAll = {FixedStep::kSemiImplicitEuler, FixedStep::kMidpoint,
                             FixedStep::kRungeKutta4};
constexpr std::array kOrders = {1, 2, 4};

/// Steps from 0 to end; the tests' own states are [q; v].
template <std::size_t kNq, std::size_t kNv>
void run(FixedStepper* stepper, double end, int steps, std::array<double, kNq>* q,
         std::array<double, kNv>* v) {
  for (int i = 0; i < steps; ++i) {
    const auto result = stepper->step(end * i / steps, end / steps, *q, *v);
    ASSERT_TRUE(result.ok()) << result.text;
  }
}

// x' = x cos(w t): x = x0 exp(sin(w t) / w).
Ode make_modulated_growth(double w) {
  return {.size = 1, .f = [w](double t, std::span<const double> x, std::span<double> x_dot) {
            x_dot[0] = x[0] * std::cos(w * t);
            return true;
          }};
}

double error_of_growth(FixedStep method, int steps) {
  const double w = 0.9, x0 = 0.83, end = 2.3;
  FixedStepper stepper(make_modulated_growth(w), method);
  std::array<double, 1> x{x0};
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(stepper.step(i * end / steps, end / steps, x).ok());
  }
  return x[0] - x0 * std::exp(std::sin(w * end) / w);
}

TEST(FixedStep, ErrorOfAnOdeFallsWithTheOrderWhenStepHalves) {
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "order " << kOrders[i]);
    const double expected = std::exp2(kOrders[i]);
    const int steps = kOrders[i] == 4 ? 100 : 2000;
    EXPECT_NEAR(error_of_growth(kAll[i], steps) / error_of_growth(kAll[i], 2 * steps), expected,
                0.04 * expected);
  }
}

// The reference is the adaptive solution in R^16, which knows quaternions as four numbers only.
TEST(FixedStep, ErrorOfAThrownBodyFallsWithTheOrderWhenStepHalves) {
  const auto system = make_thrown_body({});
  const double end = 1.3;
  std::array<double, 16> x0;
  std::ranges::copy(thrown_q(), x0.begin());
  std::ranges::copy(thrown_v(), x0.begin() + 8);
  const std::array times{0.0, end};
  const auto reference = integrate(make_ode(system), x0, times,
                                   {.relative_tolerance = 1e-13, .absolute_tolerance = 1e-13});
  ASSERT_TRUE(reference.result.ok()) << reference.result.text;
  const auto error = [&](FixedStep method, int steps) {
    FixedStepper stepper(system, method);
    auto q = thrown_q(), v = thrown_v();
    run(&stepper, end, steps, &q, &v);
    double sum = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      sum += std::pow(q[i] - reference.x(1)[i], 2) + std::pow(v[i] - reference.x(1)[8 + i], 2);
    }
    return std::sqrt(sum);
  };
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "order " << kOrders[i]);
    const double expected = std::exp2(kOrders[i]);
    const int steps = i == 0 ? 4000 : 80;
    EXPECT_NEAR(error(kAll[i], steps) / error(kAll[i], 2 * steps), expected, 0.06 * expected);
  }
  EXPECT_LT(error(FixedStep::kRungeKutta4, 80), 1e-5);
}

/// A top that rotates mostly about its axis of largest moment, at attitude R_WB with L along z of
/// W.
struct TumblingTop {
  SkewBody body;
  EulerTop exact{body.moments, 2.9, 2.9 * 2.9 / 2 / 0.57};
  std::array<double, 3> spin(double t) const { return body.R_BP * exact.spin(t); }
  Vector3 momentum_B(double t) const { return body.inertia() * spin(t); }
  std::array<double, 4> start() const { return quaternion_of(attitude(0, 0)); }
  /// R_WB with L along (0.36, 0.48, 0.8) of W, turned about it by psi. In principal axes L has the
  /// direction n = I w / L; [Landau, Lifshitz 1976] section 37: with n = (sin th sin ps, sin th cos
  /// ps, cos th), R_LP = rot_z(phi) rot_x(th) rot_z(ps).
  Matrix3 attitude(double t, double phi) const {
    const Vector3 w = exact.spin(t);
    const Vector3 n{body.moments[0] * w[0] / exact.L, body.moments[1] * w[1] / exact.L,
                    body.moments[2] * w[2] / exact.L};
    const Matrix3 R_LP =
        rotation_z(phi) * rotation_x(std::acos(n[2])) * rotation_z(std::atan2(n[0], n[1]));
    return R_WL() * R_LP * transpose(body.R_BP);
  }
  static Matrix3 R_WL() { return rotation_z(0.6) * rotation_x(-1.1); }
  /// There, too: phi' = L (I1 w1^2 + I2 w2^2) / (I1^2 w1^2 + I2^2 w2^2), by Simpson's rule.
  double phi(double t) const {
    const int n = 4000;
    double sum = 0;
    for (int i = 0; i <= n; ++i) {
      const Vector3 w = exact.spin(t * i / n);
      const Vector3& I = body.moments;
      const double a = I[0] * w[0] * w[0], b = I[1] * w[1] * w[1];
      sum += (i == 0 || i == n ? 1
              : i % 2 == 1     ? 4
                               : 2) *
             exact.L * (a + b) / (I[0] * a + I[1] * b);
    }
    return sum * t / n / 3;
  }
};

TEST(FixedStep, FollowsTheEllipticFunctionsOfAFreeTop) {
  const TumblingTop top;
  ASSERT_GT(top.exact.parameter(), 0.1);
  ASSERT_LT(top.exact.parameter(), 0.9);
  const double end = 7.3;
  FixedStepper stepper(make_free_top(top.body));
  auto q = top.start();
  auto w = top.spin(0);
  run(&stepper, end, 7300, &q, &w);
  const auto w_end = top.spin(end);
  const Matrix3 R = matrix_of(q), R_end = top.attitude(end, top.phi(end));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(w[i], w_end[i], 1e-10);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(R[i][j], R_end[i][j], 1e-10);
    }
  }
}

// The motion of a free top of parameter m = 0.51 repeats after 4 K(0.51), with the K that
// [Krogh 1973] (Journal of the ACM 20) gives for his test problem of a rigid body.
TEST(FixedStep, ReproducesThePublishedPeriodOfAFreeTop) {
  SkewBody body;
  const Vector3& I = body.moments;
  // parameter() = 0.51 for L = 2.3, solved for 2 E: linear in it.
  const double momentum_squared = 2.3 * 2.3, k = 0.51 * (I[2] - I[1]) / (I[1] - I[0]);
  const EulerTop exact{I, 2.3, (k + 1) * momentum_squared / (I[2] + k * I[0]) / 2};
  ASSERT_NEAR(exact.parameter(), 0.51, 1e-14);
  const double quarter = 1.862640802332738552 / exact.rate();
  FixedStepper stepper(make_free_top(body));
  const Vector3 start = body.R_BP * exact.spin(0);
  Vector3 w = start;
  std::array<double, 4> q{0.5, 0.1, -0.7, std::sqrt(0.25)};
  run(&stepper, quarter, 2000, &q, &w);
  EXPECT_NEAR((transpose(body.R_BP) * w)[0], 0, 1e-11);  // cn(K) = 0
  for (int i = 1; i < 4; ++i) {
    run(&stepper, quarter, 2000, &q, &w);
  }
  EXPECT_LT(norm(w - start), 1e-10);
}

TEST(FixedStep, KeepsTheAngularMomentumOfAFreeTop) {
  const TumblingTop top;
  const auto drift = [&](FixedStep method, int steps) {
    FixedStepper stepper(make_free_top(top.body), method);
    auto q = top.start();
    auto w = top.spin(0);
    const Vector3 first = matrix_of(q) * top.momentum_B(0);
    run(&stepper, 4.1, steps, &q, &w);
    return norm(matrix_of(q) * (top.body.inertia() * w) - first) / norm(first);
  };
  EXPECT_LT(drift(FixedStep::kRungeKutta4, 1000), 1e-9);
  EXPECT_NEAR(drift(FixedStep::kRungeKutta4, 500) / drift(FixedStep::kRungeKutta4, 1000), 16, 3);
  EXPECT_LT(drift(FixedStep::kMidpoint, 4000), 1e-5);
  EXPECT_LT(drift(FixedStep::kSemiImplicitEuler, 4000), 2e-2);
}

TEST(FixedStep, KeepsQuaternionsUnitToRounding) {
  for (const FixedStep method : kAll) {
    FixedStepper stepper(make_free_top({}), method);
    std::array<double, 4> q{0.5, -0.5, 0.7, 0.1};
    Vector3 w{1.9, -3.1, 0.7};
    for (int i = 0; i < 100'000; ++i) {
      ASSERT_TRUE(stepper.step(i * 3e-4, 3e-4, q, w).ok());
      ASSERT_NEAR(quaternion_length(q), 1, 4e-16) << "step " << i;
    }
  }
}

// Steady precession at inclination th: C w3 p - A p^2 cos th = m g l, A about the point of support
// ([Goldstein, Poole, Safko 2002] section 5.7). The fast root shows the inertia of the top, the
// slow one its weight.
TEST(FixedStep, PrecessesAHeavyTopAtBothSteadyRates) {
  const double A = 0.27, C = 0.11, mgl = 5.4, inclination = 0.8, w3 = 42.0;
  MechanicalSystem system;
  system.nq = 4;
  system.nv = 3;
  system.blocks = {{CoordinateBlock::Kind::kQuaternion, 0, 0}};
  system.accelerations = [=](double, std::span<const double> q, std::span<const double> w,
                             std::span<double> w_dot) {
    const Matrix3 R = matrix_of(q);
    const Vector3 torque = mgl * cross({0, 0, 1}, -1.0 * R[2]);
    w_dot[0] = (torque[0] + (A - C) * w[1] * w[2]) / A;
    w_dot[1] = (torque[1] - (A - C) * w[0] * w[2]) / A;
    w_dot[2] = 0;
    return true;
  };
  const double cosine = std::cos(inclination),
               root = std::sqrt(C * C * w3 * w3 - 4 * A * mgl * cosine);
  for (const double p : {(C * w3 - root) / (2 * A * cosine), (C * w3 + root) / (2 * A * cosine)}) {
    SCOPED_TRACE(testing::Message() << "precession " << p << " rad/s");
    const double azimuth = 0.3, spin_angle = -1.2;
    auto q = quaternion_of(rotation_z(azimuth) * rotation_x(inclination) * rotation_z(spin_angle));
    // p about z of W, in body axes, and what is missing to w3 about the axis.
    const Vector3 z_B = matrix_of(q)[2];
    Vector3 w = p * z_B;
    w[2] = w3;
    FixedStepper stepper(system);
    const double end = 2.6;
    run(&stepper, end, 20'000, &q, &w);
    const Matrix3 R = matrix_of(q);
    const double heading = azimuth + p * end;
    EXPECT_NEAR(R[2][2], cosine, 1e-9);
    EXPECT_NEAR(R[0][2], std::sin(inclination) * std::sin(heading), 1e-9);
    EXPECT_NEAR(R[1][2], -std::sin(inclination) * std::cos(heading), 1e-9);
  }
}

// For x'' = -a^2 x, semi-implicit Euler keeps v^2 + a^2 x^2 - h a^2 x v exactly, whatever the
// length of the run ([Hairer, Lubich, Wanner 2006] section IX.3); the midpoint rule gains
// energy by 1 + (a h)^4 / 4 in each step.
MechanicalSystem make_oscillator(double a) {
  MechanicalSystem system;
  system.nq = system.nv = 1;
  system.blocks = {{CoordinateBlock::Kind::kVector, 0, 0, 1}};
  system.accelerations = [a](double, std::span<const double> q, std::span<const double>,
                             std::span<double> v_dot) {
    v_dot[0] = -a * a * q[0];
    return true;
  };
  return system;
}

TEST(FixedStep, EnergyOfAnOscillatorIsWhatTheMethodsMakeOfIt) {
  const double a = 2.3, h = 0.05;
  const int steps = 100'000;
  std::array<double, 1> q{0.7}, v{-0.4};
  const double kept = v[0] * v[0] + a * a * q[0] * (q[0] - h * v[0]);
  FixedStepper euler(make_oscillator(a), FixedStep::kSemiImplicitEuler);
  run(&euler, h * steps, steps, &q, &v);
  EXPECT_NEAR(v[0] * v[0] + a * a * q[0] * (q[0] - h * v[0]), kept, 1e-10);

  q = {0.7}, v = {-0.4};
  const double energy = v[0] * v[0] + a * a * q[0] * q[0];
  FixedStepper midpoint(make_oscillator(a), FixedStep::kMidpoint);
  run(&midpoint, h * 1000, 1000, &q, &v);
  EXPECT_NEAR((v[0] * v[0] + a * a * q[0] * q[0]) / energy,
              std::pow(1 + std::pow(a * h, 4) / 4, 1000), 1e-9);
}

TEST(FixedStep, InterpolatesWithOrderFour) {
  const auto system = make_thrown_body({});
  // Errors within one step from the exact state: the step's own is of order 5, that of the
  // cubic of order 4.
  const auto error = [&](double h) {
    FixedStepper coarse(system), fine(system);
    auto q = thrown_q(), v = thrown_v();
    EXPECT_TRUE(coarse.step(0, h, q, v).ok());
    std::array<double, 8> q_end, v_end;
    EXPECT_TRUE(coarse.interpolate(h, q_end, v_end));
    double worst = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_NEAR(q_end[i], q[i], 1e-14);
      EXPECT_NEAR(v_end[i], v[i], 1e-14);
    }
    for (const double part : {0.21, 0.5, 0.83}) {
      auto q_exact = thrown_q(), v_exact = thrown_v();
      run(&fine, part * h, 200, &q_exact, &v_exact);
      EXPECT_TRUE(coarse.interpolate(part * h, q, v));
      EXPECT_NEAR(quaternion_length(std::span(q).subspan(1)), 1, 4e-16);
      for (std::size_t i = 0; i < 8; ++i) {
        worst = std::max({worst, std::abs(q[i] - q_exact[i]), std::abs(v[i] - v_exact[i])});
      }
    }
    return worst;
  };
  EXPECT_NEAR(error(0.02) / error(0.01), 16, 2);
  EXPECT_LT(error(0.01), 1e-6);
}

TEST(FixedStep, InterpolationRefusesOtherTimes) {
  FixedStepper stepper(make_oscillator(1.4));
  std::array<double, 1> q{0.7}, v{-0.4};
  EXPECT_THROW(stepper.interpolate(0.1, q, v), std::invalid_argument);
  ASSERT_TRUE(stepper.step(0.3, 0.2, q, v).ok());
  EXPECT_THROW(stepper.interpolate(0.29, q, v), std::invalid_argument);
  EXPECT_THROW(stepper.interpolate(0.51, q, v), std::invalid_argument);
  EXPECT_TRUE(stepper.interpolate(0.41, q, v));
}

/// The oscillator x'' = -w^2 x under rk4: the error of its speed at the end over its largest speed,
/// and what the watch makes of it.
struct WatchedError {
  double true_error = 0;
  StepWatch::Finding finding;
  bool is_doubtful = false;
};
WatchedError watch_oscillator(double w, int steps) {
  const double end = 2.3, x0 = 0.4;
  StepWatch watch(FixedStep::kRungeKutta4, 1);
  FixedStepper stepper({.nq = 1,
                        .nv = 1,
                        .blocks = {{}},
                        .accelerations = [&](double, std::span<const double> q,
                                             std::span<const double>, std::span<double> v_dot) {
                          v_dot[0] = -w * w * q[0];
                          watch.take(v_dot);
                          return true;
                        }});
  std::array<double, 1> q{x0}, v{0};
  double error = 0;
  for (int i = 0; i < steps; ++i) {
    watch.begin(end / steps);
    EXPECT_TRUE(stepper.step(end * i / steps, end / steps, q, v).ok());
    watch.end(v);
    error = std::max(error, std::abs(v[0] + x0 * w * std::sin(w * end * (i + 1) / steps)));
  }
  return {error / (x0 * w), watch.finding(), watch.is_doubtful()};
}

// The sum of estimated errors bounds the true one, within an order of magnitude, and falls as fast:
// with the fourth power of the step.
TEST(StepWatch, EstimatesTheErrorOfAnOscillation) {
  double before = 0;
  for (const int steps : {400, 800, 1600}) {
    const WatchedError e = watch_oscillator(31.0, steps);
    EXPECT_GT(e.finding.error, 0.5 * e.true_error) << steps;
    EXPECT_LT(e.finding.error, 20 * e.true_error) << steps;
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / e.finding.error), 4, 0.4);
    }
    before = e.finding.error;
  }
  EXPECT_TRUE(watch_oscillator(31.0, 100).is_doubtful);
  EXPECT_FALSE(watch_oscillator(31.0, 1600).is_doubtful);
}

TEST(FixedStep, AllocatesNothingInAStep) {
  auto system = make_thrown_body({});
  system.project = [](double, std::span<double>, std::span<double>) { return true; };
  for (const FixedStep method : kAll) {
    FixedStepper stepper(system, method);
    auto q = thrown_q(), v = thrown_v();
    std::array<double, 8> q_mid, v_mid;
    const long before = allocation_count();
    bool ok = true;
    for (int i = 0; i < 100; ++i) {
      ok = ok && stepper.step(i * 0.01, 0.01, q, v).ok() &&
           stepper.interpolate(i * 0.01 + 0.004, q_mid, v_mid);
    }
    EXPECT_EQ(allocation_count(), before);
    EXPECT_TRUE(ok);
  }
}

TEST(FixedStep, ProjectsBehindEachStep) {
  // A rotation, whose radius the method alone would lose.
  Ode ode{.size = 2, .f = [](double, std::span<const double> x, std::span<double> x_dot) {
            x_dot[0] = -1.3 * x[1];
            x_dot[1] = 1.3 * x[0];
            return true;
          }};
  FixedStepper plain(ode);
  ode.project = [](double, std::span<double> x) {
    const double scale = 0.7 / std::hypot(x[0], x[1]);
    x[0] *= scale;
    x[1] *= scale;
    return true;
  };
  FixedStepper projected(ode);
  std::array<double, 2> a{0.7, 0}, b{0.7, 0}, middle;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(plain.step(i * 0.2, 0.2, a).ok());
    ASSERT_TRUE(projected.step(i * 0.2, 0.2, b).ok());
    ASSERT_TRUE(projected.interpolate((i + 0.3) * 0.2, middle));
    EXPECT_NEAR(std::hypot(middle[0], middle[1]), 0.7, 1e-15);
  }
  EXPECT_GT(std::abs(std::hypot(a[0], a[1]) - 0.7), 1e-4);
  EXPECT_NEAR(std::hypot(b[0], b[1]), 0.7, 1e-15);
}

TEST(FixedStep, LeavesTheStateWhereTheDerivativeHasNoValue) {
  FixedStepper stepper({.size = 1,
                        .f =
                            [](double, std::span<const double> x, std::span<double> x_dot) {
                              x_dot[0] = -2.0;
                              return x[0] > 0;
                            },
                        .why = [] { return std::string("the tank is empty"); }});
  std::array<double, 1> x{0.5};
  EXPECT_TRUE(stepper.step(0.3, 0.1, x).ok());
  EXPECT_NEAR(x[0], 0.3, 1e-15);
  const auto result = stepper.step(0.5, 0.5, x);
  EXPECT_EQ(result.status, Status::kNoValue);
  EXPECT_EQ(result.time, 0.5);
  EXPECT_EQ(result.text, "the derivatives have no value at t = 0.75 s: the tank is empty");
  EXPECT_NEAR(x[0], 0.3, 1e-15);
  EXPECT_THROW(stepper.interpolate(0.35, x), std::invalid_argument);
}

TEST(FixedStep, NamesTheComponentThatIsNotFinite) {
  auto system = make_thrown_body({});
  system.accelerations = [inner = system.accelerations](double t, std::span<const double> q,
                                                        std::span<const double> v,
                                                        std::span<double> v_dot) {
    const bool ok = inner(t, q, v, v_dot);
    v_dot[5] = t > 0.75 ? NAN : v_dot[5];
    return ok;
  };
  for (const FixedStep method : kAll) {
    FixedStepper stepper(system, method);
    auto q = thrown_q(), v = thrown_v(), q_good = q, v_good = v;
    StepResult result;
    int steps = 0;
    for (; result.ok() && steps < 100; ++steps) {
      q_good = q;
      v_good = v;
      result = stepper.step(0.1 * steps, 0.1, q, v);
    }
    EXPECT_EQ(result.status, Status::kNoValue);
    EXPECT_NEAR(result.time, method == FixedStep::kSemiImplicitEuler ? 0.8 : 0.7, 1e-12);
    EXPECT_EQ(result.component, 8 + 5);
    EXPECT_NE(result.text.find("; vy is not finite"), std::string::npos) << result.text;
    EXPECT_EQ(q, q_good);
    EXPECT_EQ(v, v_good);
  }
}

TEST(FixedStep, ReportsAStateThatOverflowsAndAProjectionThatFails) {
  auto system = make_oscillator(1.1);
  system.accelerations = [](double, std::span<const double>, std::span<const double>,
                            std::span<double> v_dot) {
    v_dot[0] = 1e308;
    return true;
  };
  FixedStepper overflowing(system, FixedStep::kSemiImplicitEuler);
  std::array<double, 1> q{0.2}, v{1.7e308};
  auto result = overflowing.step(1.5, 1, q, v);
  EXPECT_EQ(result.status, Status::kNoValue);
  EXPECT_EQ(result.component, 0);
  EXPECT_EQ(q[0], 0.2);

  system = make_oscillator(1.1);
  system.project = [](double t, std::span<double>, std::span<double>) { return t < 0.5; };
  system.why = [] { return std::string("the linkage comes apart"); };
  FixedStepper projected(system);
  v = {0.3};
  EXPECT_TRUE(projected.step(0.1, 0.3, q, v).ok());
  result = projected.step(0.4, 0.3, q, v);
  EXPECT_EQ(result.status, Status::kProjectionFailed);
  EXPECT_EQ(result.time, 0.4);
  EXPECT_NE(result.text.find("the linkage comes apart"), std::string::npos) << result.text;
}

// A step that is made again with another length is what it were if it had been asked for at first, and the
// rates at its start are not evaluated again.
TEST(FixedStep, MakesAStepAgainWithAnotherLength) {
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "order " << kOrders[i]);
    FixedStepper tried(make_modulated_growth(1.7), kAll[i]),
        plain(make_modulated_growth(1.7), kAll[i]);
    std::array<double, 1> x{0.83}, y = x;
    ASSERT_TRUE(tried.step(0.4, 0.3, x).ok());
    const long before = tried.statistics().evaluations;
    const StepResult again = tried.step_again(0.11, {}, x);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.time, 0.4 + 0.11);
    ASSERT_TRUE(plain.step(0.4, 0.11, y).ok());
    EXPECT_EQ(x[0], y[0]);
    EXPECT_EQ(tried.statistics().evaluations - before, plain.statistics().evaluations - 1);
    EXPECT_EQ(tried.statistics().steps, 1);
    EXPECT_EQ(tried.statistics().rejected, 1);
  }
}

// By hand: x' = -k x from 1 by the midpoint rule. The mean rate is -k (1 - h k / 2), so that the step bends
// by (h k)^2 / 2. Euler's step has one rate and no bend.
TEST(FixedStep, KnowsHowFarAStepBends) {
  const double k = 37, h = 0.02, bend = 0.5 * (h * k) * (h * k);
  const Ode decay{.size = 1, .f = [k](double, std::span<const double> x, std::span<double> x_dot) {
                    x_dot[0] = -k * x[0];
                    return true;
                  }};
  for (const FixedStep method : {FixedStep::kMidpoint, FixedStep::kSemiImplicitEuler}) {
    FixedStepper stepper(decay, method);
    std::array<double, 1> x{1};
    const std::array<double, 1> below{0.999 * bend}, above{1.001 * bend};
    EXPECT_FALSE(stepper.bends_beyond(below)) << "before any step";
    ASSERT_TRUE(stepper.step(0, h, x).ok());
    EXPECT_EQ(stepper.bends_beyond(below), method == FixedStep::kMidpoint);
    EXPECT_FALSE(stepper.bends_beyond(above));
  }
}

TEST(FixedStep, RefusesWhatCannotWork) {
  FixedStepper stepper(make_modulated_growth(1.2));
  std::array<double, 2> x{0.1, 0.2};
  EXPECT_THROW(stepper.step(0.0, 0.1, x), std::invalid_argument);
  EXPECT_THROW(stepper.step(0.0, 0.0, std::span(x).first(1)), std::invalid_argument);
  EXPECT_THROW(FixedStepper(Ode{.size = 3, .f = {}}), std::invalid_argument);
  auto system = make_thrown_body({});
  system.blocks[1].q_start = 0;
  try {
    FixedStepper broken(system);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "Coordinates: q[0] is in two blocks");
  }
  system.blocks.pop_back();
  EXPECT_THROW(FixedStepper{system}, std::invalid_argument);
}

}  // namespace
}  // namespace camber::integrate
