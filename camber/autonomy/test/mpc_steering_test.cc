#include "camber/autonomy/mpc_steering.h"

#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/autonomy/course.h"
#include "camber/autonomy/steering.h"
#include "camber/core/random.h"

namespace camber::autonomy {
namespace {

constexpr double kPi = std::numbers::pi;

MpcFigures make_figures() {
  MpcFigures f;
  f.mass = 2597.14;
  f.yaw_inertia = 5301.06;
  f.front = 1.6011;
  f.rear = 1.7009;
  f.front_stiffness = 98822.3;
  f.rear_stiffness = 93331.6;
  return f;
}

/// The cost of rates by the equations of motion of the linear single track, integrated by Runge and
/// Kutta's method: deviation, course and rates at the ends of all steps.
double calc_cost(const MpcFigures& f, const VehicleView& view, const Path& path,
                 const PathFoot& foot, double command, const MpcSteering::Rates& rates) {
  struct State {
    double e, chi, v, r, delta;
  };
  const double u = view.speed, d = 0.5 * (f.front - f.rear);
  State x{foot.deviation, wrap_angle(view.yaw - heading(foot.point)),
          view.lateral_speed - d * view.yaw_rate, view.yaw_rate, command};
  const auto run = [&](double from, double time, double rate) {
    const double kappa = path.at(foot.s + u * (from + 0.5 * time)).curvature;
    const auto slope = [&](const State& s) {
      const double front = f.front_stiffness * (s.delta - (s.v + f.front * s.r) / u),
                   rear = -f.rear_stiffness * (s.v - f.rear * s.r) / u;
      return State{u * s.chi + s.v + d * s.r, s.r - u * kappa, (front + rear) / f.mass - u * s.r,
                   (f.front * front - f.rear * rear) / f.yaw_inertia, rate};
    };
    constexpr int kParts = 40;
    const double h = time / kParts;
    const auto moved = [](const State& a, double t, const State& b) {
      return State{a.e + t * b.e, a.chi + t * b.chi, a.v + t * b.v, a.r + t * b.r,
                   a.delta + t * b.delta};
    };
    for (int i = 0; i < kParts; ++i) {
      const State k1 = slope(x), k2 = slope(moved(x, 0.5 * h, k1)),
                  k3 = slope(moved(x, 0.5 * h, k2)), k4 = slope(moved(x, h, k3));
      x = moved(moved(moved(moved(x, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    }
  };
  if (f.delay > 0) run(0, f.delay, 0);
  const double h = std::max(f.horizon, f.min_distance / u) / MpcSteering::kSteps;
  double sum = 0;
  for (int k = 0; k < MpcSteering::kSteps; ++k) {
    run(f.delay + k * h, h, rates[k]);
    const double course = x.chi + (x.v + d * x.r) / u;
    sum += std::pow(x.e / f.deviation, 2) + std::pow(course / f.course, 2) +
           std::pow(rates[k] / f.rate, 2);
  }
  return sum;
}

struct Case {
  VehicleView view;
  Path path;
  PathFoot foot;
  double command = 0;
};

/// On a lane change, a little off.
Case make_case(RandomStream* random, double offset, double turn) {
  Case c;
  const double u = random->uniform(4, 27);
  c.path = make_lane_change(3.5, 3, u, 20, 200);
  const PathPoint p = c.path.at(random->uniform(5, 60));
  const double off = random->uniform(-offset, offset);
  c.view = {.x = p.x - off * p.tangent_y,
            .y = p.y + off * p.tangent_x,
            .yaw = heading(p) + random->uniform(-turn, turn),
            .speed = u,
            .lateral_speed = random->uniform(-0.2, 0.2),
            .yaw_rate = random->uniform(-0.05, 0.05)};
  c.foot = c.path.find_nearest(c.view.x, c.view.y);
  c.command = random->uniform(-0.02, 0.02);
  return c;
}

// The plan is the minimum of the cost that another integration of the same vehicle has: the cost is
// quadratic, so central differences are its slopes. Slopes that push against a limit of the rate are
// allowed, and only these.
TEST(MpcSteering, PlansTheMinimumOfItsCostWithinItsLimits) {
  RandomStream random(11);
  int limited = 0;
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 11, trial " << trial);
    MpcFigures figures = make_figures();
    figures.lateral_acceleration = 200;  // the limit of the angle has a test of its own
    const MpcSteering law(figures);
    // Deviations that wheels with this rate correct at once: larger ones are seen reduced.
    const bool is_limited = trial % 2 != 0;
    const Case c = make_case(&random, is_limited ? 0.01 : 0.3, is_limited ? 0.12 : 0.03);
    const SteeringLimits limits{.angle = 0.5, .rate = is_limited ? 0.04 : 50};
    const MpcSteering::Rates plan = law.plan(c.view, c.path, c.foot, limits, c.command);
    const auto cost = [&](int j, double change) {
      MpcSteering::Rates rates = plan;
      rates[j] += change;
      return calc_cost(law.figures(), c.view, c.path, c.foot, c.command, rates);
    };
    for (int j = 0; j < MpcSteering::kSteps; ++j) {
      constexpr double kChange = 0.01;  // [rad/s]
      const double above = cost(j, kChange), below = cost(j, -kChange), here = cost(j, 0);
      const double slope = (above - below) / (2 * kChange);
      const double bend = (above + below - 2 * here) / (kChange * kChange);
      const double off = slope / bend;  // how far the minimum is away [rad/s]
      ASSERT_LE(std::abs(plan[j]), limits.rate * (1 + 1e-6));
      const bool is_low = plan[j] < -limits.rate * (1 - 1e-5);
      const bool is_high = plan[j] > limits.rate * (1 - 1e-5);
      limited += is_low || is_high;
      // A limit allows a slope that pushes against it.
      EXPECT_LT(is_low ? std::min(off, 0.0) : off, 1e-5) << "step " << j;
      EXPECT_GT(is_high ? std::max(off, 0.0) : off, -1e-5) << "step " << j;
    }
  }
  EXPECT_GT(limited, 50);
}

// L / R + K v^2 / R, with the lateral speed of the circle: what the linear vehicle needs to stay.
TEST(MpcSteering, HoldsASteadyCircle) {
  MpcFigures f = make_figures();
  f.delay = 0;
  const double radius = 400, u = 20, r = u / radius, L = f.front + f.rear;
  const double rear_slip = f.mass * f.front / L * u * r / f.rear_stiffness;
  const double front_slip = f.mass * f.rear / L * u * r / f.front_stiffness;
  const double v = f.rear * r - u * rear_slip + 0.5 * (f.front - f.rear) * r;
  const double steer = L / radius + front_slip - rear_slip;
  const Path path = make_circle(0, radius, radius, -kPi / 2);
  const VehicleView view{.yaw = -v / u, .speed = u, .lateral_speed = v, .yaw_rate = r};
  const MpcSteering::Rates rates =
      MpcSteering(f).plan(view, path, path.find_nearest(0, 0), {}, steer);
  for (const double rate : rates) EXPECT_NEAR(rate, 0, 1e-6);
}

// From far beside the path the plan turns as fast as it may and never beyond the angle, or the
// lateral acceleration, that it is given.
TEST(MpcSteering, KeepsTheLimitOfTheAngle) {
  MpcFigures f = make_figures();
  f.lateral_acceleration = 3;
  f.deviation = 0.02;
  const double u = 15, L = f.front + f.rear;
  const double understeer = f.mass * (f.rear / f.front_stiffness - f.front / f.rear_stiffness) / L;
  const double angle = 3 * (L / (u * u) + understeer);
  const Path path = PathBuilder(0, 0, 0).line(500).build();
  const VehicleView view{.x = 30, .y = 4, .speed = u};
  const MpcSteering::Rates rates = MpcSteering(f).plan(
      view, path, path.find_nearest(view.x, view.y), {.angle = 0.5, .rate = 0.5}, 0);
  double sum = 0, most = 0;
  for (const double rate : rates) {
    EXPECT_LE(std::abs(rate), 0.5 * (1 + 1e-6));
    sum += rate * f.horizon / MpcSteering::kSteps;
    most = std::max(most, std::abs(sum));
  }
  EXPECT_LT(most, angle * (1 + 1e-3));
  EXPECT_GT(most, angle * 0.99);  // it is reached
}

TEST(MpcSteering, MirroredDrivesGetMirroredCommands) {
  RandomStream random(5);
  const MpcSteering law(make_figures());
  for (int trial = 0; trial < 20; ++trial) {
    const double off = random.uniform(-6, 6), yaw = random.uniform(-0.5, 0.5);
    const auto steer = [&](double side) {
      const Path path = make_lane_change(side * 3.5, 3, 18, 20, 200);
      const VehicleView view{
          .x = 25, .y = side * off, .yaw = side * yaw, .speed = 18, .yaw_rate = side * 0.03};
      return law.calc_steer(view, path, path.find_nearest(view.x, view.y), {}, side * 0.01, 0.02);
    };
    EXPECT_NEAR(steer(1), -steer(-1), 1e-9);
  }
}

}  // namespace
}  // namespace camber::autonomy
