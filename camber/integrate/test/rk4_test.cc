#include "camber/integrate/rk4.h"

#include <array>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace camber::integrate {
namespace {

// x' = x cos(w t): x = x0 exp(sin(w t) / w).
Ode make_modulated_growth(double w) {
  return {.size = 1, .f = [w](double t, std::span<const double> x, std::span<double> x_dot) {
            x_dot[0] = x[0] * std::cos(w * t);
            return true;
          }};
}

double error_of_rk4(int steps) {
  const double w = 0.9, x0 = 0.83, end = 1.6;
  Rk4 rk4(make_modulated_growth(w));
  std::array<double, 1> x{x0};
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(rk4.step(i * h, h, x));
  }
  return x[0] - x0 * std::exp(std::sin(w * end) / w);
}

TEST(Rk4, ErrorFallsSixteenfoldWhenStepHalves) {
  const double ratio = error_of_rk4(100) / error_of_rk4(200);
  EXPECT_NEAR(ratio, 16.0, 0.5);
}

TEST(Rk4, ProjectsBehindEachStep) {
  // A rotation, whose radius the method alone would lose.
  Ode ode{.size = 2, .f = [](double, std::span<const double> x, std::span<double> x_dot) {
            x_dot[0] = -1.3 * x[1];
            x_dot[1] = 1.3 * x[0];
            return true;
          }};
  Rk4 plain(ode);
  ode.project = [](double, std::span<double> x) {
    const double scale = 0.7 / std::hypot(x[0], x[1]);
    x[0] *= scale;
    x[1] *= scale;
    return true;
  };
  Rk4 projected(ode);
  std::array<double, 2> a{0.7, 0}, b{0.7, 0};
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(plain.step(i * 0.2, 0.2, a));
    ASSERT_TRUE(projected.step(i * 0.2, 0.2, b));
  }
  EXPECT_GT(std::abs(std::hypot(a[0], a[1]) - 0.7), 1e-4);
  EXPECT_NEAR(std::hypot(b[0], b[1]), 0.7, 1e-15);
}

TEST(Rk4, LeavesTheStateWhereTheDerivativeHasNoValue) {
  Rk4 rk4({.size = 1, .f = [](double, std::span<const double> x, std::span<double> x_dot) {
             x_dot[0] = -2.0;
             return x[0] > 0;
           }});
  std::array<double, 1> x{0.5};
  EXPECT_TRUE(rk4.step(0.3, 0.1, x));
  EXPECT_NEAR(x[0], 0.3, 1e-15);
  EXPECT_FALSE(rk4.step(0.4, 0.4, x));
  EXPECT_NEAR(x[0], 0.3, 1e-15);
}

TEST(Rk4, RefusesAStateOfTheWrongSize) {
  Rk4 rk4(make_modulated_growth(1.2));
  std::array<double, 2> x{0.1, 0.2};
  EXPECT_THROW(rk4.step(0.0, 0.1, x), std::invalid_argument);
  EXPECT_THROW(Rk4({.size = 3, .f = {}}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::integrate
