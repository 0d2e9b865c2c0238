#include "camber/integrate/jacobian_check.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "camber/integrate/integrator.h"

namespace camber::integrate {
namespace {

// [Van der Pol 1926] with a third component that it drives; the error goes into one entry.
constexpr double kStiffness = 800;
Ode make_van_der_pol(int entry = -1, double factor = 1) {
  return {.size = 3,
          .f =
              [](double t, std::span<const double> x, std::span<double> x_dot) {
                x_dot[0] = x[1];
                x_dot[1] = kStiffness * (1 - x[0] * x[0]) * x[1] - x[0];
                x_dot[2] = std::sin(x[0] + t) - 0.01 * x[2] * x[1];
                return true;
              },
          .jacobian =
              [entry, factor](double t, std::span<const double> x, std::span<double> J) {
                const std::array<double, 9> columns = {0,
                                                       -2 * kStiffness * x[0] * x[1] - 1,
                                                       std::cos(x[0] + t),  //
                                                       1,
                                                       kStiffness * (1 - x[0] * x[0]),
                                                       -0.01 * x[2],  //
                                                       0,
                                                       0,
                                                       -0.01 * x[1]};
                std::copy(columns.begin(), columns.end(), J.begin());
                if (entry >= 0) {
                  J[entry] = J[entry] == 0 ? 1 - factor : factor * J[entry];
                }
                return true;
              },
          .names = {"x", "v", "z"}};
}

TEST(CheckJacobian, IsSmallForTheRightOneAndFindsEachWrongEntry) {
  const std::array<double, 3> x{1.7, -0.6, 2.3};
  std::string where;
  EXPECT_LT(check_jacobian(make_van_der_pol(), 0.4, x, &where), 1e-6) << where;
  for (int entry = 0; entry < 9; ++entry) {
    SCOPED_TRACE(testing::Message() << "entry " << entry);
    EXPECT_GT(check_jacobian(make_van_der_pol(entry, 0.99), 0.4, x, &where), 0.005);
    const std::string name = entry < 3 ? "x" : entry < 6 ? "v" : "z";
    const auto expected = "row " + std::to_string(entry % 3) + ", derivative by " + name + ": ";
    EXPECT_EQ(where.substr(0, expected.size()), expected) << where;
  }
}

TEST(CheckJacobian, SeesNaN) {
  const std::array<double, 3> x{1.7, -0.6, 2.3};
  EXPECT_EQ(check_jacobian(make_van_der_pol(5, NAN), 0.4, x), INFINITY);
}

TEST(CheckJacobian, RefusesWhatCannotBeCompared) {
  const std::array<double, 3> x{1.7, -0.6, 2.3};
  auto ode = make_van_der_pol();
  EXPECT_THROW(check_jacobian(ode, 0.4, std::span(x).first(2)), std::invalid_argument);
  ode.f = [](double, std::span<const double> at, std::span<double>) { return at[0] <= 1.7; };
  EXPECT_THROW(check_jacobian(ode, 0.4, x), std::invalid_argument);
  ode.jacobian = {};
  EXPECT_THROW(check_jacobian(ode, 0.4, x), std::invalid_argument);
}

// What a Jacobian is worth to BDF: the exact one saves the evaluations of the difference quotients;
// a wrong one lets Newton's iteration fail, and steps become small.
TEST(Bdf, TakesFewerEvaluationsWithTheExactJacobianAndMoreStepsWithAWrongOne) {
  const auto run = [](Ode ode, long* calls) {
    ode.f = [inner = ode.f, calls](double t, std::span<const double> x, std::span<double> x_dot) {
      ++*calls;
      return inner(t, x, x_dot);
    };
    const std::array<double, 3> x0{1.9, -0.1, 0.3};
    const std::array<double, 2> times{0, 300};
    const auto trajectory = integrate(ode, x0, times, {.method = Method::kBdf});
    EXPECT_TRUE(trajectory.result.ok()) << trajectory.result.text;
    return trajectory.statistics;
  };
  long exact_calls = 0, quotient_calls = 0, wrong_calls = 0;
  const auto exact = run(make_van_der_pol(), &exact_calls);
  auto without = make_van_der_pol();
  without.jacobian = {};
  const auto quotients = run(without, &quotient_calls);
  const auto wrong = run(make_van_der_pol(4, 0.3), &wrong_calls);
  EXPECT_EQ(exact_calls, exact.evaluations);
  EXPECT_EQ(quotient_calls, quotients.evaluations + 3 * quotients.jacobians);
  EXPECT_LT(exact_calls, quotient_calls);
  EXPECT_GT(wrong_calls, 2 * exact_calls);
  EXPECT_GT(wrong.jacobians, 2 * exact.jacobians);
}

}  // namespace
}  // namespace camber::integrate
