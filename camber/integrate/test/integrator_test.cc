#include "camber/integrate/integrator.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace camber::integrate {
namespace {

constexpr std::array kMethods = {Method::kRungeKutta, Method::kAdams, Method::kBdf};

// Two unequal oscillators coupled by nothing, one of them driven: x'' = -a^2 x, y'' = -b^2 y + sin
// t has y = y0 cos bt + c sin bt + sin t / (b^2 - 1) with c from y'(0) = 0.
constexpr double kA = 1.3, kB = 2.1;
Ode make_oscillators() {
  return {.size = 4,
          .f =
              [](double t, std::span<const double> x, std::span<double> x_dot) {
                x_dot[0] = x[1];
                x_dot[1] = -kA * kA * x[0];
                x_dot[2] = x[3];
                x_dot[3] = -kB * kB * x[2] + std::sin(t);
                return true;
              },
          .names = {"x", "vx", "y", "vy"}};
}
std::array<double, 4> oscillators_at(double t) {
  const double s = 1 / (kB * kB - 1), c = -s / kB;
  return {0.4 * std::cos(kA * t), -0.4 * kA * std::sin(kA * t),
          0.9 * std::cos(kB * t) + c * std::sin(kB * t) + s * std::sin(t),
          -0.9 * kB * std::sin(kB * t) + c * kB * std::cos(kB * t) + s * std::cos(t)};
}

TEST(Integrator, MeetsItsTolerancesBetweenSteps) {
  for (const Method method : kMethods) {
    for (const double tolerance : {1e-5, 1e-8, 1e-10}) {
      SCOPED_TRACE(testing::Message()
                   << "method " << static_cast<int>(method) << ", tolerance " << tolerance);
      const auto x0 = oscillators_at(0);
      const auto trajectory = integrate(
          make_oscillators(), x0, make_times(0, 7, 331),
          {.method = method, .relative_tolerance = tolerance, .absolute_tolerance = tolerance});
      ASSERT_EQ(trajectory.result.status, Status::kDone) << trajectory.result.text;
      ASSERT_EQ(trajectory.times.size(), 332U);
      double worst = 0;
      for (std::size_t i = 0; i < trajectory.times.size(); ++i) {
        const auto expected = oscillators_at(trajectory.times[i]);
        for (int k = 0; k < 4; ++k) {
          worst = std::max(worst, std::abs(trajectory.x(i)[k] - expected[k]));
        }
      }
      EXPECT_LT(worst, 1000 * tolerance);  // the error of a step, not of the run, is controlled
      EXPECT_GT(worst, 1e-16);
    }
  }
}

// [Robertson 1966]: rates 0.04, 3e7, 1e4. The values at t = 40 and 4e5 are those of [Hairer, Wanner
// 1996] section IV.1 and of CVODE's documentation.
Ode make_robertson(int* jacobians) {
  return {.size = 3,
          .f =
              [](double, std::span<const double> y, std::span<double> y_dot) {
                y_dot[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
                y_dot[2] = 3e7 * y[1] * y[1];
                y_dot[1] = -y_dot[0] - y_dot[2];
                return true;
              },
          .jacobian =
              [jacobians](double, std::span<const double> y, std::span<double> J) {
                ++*jacobians;
                const std::array<double, 9> columns = {-0.04,      0.04,
                                                       0.0,  //
                                                       1e4 * y[2], -1e4 * y[2] - 6e7 * y[1],
                                                       6e7 * y[1],  //
                                                       1e4 * y[1], -1e4 * y[1],
                                                       0.0};
                std::copy(columns.begin(), columns.end(), J.begin());
                return true;
              }};
}

TEST(Integrator, SolvesAStiffReactionWithFewSteps) {
  int jacobians = 0;
  const std::array<double, 3> y0{1, 0, 0};
  const std::array<double, 3> times{0, 40, 4e5};
  const auto trajectory = integrate(make_robertson(&jacobians), y0, times,
                                    {.method = Method::kBdf,
                                     .relative_tolerance = 1e-8,
                                     .absolute_tolerances = {1e-10, 1e-14, 1e-10}});
  ASSERT_EQ(trajectory.result.status, Status::kDone) << trajectory.result.text;
  EXPECT_NEAR(trajectory.x(1)[0], 0.7158270688, 5e-8);
  EXPECT_NEAR(trajectory.x(1)[1], 9.185534765e-6, 2e-12);
  EXPECT_NEAR(trajectory.x(2)[0], 4.9383e-3, 5e-7);
  EXPECT_NEAR(trajectory.x(2)[0] + trajectory.x(2)[1] + trajectory.x(2)[2], 1.0, 1e-8);
  EXPECT_LT(trajectory.statistics.steps, 2000);
  EXPECT_EQ(trajectory.statistics.jacobians, jacobians);
  EXPECT_GT(jacobians, 10);
}

// A ball under gravity meets the ground at t = (v + sqrt(v^2 + 2 g h)) / g.
TEST(Integrator, StopsAtTheEventAndReportsOthers) {
  const double g = 9.81, h = 1.7, v = 3.2;
  for (const Method method : kMethods) {
    SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method));
    Ode ode{.size = 2, .f = [g](double, std::span<const double> x, std::span<double> x_dot) {
              x_dot[0] = x[1];
              x_dot[1] = -g;
              return true;
            }};
    int tops = 0;
    ode.events = {{.name = "ground",
                   .g = [](double, std::span<const double> x) { return x[0]; },
                   .direction = Event::Direction::kFalling},
                  {.name = "top",
                   .g = [](double, std::span<const double> x) { return x[1]; },
                   .stops = false},
                  {.name = "never: the height only passes 0.5 m downward",
                   .g = [](double, std::span<const double> x) { return x[0] - 0.5; },
                   .direction = Event::Direction::kRising}};
    Integrator integrator(ode, {.method = method});
    const std::array<double, 2> x0{h, v};
    integrator.start(0.25, x0);
    StepResult result;
    for (int i = 1; result.status == Status::kDone; ++i) {
      result = integrator.advance_to(0.25 + 0.1 * i);
      tops += result.event == 1 ? 1 : 0;
      ASSERT_LT(i, 50);
    }
    EXPECT_EQ(tops, 1);
    EXPECT_EQ(result.status, Status::kEvent) << result.text;
    EXPECT_EQ(result.event, 0);
    EXPECT_NEAR(result.time, 0.25 + (v + std::sqrt(v * v + 2 * g * h)) / g, 1e-7);
    EXPECT_NEAR(integrator.x()[0], 0, 1e-6);
    EXPECT_NEAR(integrator.x()[1], -std::sqrt(v * v + 2 * g * h), 1e-6);
  }
}

// x' = x^2 ends at t = 1 / x0, y' = -y goes on: the report names x.
TEST(Integrator, SaysWhereAndInWhichComponentASolutionEnds) {
  for (const Method method : kMethods) {
    SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method));
    Ode ode{.size = 2,
            .f =
                [](double, std::span<const double> x, std::span<double> x_dot) {
                  x_dot[0] = -x[0];
                  x_dot[1] = x[1] * x[1];
                  return true;
                },
            .names = {"decay", "explosion"}};
    const std::array<double, 2> x0{0.3, 0.8};
    const std::array<double, 2> times{0, 2};
    const auto trajectory = integrate(ode, x0, times, {.method = method, .max_steps = 20'000});
    EXPECT_FALSE(trajectory.result.ok());
    EXPECT_EQ(trajectory.times.size(), 1U);
    EXPECT_NEAR(trajectory.result.time, 1.25, 1e-3);
    EXPECT_EQ(trajectory.result.component, 1);
    EXPECT_NE(trajectory.result.text.find("explosion"), std::string::npos)
        << trajectory.result.text;
  }
}

// Step by step there is no time to be reached, so no count of steps up to it: towards the end of
// x = sqrt(0.7 - t) steps of any length met the tolerances, and went on without end.
TEST(Integrator, EndsStepsThatDoNotMoveTime) {
  for (const Method method : kMethods) {
    SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method));
    Ode ode{.size = 2, .f = [](double t, std::span<const double> x, std::span<double> x_dot) {
              x_dot[0] = -0.5 / std::sqrt(std::abs(0.7 - t));
              x_dot[1] = -x[1];
              return t < 0.7;
            }};
    ode.why = [] { return std::string("the root has no value"); };
    Integrator integrator(ode, {.method = method});
    integrator.start(0, std::array{std::sqrt(0.7), 0.4});
    StepResult result;
    for (int i = 0; i < 20'000 && result.ok(); ++i) result = integrator.step();
    EXPECT_FALSE(result.ok());
    EXPECT_NEAR(result.time, 0.7, 1e-6);
    EXPECT_NE(result.text.find(" at t = "), std::string::npos) << result.text;
  }
}

TEST(Integrator, StopsWhereTheDerivativeHasNoValue) {
  for (const Method method : kMethods) {
    SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method));
    Ode ode{.size = 1, .f = [](double, std::span<const double> x, std::span<double> x_dot) {
              x_dot[0] = -0.5;
              return x[0] > 0;
            }};
    ode.why = [] { return std::string("the tank is empty"); };
    const std::array<double, 1> x0{0.6};
    const std::array<double, 2> times{0, 3};
    const auto trajectory = integrate(ode, x0, times, {.method = method});
    EXPECT_EQ(trajectory.result.status, Status::kNoValue) << trajectory.result.text;
    EXPECT_NE(trajectory.result.text.find("the tank is empty"), std::string::npos);
    EXPECT_LT(trajectory.result.time, 1.2 + 1e-12);
    EXPECT_GT(trajectory.result.time, 0.5);
  }
}

// The pendulum in x and y: its length is kept by the projection alone, as f has no constraint force
// that knows of it beyond the acceleration.
Ode make_pendulum() {
  const double g = 9.81, l = 0.9;
  Ode ode{.size = 4, .f = [=](double, std::span<const double> x, std::span<double> x_dot) {
            const double tension = (x[2] * x[2] + x[3] * x[3] - g * x[1]) / (l * l);
            x_dot[0] = x[2];
            x_dot[1] = x[3];
            x_dot[2] = -tension * x[0];
            x_dot[3] = -tension * x[1] - g;
            return true;
          }};
  ode.project = [=](double, std::span<double> x) {
    const double scale = l / std::hypot(x[0], x[1]);
    x[0] *= scale;
    x[1] *= scale;
    const double along = (x[0] * x[2] + x[1] * x[3]) / (l * l);
    x[2] -= along * x[0];
    x[3] -= along * x[1];
    return true;
  };
  return ode;
}

TEST(Integrator, ProjectsWithoutLosingAccuracy) {
  const double angle = 1.1, l = 0.9;
  const std::array<double, 4> x0{l * std::sin(angle), -l * std::cos(angle), 0, 0};
  const auto height = [](std::span<const double> x) {
    return 9.81 * x[1] + (x[2] * x[2] + x[3] * x[3]) / 2;
  };
  for (const Method method : {Method::kRungeKutta, Method::kBdf}) {
    SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method));
    const auto trajectory = integrate(make_pendulum(), x0, make_times(0, 20, 200),
                                      {.method = method, .relative_tolerance = 1e-9});
    ASSERT_EQ(trajectory.result.status, Status::kDone) << trajectory.result.text;
    for (std::size_t i = 0; i < trajectory.times.size(); ++i) {
      const auto x = trajectory.x(i);
      EXPECT_NEAR(std::hypot(x[0], x[1]), l, 1e-14);
      EXPECT_NEAR(x[0] * x[2] + x[1] * x[3], 0, 1e-14);
      EXPECT_NEAR(height(x), height(x0), 5e-6);
    }
  }
}

TEST(Integrator, InterpolatesInItsLastStepAsWellAsItSteps) {
  for (const Method method : kMethods) {
    for (const double tolerance : {1e-6, 1e-10}) {
      SCOPED_TRACE(testing::Message()
                   << "method " << static_cast<int>(method) << ", tolerance " << tolerance);
      Integrator integrator(
          make_oscillators(),
          {.method = method, .relative_tolerance = tolerance, .absolute_tolerance = tolerance});
      integrator.start(0, oscillators_at(0));
      std::array<double, 4> x;
      ASSERT_TRUE(integrator.interpolate(0, x));
      EXPECT_EQ(x, oscillators_at(0));
      double at_ends = 0, between = 0, begin_expected = 0;
      long steps = 0;
      for (; integrator.time() < 7; ++steps) {
        const auto result = integrator.step();
        ASSERT_TRUE(result.ok()) << result.text;
        const auto [begin, end] = integrator.last_step();
        EXPECT_NEAR(begin, begin_expected, 1e-14);
        EXPECT_EQ(end, integrator.time());
        EXPECT_EQ(result.time, end);
        begin_expected = end;
        for (const double part : {0.13, 0.5, 0.78, 1.0}) {
          const double t = std::min(end, begin + part * (end - begin));
          ASSERT_TRUE(integrator.interpolate(t, x));
          const auto expected = oscillators_at(t);
          for (int k = 0; k < 4; ++k) {
            const double error = std::abs(x[k] - expected[k]);
            (part == 1 ? at_ends : between) = std::max(part == 1 ? at_ends : between, error);
          }
        }
        EXPECT_THROW(integrator.interpolate(begin - 0.1, x), std::invalid_argument);
        EXPECT_THROW(integrator.interpolate(end + 0.1, x), std::invalid_argument);
      }
      EXPECT_EQ(integrator.statistics().steps, steps);
      EXPECT_LT(between, 3 * at_ends + 20 * tolerance);
    }
  }
}

// A stretch ends within a step; the next call goes to the end of that step, not beyond.
TEST(Integrator, MixesStretchesAndSteps) {
  for (const Method method : kMethods) {
    SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method));
    Integrator integrator(make_oscillators(), {.method = method});
    integrator.start(0, oscillators_at(0));
    ASSERT_TRUE(integrator.advance_to(2.345).ok());
    const auto [begin, end] = integrator.last_step();
    EXPECT_LT(begin, 2.345);
    EXPECT_GT(end, 2.345);
    std::array<double, 4> x;
    ASSERT_TRUE(integrator.interpolate(end, x));
    EXPECT_EQ(integrator.time(), 2.345);
    ASSERT_TRUE(integrator.step().ok());
    EXPECT_EQ(integrator.time(), end);
    for (int k = 0; k < 4; ++k) {
      EXPECT_NEAR(integrator.x()[k], x[k], 1e-14);
    }
    ASSERT_TRUE(integrator.advance_to(end + 1).ok());
    EXPECT_NEAR(integrator.x()[0], oscillators_at(end + 1)[0], 1e-5);
  }
}

TEST(Integrator, InterpolatesOnTheConstraint) {
  const std::array<double, 4> x0{0.9 * std::sin(0.7), -0.9 * std::cos(0.7), 0, 0};
  for (const Method method : {Method::kRungeKutta, Method::kBdf}) {
    Integrator integrator(make_pendulum(), {.method = method});
    integrator.start(0, x0);
    std::array<double, 4> x;
    while (integrator.time() < 1) {
      ASSERT_TRUE(integrator.step().ok());
      const auto [begin, end] = integrator.last_step();
      ASSERT_TRUE(integrator.interpolate(begin + 0.4 * (end - begin), x));
      EXPECT_NEAR(std::hypot(x[0], x[1]), 0.9, 1e-14);
    }
  }
}

TEST(Integrator, LetsExceptionsOfTheModelThrough) {
  for (const Method method : kMethods) {
    Ode ode{.size = 1, .f = [](double t, std::span<const double>, std::span<double> x_dot) {
              if (t > 0.5) {
                throw std::out_of_range("table ends at 0.5 s");
              }
              x_dot[0] = 0.7;
              return true;
            }};
    Integrator integrator(ode, {.method = method});
    const std::array<double, 1> x0{0.2};
    integrator.start(0, x0);
    EXPECT_THROW(integrator.advance_to(0.9), std::out_of_range);
    EXPECT_THROW(integrator.advance_to(0.95), std::invalid_argument);  // start() comes first
  }
}

TEST(Integrator, RefusesWhatCannotWork) {
  EXPECT_THROW(Integrator(make_pendulum(), {.method = Method::kAdams}), std::invalid_argument);
  EXPECT_THROW(Integrator(make_oscillators(), {.relative_tolerance = -1e-6}),
               std::invalid_argument);
  EXPECT_THROW(Integrator(make_oscillators(), {.absolute_tolerances = {1e-6}}),
               std::invalid_argument);
  const std::array<double, 4> x0{0.1, 0.2, 0.3, NAN};
  Integrator integrator(make_oscillators());
  try {
    integrator.start(0, x0);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "Integrator::start: vy is not finite");
  }
  const std::array<double, 3> back{0.1, 0.3, 0.2};
  EXPECT_THROW(integrate(make_oscillators(), oscillators_at(0), back), std::invalid_argument);
}

}  // namespace
}  // namespace camber::integrate
