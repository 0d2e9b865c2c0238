#include "camber/integrate/dae_integrator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "camber/integrate/integrator.h"
#include "camber/integrate/jacobian_check.h"

namespace camber::integrate {
namespace {

using enum ComponentKind;

// [Robertson 1966] with the third rate replaced by what is conserved: index 1.
Dae make_robertson() {
  Dae dae;
  dae.size = 3;
  dae.F = [](double, std::span<const double> y, std::span<const double> y_dot,
             std::span<double> F) {
    const double forward = 0.04 * y[0] - 1e4 * y[1] * y[2];
    F[0] = y_dot[0] + forward;
    F[1] = y_dot[1] - forward + 3e7 * y[1] * y[1];
    F[2] = y[0] + y[1] + y[2] - 1;
    return true;
  };
  dae.jacobian = [](double, std::span<const double> y, std::span<const double>, double c,
                    std::span<double> J) {
    const std::array<double, 9> columns = {0.04 + c,
                                           -0.04,
                                           1,  //
                                           -1e4 * y[2],
                                           c + 1e4 * y[2] + 6e7 * y[1],
                                           1,  //
                                           -1e4 * y[1],
                                           1e4 * y[1],
                                           1};
    std::ranges::copy(columns, J.begin());
    return true;
  };
  dae.kinds = {kDifferential, kDifferential, kAlgebraic};
  return dae;
}

// t = 40 as in [Hairer, Wanner 1996] section IV.1; t = 1e11 after the Test Set for IVP Solvers
// [Mazzia, Magherini 2008], problem ROBER.
TEST(DaeIntegrator, ReproducesThePublishedValuesOfRobertson) {
  DaeIntegrator integrator(
      make_robertson(), {.relative_tolerance = 1e-8, .absolute_tolerances = {1e-10, 1e-14, 1e-10}});
  const std::array<double, 3> y0{1, 0, 0}, y_dot0{-0.04, 0.04, 0};
  ASSERT_TRUE(integrator.start(0, y0, y_dot0).ok());
  ASSERT_TRUE(integrator.advance_to(40).ok());
  EXPECT_NEAR(integrator.y()[0], 0.7158270688, 1e-7);
  EXPECT_NEAR(integrator.y()[1], 9.185534765e-6, 1e-12);
  EXPECT_GT(integrator.statistics().jacobians, 5);
  EXPECT_LT(integrator.statistics().steps, 600);

  DaeIntegrator long_run(
      make_robertson(), {.relative_tolerance = 1e-8, .absolute_tolerances = {1e-16, 1e-22, 1e-10}});
  ASSERT_TRUE(long_run.start(0, y0, y_dot0).ok());
  const auto result = long_run.advance_to(1e11);
  ASSERT_TRUE(result.ok()) << result.text;
  EXPECT_NEAR(long_run.y()[0], 0.2083340149701255e-07, 1e-13);
  EXPECT_NEAR(long_run.y()[1], 0.8333360770334713e-13, 1e-18);
  EXPECT_NEAR(long_run.y()[2], 0.9999999791665050, 1e-13);
}

// As in the example idaRoberts_dns of SUNDIALS, with tolerances a thousand times tighter.
TEST(DaeIntegrator, StopsAtEvents) {
  auto dae = make_robertson();
  dae.events = {{.name = "y3 reaches 0.01",
                 .g = [](double, std::span<const double> y) { return y[2] - 0.01; }}};
  DaeIntegrator integrator(dae, {.absolute_tolerances = {1e-10, 1e-14, 1e-10}});
  const std::array<double, 3> y0{1, 0, 0}, y_dot0{-0.04, 0.04, 0};
  ASSERT_TRUE(integrator.start(0, y0, y_dot0).ok());
  const auto result = integrator.advance_to(4);
  ASSERT_EQ(result.status, Status::kEvent) << result.text;
  EXPECT_EQ(result.event, 0);
  EXPECT_NEAR(result.time, 0.2640, 2e-4);
  EXPECT_NEAR(integrator.y()[0], 0.98997, 1e-5);
  EXPECT_NEAR(integrator.y()[1], 3.4706e-5, 1e-9);
  EXPECT_NEAR(integrator.y()[2], 0.01, 1e-10);
  ASSERT_TRUE(integrator.advance_to(4).ok());
  EXPECT_NEAR(integrator.y()[0], 0.90553, 2e-5);
}

TEST(DaeIntegrator, FindsConsistentValues) {
  DaeIntegrator integrator(make_robertson());
  const std::array<double, 3> y0{0.7, 2e-5, 0.9}, nothing{0, 0, 0};
  const auto result = integrator.start(2.5, y0, nothing, InitialValues::kDifferential);
  ASSERT_TRUE(result.ok()) << result.text;
  const auto y = integrator.y(), y_dot = integrator.y_dot();
  EXPECT_EQ(y[0], 0.7);
  EXPECT_EQ(y[1], 2e-5);
  EXPECT_NEAR(y[2], 1 - 0.7 - 2e-5, 1e-12);
  const double forward = 0.04 * 0.7 - 1e4 * 2e-5 * y[2];
  EXPECT_NEAR(y_dot[0], -forward, 1e-8);
  EXPECT_NEAR(y_dot[1], forward - 3e7 * 4e-10, 1e-8);
  EXPECT_TRUE(integrator.advance_to(3).ok());
}

TEST(DaeIntegrator, FindsTheStateOfARestingSystem) {
  Dae dae;  // y0^3 + y0 = 2.3 at rest, y1 = sin y0
  dae.size = 2;
  dae.F = [](double, std::span<const double> y, std::span<const double> y_dot,
             std::span<double> F) {
    F[0] = y_dot[0] + y[0] * y[0] * y[0] + y[0] - 2.3;
    F[1] = y[1] - std::sin(y[0]);
    return true;
  };
  dae.kinds = {kDifferential, kAlgebraic};
  DaeIntegrator integrator(dae);
  const std::array<double, 2> y0{0.8, 0.1}, rest{0, 0};
  const auto result = integrator.start(0, y0, rest, InitialValues::kDerivatives);
  ASSERT_TRUE(result.ok()) << result.text;
  const double y = integrator.y()[0];
  EXPECT_NEAR(y * y * y + y, 2.3, 1e-9);
  EXPECT_NEAR(integrator.y()[1], std::sin(y), 1e-9);
}

TEST(DaeIntegrator, NamesTheEquationThatHasNoConsistentValue) {
  Dae dae;
  dae.size = 2;
  dae.F = [](double, std::span<const double> y, std::span<const double> y_dot,
             std::span<double> F) {
    F[0] = y_dot[0] + 0.7 * y[1];
    F[1] = y[1] * y[1] + y[0] + 0.3;  // none for y[0] > -0.3
    return true;
  };
  dae.kinds = {kDifferential, kAlgebraic};
  dae.names = {"level", "flow"};
  DaeIntegrator integrator(dae);
  const std::array<double, 2> y0{0.9, 0.4}, nothing{0, 0};
  const auto result = integrator.start(1.5, y0, nothing, InitialValues::kDifferential);
  EXPECT_EQ(result.status, Status::kNoConvergence) << result.text;
  EXPECT_EQ(result.time, 1.5);
  EXPECT_EQ(result.component, 1);
  EXPECT_NE(result.text.find("flow"), std::string::npos) << result.text;
  EXPECT_THROW(integrator.advance_to(2), std::invalid_argument);
}

// A pendulum of mass m in x and z, [Gear, Gupta, Leimkuhler 1985]: with g = (x^2 + z^2 - l^2) / 2,
//   p' = v + p mu,  m v' = m (0, -g) + p lambda,  g = 0,  p v = 0.
constexpr double kMass = 1.7, kLength = 0.9, kGravity = 9.81;
enum { kX, kZ, kVx, kVz, kLambda, kMu };

Dae make_pendulum() {
  Dae dae;
  dae.size = 6;
  dae.names = {"x", "z", "vx", "vz", "lambda", "mu"};
  dae.kinds = {kDifferential, kDifferential, kDifferential,
               kDifferential, kMultiplier,   kMultiplier};
  dae.F = [](double, std::span<const double> y, std::span<const double> y_dot,
             std::span<double> F) {
    F[0] = y_dot[kX] - y[kVx] - y[kX] * y[kMu];
    F[1] = y_dot[kZ] - y[kVz] - y[kZ] * y[kMu];
    F[2] = kMass * y_dot[kVx] - y[kX] * y[kLambda];
    F[3] = kMass * (y_dot[kVz] + kGravity) - y[kZ] * y[kLambda];
    F[4] = (y[kX] * y[kX] + y[kZ] * y[kZ] - kLength * kLength) / 2;
    F[5] = y[kX] * y[kVx] + y[kZ] * y[kVz];
    return true;
  };
  dae.jacobian = [](double, std::span<const double> y, std::span<const double>, double c,
                    std::span<double> J) {
    const auto at = [&](int row, int column) -> double& { return J[column * 6 + row]; };
    std::ranges::fill(J, 0.0);
    at(0, kX) = at(1, kZ) = c - y[kMu];
    at(0, kVx) = at(1, kVz) = -1;
    at(0, kMu) = -y[kX];
    at(1, kMu) = -y[kZ];
    at(2, kX) = at(3, kZ) = -y[kLambda];
    at(2, kVx) = at(3, kVz) = kMass * c;
    at(2, kLambda) = -y[kX];
    at(3, kLambda) = -y[kZ];
    at(4, kX) = y[kX];
    at(4, kZ) = y[kZ];
    at(5, kX) = y[kVx];
    at(5, kZ) = y[kVz];
    at(5, kVx) = y[kX];
    at(5, kVz) = y[kZ];
    return true;
  };
  return dae;
}

struct PendulumStart {
  std::array<double, 6> y, y_dot;
};
PendulumStart pendulum_at(double angle, double rate) {
  const double x = kLength * std::sin(angle), z = -kLength * std::cos(angle);
  const double vx = -z * rate, vz = x * rate;
  const double lambda = kMass * (kGravity * z - vx * vx - vz * vz) / (kLength * kLength);
  return {{x, z, vx, vz, lambda, 0},
          {vx, vz, x * lambda / kMass, z * lambda / kMass - kGravity, 0, 0}};
}
double energy(std::span<const double> y) {
  return kMass * (kGravity * y[kZ] + (y[kVx] * y[kVx] + y[kVz] * y[kVz]) / 2);
}

TEST(DaeIntegrator, MovesAConstrainedPendulumAsItsAngleDoes) {
  const double angle = 1.2, rate = 0.7;
  const std::array<double, 2> x0{angle, rate};
  const auto times = make_times(0, 10, 100);
  const auto by_angle =
      integrate({.size = 2,
                 .f =
                     [](double, std::span<const double> x, std::span<double> x_dot) {
                       x_dot[0] = x[1];
                       x_dot[1] = -kGravity / kLength * std::sin(x[0]);
                       return true;
                     }},
                x0, times, {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12});
  ASSERT_TRUE(by_angle.result.ok());
  DaeIntegrator integrator(make_pendulum(),
                           {.relative_tolerance = 1e-9, .absolute_tolerance = 1e-9});
  const auto [y0, y_dot0] = pendulum_at(angle, rate);
  ASSERT_TRUE(integrator.start(0, y0, y_dot0).ok());
  for (std::size_t i = 1; i < times.size(); ++i) {
    const auto result = integrator.advance_to(times[i]);
    ASSERT_TRUE(result.ok()) << result.text;
    const auto expected = pendulum_at(by_angle.x(i)[0], by_angle.x(i)[1]);
    const auto y = integrator.y();
    for (int k = 0; k < 4; ++k) {
      EXPECT_NEAR(y[k], expected.y[k], 2e-6);
    }
    EXPECT_NEAR(y[kLambda], expected.y[kLambda], 1e-4);
    EXPECT_NEAR(y[kMu], 0, 1e-5);
    // Position and velocity stay on the constraint, over all steps.
    EXPECT_NEAR(std::hypot(y[kX], y[kZ]), kLength, 1e-8);
    EXPECT_NEAR(y[kX] * y[kVx] + y[kZ] * y[kVz], 0, 1e-8);
    EXPECT_NEAR(energy(y), energy(y0), 2e-5);
  }
  EXPECT_GT(integrator.statistics().jacobians, 0);
}

TEST(DaeIntegrator, TakesFewerEvaluationsWithTheExactJacobian) {
  const auto run = [](bool exact, long* calls) {
    auto dae = make_pendulum();
    if (!exact) {
      dae.jacobian = {};
    }
    dae.F = [inner = dae.F, calls](double t, std::span<const double> y,
                                   std::span<const double> y_dot, std::span<double> F) {
      ++*calls;
      return inner(t, y, y_dot, F);
    };
    DaeIntegrator integrator(dae);
    const auto [y0, y_dot0] = pendulum_at(0.9, -0.4);
    EXPECT_TRUE(integrator.start(0, y0, y_dot0).ok());
    EXPECT_TRUE(integrator.advance_to(3).ok());
    return integrator.statistics();
  };
  long with = 0, without = 0;
  const auto exact = run(true, &with), quotients = run(false, &without);
  EXPECT_EQ(with, exact.evaluations);  // all of them are the steps' own
  EXPECT_GT(without, quotients.evaluations + 5 * quotients.jacobians);
  EXPECT_LT(with, without);
}

TEST(DaeIntegrator, JacobiansMatchFiniteDifferences) {
  std::string where;
  const auto [y0, y_dot0] = pendulum_at(0.9, -0.4);
  auto y = y0;
  y[kMu] = 0.3;
  EXPECT_LT(check_jacobian(make_pendulum(), 0.2, y, y_dot0, 37.0, &where), 1e-6) << where;
  const std::array<double, 3> state{0.7, 0.2, 0.1}, rates{-0.3, 0.2, 0.1};
  EXPECT_LT(check_jacobian(make_robertson(), 0.2, state, rates, 12.0, &where), 1e-4) << where;
}

TEST(DaeIntegrator, InterpolatesWithinItsSteps) {
  const double angle = 0.8;
  DaeIntegrator integrator(make_pendulum()), other(make_pendulum());
  const auto [y0, y_dot0] = pendulum_at(angle, 0);
  ASSERT_TRUE(integrator.start(0, y0, y_dot0).ok());
  std::array<double, 6> y, y_dot;
  double worst = 0;
  int steps = 0;
  double last_end = 0;
  while (integrator.time() < 1) {
    const auto result = integrator.step();
    ASSERT_TRUE(result.ok()) << result.text;
    const auto [begin, end] = integrator.last_step();
    EXPECT_NEAR(begin, last_end, 1e-14);
    EXPECT_EQ(end, integrator.time());
    last_end = end;
    ++steps;
    for (const double part : {0.0, 0.4, 0.9, 1.0}) {
      const double t = std::min(end, begin + part * (end - begin));
      ASSERT_TRUE(integrator.interpolate(t, y));
      ASSERT_TRUE(integrator.interpolate_rate(t, y_dot));
      worst = std::max(worst, std::abs(energy(y) - energy(y0)));
      EXPECT_NEAR(y_dot[kX], y[kVx], 1e-4);
      EXPECT_NEAR(y_dot[kZ], y[kVz], 1e-4);
    }
    EXPECT_NEAR(integrator.y()[0], y[0], 1e-15);
    EXPECT_THROW(integrator.interpolate(begin - 0.01, y), std::invalid_argument);
  }
  EXPECT_EQ(integrator.statistics().steps, steps);
  EXPECT_LT(worst, 2e-5);
}

TEST(DaeIntegrator, SaysWhereAndWhyASolutionEnds) {
  auto dae = make_pendulum();
  dae.F = [inner = dae.F](double t, std::span<const double> y, std::span<const double> y_dot,
                          std::span<double> F) { return y[kVx] < 0.6 && inner(t, y, y_dot, F); };
  dae.why = [] { return std::string("the bearing has seized"); };
  DaeIntegrator integrator(dae);
  const auto [y0, y_dot0] = pendulum_at(-1.1, 0.1);
  ASSERT_TRUE(integrator.start(0, y0, y_dot0).ok());
  const auto result = integrator.advance_to(2);
  EXPECT_EQ(result.status, Status::kNoValue) << result.text;
  EXPECT_NE(result.text.find("the bearing has seized"), std::string::npos) << result.text;
  EXPECT_NEAR(integrator.y()[kVx], 0.6, 1e-2);
  EXPECT_THROW(integrator.advance_to(3), std::invalid_argument);  // start() comes first

  dae.F = [inner = make_pendulum().F](double t, std::span<const double> y,
                                      std::span<const double> y_dot, std::span<double> F) {
    if (t > 0.3) {
      throw std::out_of_range("table ends at 0.3 s");
    }
    return inner(t, y, y_dot, F);
  };
  DaeIntegrator throwing(dae);
  ASSERT_TRUE(throwing.start(0, y0, y_dot0).ok());
  EXPECT_THROW(throwing.advance_to(1), std::out_of_range);

  auto singular = make_pendulum();
  singular.F = [inner = singular.F](double t, std::span<const double> y,
                                    std::span<const double> y_dot, std::span<double> F) {
    const bool ok = inner(t, y, y_dot, F);
    F[5] = F[4];  // one constraint twice, the other not at all
    return ok;
  };
  singular.jacobian = {};
  DaeIntegrator lost(singular);
  ASSERT_TRUE(lost.start(0, y0, y_dot0).ok());
  EXPECT_EQ(lost.advance_to(1).status, Status::kNoConvergence);
}

TEST(DaeIntegrator, RefusesWhatCannotWork) {
  EXPECT_THROW(DaeIntegrator{Dae{}}, std::invalid_argument);
  auto dae = make_pendulum();
  dae.kinds.pop_back();
  EXPECT_THROW(DaeIntegrator{dae}, std::invalid_argument);
  EXPECT_THROW(DaeIntegrator(make_pendulum(), {.relative_tolerance = 0}), std::invalid_argument);
  DaeIntegrator integrator(make_pendulum());
  const auto [y0, y_dot0] = pendulum_at(0.4, 0.1);
  EXPECT_THROW(integrator.step(), std::invalid_argument);
  EXPECT_THROW(integrator.start(0, y0, std::span(y_dot0).first(5)), std::invalid_argument);
  auto bad = y0;
  bad[3] = NAN;
  try {
    integrator.start(0, bad, y_dot0);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "DaeIntegrator::start: vz is not finite");
  }
}

}  // namespace
}  // namespace camber::integrate
