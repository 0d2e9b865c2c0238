// Drivers: published figures, limits, symmetry, and a kinematic vehicle that they drive.

#include "camber/autonomy/driver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/autonomy/approach.h"
#include "camber/autonomy/course.h"
#include "camber/core/random.h"
#include "camber/core/test/allocation_count.h"

namespace camber::autonomy {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180;
constexpr double kWheelbase = 3.302;

/// Rolls without slip: the rear axle goes where the body points, the front axle where it is
/// steered.
struct KinematicVehicle {
  VehicleView view;
  double acceleration(const Command& command) const {
    return 4.6 * command.throttle - 13.8 * command.brake * std::min(1.0, view.speed / 0.05) -
           (1.5 * view.speed * view.speed + 380) / 2597;
  }
  void step(const Command& command, double dt) {
    view.acceleration = acceleration(command);
    view.speed = std::max(0.0, view.speed + dt * view.acceleration);
    view.yaw_rate = view.speed * std::tan(command.steer) / kWheelbase;
    view.lateral_speed = 0.5 * kWheelbase * view.yaw_rate;
    const double yaw = view.yaw + 0.5 * dt * view.yaw_rate;
    view.x += dt * (view.speed * std::cos(yaw) - view.lateral_speed * std::sin(yaw));
    view.y += dt * (view.speed * std::sin(yaw) + view.lateral_speed * std::cos(yaw));
    view.yaw += dt * view.yaw_rate;
    view.steer = command.steer;
    view.time += dt;
  }
};

/// Knows a vehicle of 2.6 t.
SpeedControl keep_speed(double speed) {
  return {.profile = {.speed = {.x = {0}, .y = {speed}}},
          .mass = 2597.14,
          .drag = 1.38,
          .rolling = 0.015,
          .force = {{.x = {0, 30}, .y = {300, -1500}}, {.x = {0, 30}, .y = {12000, 4000}}},
          .brake_force = 36000};
}

/// A heavy off-road vehicle.
PreviewFigures make_figures() {
  return {.mass = 2597.14,
          .yaw_inertia = 5301.06,
          .front = 1.6011,
          .rear = 1.7009,
          .front_stiffness = 98822.3,
          .rear_stiffness = 93331.6};
}

MpcFigures make_mpc_figures() {
  const PreviewFigures f = make_figures();
  MpcFigures mpc;
  mpc.mass = f.mass;
  mpc.yaw_inertia = f.yaw_inertia;
  mpc.front = f.front;
  mpc.rear = f.rear;
  mpc.front_stiffness = f.front_stiffness;
  mpc.rear_stiffness = f.rear_stiffness;
  return mpc;
}

std::vector<SteeringLaw> make_trackers() {
  return {PurePursuit{.wheelbase = kWheelbase}, Stanley{.wheelbase = kWheelbase},
          PreviewSteering(make_figures()), MpcSteering(make_mpc_figures())};
}

TEST(PurePursuit, GivesThePublishedAngle) {
  EXPECT_NEAR(calc_pursuit_angle(3.302, 10 * kDegree, 8) / kDegree, 8.158, 5e-4);
}

TEST(Stanley, GivesThePublishedAngle) {
  const Stanley law{.gain = 2.5, .soft_speed = 1};
  EXPECT_NEAR(calc_stanley_angle(law, 0, 0.5, 5) / kDegree, -11.77, 5e-3);  // toward the path
}

// On its arc pure pursuit steers atan(L / R) at the rear axle, and Stanley points the front wheel
// along the path: both are the geometry's exact answer.
TEST(Trackers, SteerTheCircleTheyAreOn) {
  const double radius = 23.0;  // of the rear axle
  const double steer = std::atan(kWheelbase / radius);
  VehicleView view{.x = 0.5 * kWheelbase, .y = -radius, .speed = 5};
  const Path rear = make_circle(0, 0, radius, -kPi / 2);
  PathFoot foot = rear.find_nearest(view.x, view.y);
  EXPECT_NEAR(calc_steer(PurePursuit{.wheelbase = kWheelbase}, view, rear, foot), steer, 1e-9);
  const Path front = make_circle(0, 0, std::hypot(radius, kWheelbase), -kPi / 2);
  foot = front.find_nearest(view.x, view.y);
  EXPECT_NEAR(calc_steer(Stanley{.wheelbase = kWheelbase}, view, front, foot), steer, 1e-9);
}

// The same circle in the linear vehicle's eyes: L / R + K v^2 / R, with its lateral speed.
TEST(PreviewSteering, HoldsASteadyCircle) {
  const PreviewFigures f = make_figures();
  const double radius = 400, u = 20, r = u / radius, L = f.front + f.rear;
  const double rear_slip = f.mass * f.front / L * u * r / f.rear_stiffness;
  const double front_slip = f.mass * f.rear / L * u * r / f.front_stiffness;
  const double v = f.rear * r - u * rear_slip + 0.5 * (f.front - f.rear) * r;
  const double steer = L / radius + front_slip - rear_slip;
  // The point midway between the axles moves along the circle, so the body is turned by -v / u.
  const Path path = make_circle(0, radius, radius, -kPi / 2);
  const VehicleView view{
      .yaw = -std::atan2(v, u), .speed = u, .lateral_speed = v, .yaw_rate = r, .steer = steer};
  const double given = PreviewSteering(f).calc_steer(view, path, path.find_nearest(0, 0));
  EXPECT_NEAR(given, steer, 2e-3 * steer);  // (v eta / R)^2 / 12: the linear vehicle's small angle
}

// A vehicle that turns as it is steered: the driver's commands go to rest. With the responses of the
// single track each command answered the yaw rate of the last one, with more than its size.
TEST(PreviewSteering, DoesNotChatterWithAKinematicVehicle) {
  PreviewFigures f = make_figures();
  f.is_kinematic = true;
  const double L = f.front + f.rear, u = 38, dt = 0.02;
  const PreviewSteering law(f);
  const Path path = PathBuilder(0, 0, 0).line(5000).build();
  VehicleView view{.y = 0.3, .yaw = 0.004, .speed = u};
  double steer = 0, last_change = 0;
  int reversals = 0;  // one after the other
  for (int i = 0; i < 1000; ++i) {
    const double next = law.calc_steer(view, path, path.find_nearest(view.x, view.y));
    const double change = next - steer;
    reversals = std::abs(change) > 1e-12 && change * last_change < 0 ? reversals + 1 : 0;
    EXPECT_LE(reversals, 2) << i;
    last_change = change;
    steer = next;
    view.yaw_rate = u * steer / L;
    view.yaw += dt * view.yaw_rate;
    view.x += dt * u * std::cos(view.yaw);
    view.y += dt * u * std::sin(view.yaw);
  }
  EXPECT_NEAR(steer, 0, 1e-9);
  EXPECT_NEAR(view.y, 0, 1e-6);
}

// The gains beside a straight path are what the law steers there: by differences, one quantity after
// the other, with and without a lag of the wheels.
TEST(PreviewSteering, HasTheGainsThatItSteersWith) {
  for (const double lag : {0.0, 0.17}) {
    SCOPED_TRACE(lag);
    PreviewFigures f = make_figures();
    f.lag = lag;
    f.steer_gain = 0.83;
    const double u = 17.3, small = 1e-5;
    const PreviewSteering law(f);
    const Path path = PathBuilder(0, 0, 0).line(500).build();
    const auto steer = [&](const VehicleView& view) {
      return law.calc_steer(view, path, path.find_nearest(view.x, view.y)) / small;
    };
    const PreviewSteering::Gains gains = law.calc_gains(u);
    const auto expect = [](double found, double expected) {
      EXPECT_NEAR(found, expected, 1e-5 * std::max(1.0, std::abs(expected)));
    };
    expect(steer({.x = 100, .y = small, .speed = u}), gains.deviation);
    expect(steer({.x = 100, .yaw = small, .speed = u}), gains.heading);
    expect(steer({.x = 100, .speed = u, .lateral_speed = small}), gains.lateral_speed);
    expect(steer({.x = 100, .speed = u, .yaw_rate = small}), gains.yaw_rate);
    expect(steer({.x = 100, .speed = u, .steer = small}), gains.steer);
    EXPECT_LT(gains.deviation, 0);
    EXPECT_EQ(gains.steer == 0, lag == 0);
  }
}

// A vehicle whose wheels already point where it has to go gets the same command: on a steady circle
// the lag changes nothing.
TEST(PreviewSteering, HoldsASteadyCircleBehindALag) {
  PreviewFigures f = make_figures();
  const double radius = 400, u = 20, r = u / radius, L = f.front + f.rear;
  const double rear_slip = f.mass * f.front / L * u * r / f.rear_stiffness;
  const double front_slip = f.mass * f.rear / L * u * r / f.front_stiffness;
  const double v = f.rear * r - u * rear_slip + 0.5 * (f.front - f.rear) * r;
  const double steer = L / radius + front_slip - rear_slip;
  const Path path = make_circle(0, radius, radius, -kPi / 2);
  f.lag = 0.2;
  f.steer_gain = 0.9;  // the wheels have less than was asked for
  const VehicleView view{.yaw = -std::atan2(v, u),
                         .speed = u,
                         .lateral_speed = v,
                         .yaw_rate = r,
                         .steer = 0.9 * steer};
  EXPECT_NEAR(PreviewSteering(f).calc_steer(view, path, path.find_nearest(0, 0)), steer,
              2e-3 * steer);
}

// Figures of one vehicle must never stand in for those of another.
TEST(PreviewSteering, NamesTheFigureThatIsNotGiven) {
  const std::vector<std::pair<double PreviewFigures::*, std::string>> needed = {
      {&PreviewFigures::mass, "mass"},
      {&PreviewFigures::yaw_inertia, "yaw_inertia"},
      {&PreviewFigures::front, "front"},
      {&PreviewFigures::rear, "rear"},
      {&PreviewFigures::front_stiffness, "front_stiffness"},
      {&PreviewFigures::rear_stiffness, "rear_stiffness"}};
  for (const auto& [member, name] : needed) {
    PreviewFigures figures = make_figures();
    figures.*member = PreviewFigures{}.*member;
    try {
      const PreviewSteering steering(figures);
      ADD_FAILURE() << name;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(": " + name + " must be > 0"), std::string::npos)
          << error.what();
    }
  }
}

// Until the instant it drives; then it holds what it did, or what it is told, and goes on so from a
// saved state. Waiting for a steady motion it does not act while the speed changes.
TEST(OpenLoop, HoldsWhatItDidAtTheInstant) {
  DriverSetup setup;
  setup.path = make_circle(0, 60, 60, -kPi / 2);
  setup.steering = PreviewSteering(make_figures());
  setup.speed = keep_speed(12);
  setup.open_loop = OpenLoop{.after = 0.5, .is_when_steady = true, .throttle = {}, .brake = 0.35};
  Driver driver(setup), other(setup);
  KinematicVehicle vehicle{.view = {.speed = 7}};
  Command last;
  double opened = 0;
  for (int i = 0; i < 3000; ++i) {
    const Command command = driver.update(vehicle.view);
    if (driver.is_open() && opened == 0) {
      opened = vehicle.view.time;
      EXPECT_NEAR(vehicle.view.speed, 12, 0.3);
      EXPECT_EQ(command.steer, last.steer);
      EXPECT_EQ(command.throttle, last.throttle);
      other.set_state(driver.state());
      last = command;
    } else if (opened > 0) {
      ASSERT_EQ(command.steer, last.steer);
      ASSERT_EQ(command.throttle, last.throttle);
      ASSERT_EQ(command.brake, 0.35);
      ASSERT_EQ(other.update(vehicle.view).steer, command.steer);
    } else {
      last = command;
    }
    vehicle.step(command, 0.01);
  }
  EXPECT_GT(opened, 2);
}

TEST(OpenLoop, KeepsTheStandardsShapes) {
  const SteerStep step{.start = 1.3, .rise_time = 0.12, .angle = -0.04};
  EXPECT_EQ(calc_steer(step, 1.3), 0);
  EXPECT_NEAR(calc_steer(step, 1.36), -0.02, 1e-12);
  EXPECT_EQ(calc_steer(step, 1.421), -0.04);
  const SteerRamp ramp{.start = 2, .rate = 0.01, .angle = -0.05};
  EXPECT_NEAR(calc_steer(ramp, 4), -0.02, 1e-15);
  EXPECT_NEAR(calc_steer(ramp, 40), -0.05, 1e-15);
  const SteerSineWithDwell dwell{.start = 1, .amplitude = 0.05};
  EXPECT_NEAR(calc_steer(dwell, 1 + 0.25 / 0.7), 0.05, 1e-12);
  for (const double t : {0.75 / 0.7, 0.75 / 0.7 + 0.3, 0.75 / 0.7 + 0.4999}) {
    EXPECT_NEAR(calc_steer(dwell, 1 + t), -0.05, 1e-12);
  }
  EXPECT_EQ(calc_steer(dwell, 1 + 1 / 0.7 + 0.51), 0);
  const SteerSine sine{.start = 1, .amplitude = 0.03, .frequency = 0.4, .periods = 2};
  EXPECT_NEAR(calc_steer(sine, 1 + 1.25 / 0.4), 0.03, 1e-12);
  EXPECT_EQ(calc_steer(sine, 1 + 2.001 / 0.4), 0);
  const SteerTable table{.angle = {.x = {1, 3}, .y = {0.1, -0.1}}};
  EXPECT_NEAR(calc_steer(table, 2.5), -0.05, 1e-15);
  EXPECT_EQ(calc_steer(table, 9), -0.1);
}

/// Largest deviation after 40 s of the point that the law keeps on the path: pure pursuit the rear
/// axle, Stanley the front axle, preview the middle. In a curve the others run beside it.
double settle(const SteeringLaw& law, const Path& path, double x, double y, double yaw) {
  Driver driver({.steering = law, .speed = keep_speed(5), .path = path});
  KinematicVehicle vehicle{{.x = x, .y = y, .yaw = yaw, .speed = 5}};
  const double ahead = std::holds_alternative<PurePursuit>(law) ? -0.5 * kWheelbase
                       : std::holds_alternative<Stanley>(law)   ? 0.5 * kWheelbase
                                                                : 0;
  double worst = 0;
  for (int i = 0; i < 60000; ++i) {
    vehicle.step(driver.update(vehicle.view), 1e-3);
    const VehicleView& view = vehicle.view;
    const PathFoot foot = path.project(view.x + ahead * std::cos(view.yaw),
                                       view.y + ahead * std::sin(view.yaw), driver.foot());
    if (i >= 40000) worst = std::max(worst, std::abs(foot.deviation));
  }
  return worst;
}

// A step aside with bends of 3.7 m radius, where the wheels turn in 6 m: steered by the path's own
// curvature pure pursuit swung out by 3.4 m beside it.
TEST(PurePursuit, CutsBendsThatItsWheelsCannotTurn) {
  const std::vector<std::array<double, 2>> points{{0, 0}, {20, 0}, {23, 2}, {70, 2}};
  const Path path = make_spline(points);
  ASSERT_LT(path.min_radius(), 4);
  Driver driver(
      {.steering = PurePursuit{.wheelbase = kWheelbase}, .speed = keep_speed(5), .path = path});
  KinematicVehicle vehicle{{.speed = 5}};
  double worst = 0;
  for (int i = 0; i < 12000; ++i) {
    vehicle.step(driver.update(vehicle.view), 1e-3);
    worst = std::max(worst, std::abs(driver.foot().deviation));
  }
  EXPECT_LT(worst, 1.5);
  EXPECT_LT(std::abs(driver.foot().deviation), 0.02);
}

TEST(Trackers, ConvergeOnLineAndCircleAtFiveMetersPerSecond) {
  for (const SteeringLaw& law : make_trackers()) {
    SCOPED_TRACE(testing::Message() << "law " << law.index());
    const double on_line = settle(law, PathBuilder(3, 1, 0.4).line(500).build(), 2.1, 3.3, 0.1);
    const double on_circle = settle(law, make_circle(0, 30, 30, -kPi / 2), -0.8, 1.7, -0.2);
    EXPECT_LT(on_line, 0.01);
    EXPECT_LT(on_circle, 0.1);
    RecordProperty("law_" + std::to_string(law.index()),
                   std::to_string(on_line) + " " + std::to_string(on_circle));
  }
}

/// The largest deviation in the last tenth of a drive at constant speed, after a steering actuator with a lag
/// of 40 ms as the HMMWV's has.
double come_back(const SteeringLaw& law, const Path& path, VehicleView view, double duration) {
  constexpr double kStep = 5e-3, kLag = 0.04;
  // Plans over a horizon are made 25 times a second.
  const double sample_time = std::holds_alternative<MpcSteering>(law) ? 0.04 : 0.01;
  Driver driver({.steering = law,
                 .path = path,
                 .limits = {.angle = 0.45, .rate = 0.5},
                 .sample_time = sample_time});
  KinematicVehicle vehicle{view};
  double steer = 0, worst = 0;
  const double speed = view.speed;
  for (int i = 0; i < static_cast<int>(duration / kStep); ++i) {
    steer += kStep / kLag * (driver.update(vehicle.view).steer - steer);
    vehicle.step({.steer = steer}, kStep);
    vehicle.view.speed = speed;
    if (i * kStep > 0.9 * duration) worst = std::max(worst, std::abs(driver.foot().deviation));
  }
  return worst;
}

// A law linear in the deviation went from lock to lock forever, from 3 m beside a line at 5 m/s or
// 20 degrees off: its approach to the path was steeper than wheels that turn with 0.5 rad/s end in
// time. One start close to the path, without an actuator, does not show that.
TEST(Trackers, ComeBackFromAfar) {
  const std::vector<std::array<double, 2>> corners{{0, 0}, {80, 0}, {80, 60}, {0, 60}};
  struct Course {
    const char* name;
    Path path;
    double s, speed, max;  // where it starts [m]; max speed [m/s]; deviation that laws leave [m]
  };
  const std::vector<Course> courses{
      {"line", PathBuilder(-7, 2, 0.3).line(50).build(), 7, 25, 0.01},
      {"circle", make_circle(3, -2, 30, 0.4, false), 11, 10, 0.25},
      {"four points", make_spline(corners, true), 40, 10, 0.25},
      {"lane change", PathBuilder(1, 3, -0.8).line(30).lane_change(60, 3.5).line(50).build(), 5, 25,
       0.01}};
  struct Start {
    double offset, turn;  // [m], [deg]
  };
  for (const SteeringLaw& law : make_trackers()) {
    if (std::holds_alternative<Stanley>(law)) continue;      // bounds its approach by itself
    if (std::holds_alternative<MpcSteering>(law)) continue;  // plans with small angles
    for (const Course& course : courses) {
      for (const double speed : {2.0, 5.0, 10.0, 25.0}) {
        if (speed > course.speed) continue;
        for (const Start& start : std::vector<Start>{{3, 0}, {0, 20}, {-10, -90}, {9, 70}}) {
          const PathPoint foot = course.path.at(course.s);
          const VehicleView view{.x = foot.x - start.offset * foot.tangent_y,
                                 .y = foot.y + start.offset * foot.tangent_x,
                                 .yaw = heading(foot) + start.turn * kDegree,
                                 .speed = speed};
          EXPECT_LT(come_back(law, course.path, view, 60), course.max)
              << "law " << law.index() << ", " << course.name << ", " << speed << " m/s, "
              << start.offset << " m beside, " << start.turn << " deg off";
        }
      }
    }
  }
}

// Servo and tires of a vehicle take 0.2 to 0.3 s of the time to the point ahead at 5 m/s: with arcs
// that need all of it the wheels came late, and pure pursuit swung from 1.5 m on one side to as
// much on the other for 20 s and more, where its law takes 3 s.
TEST(PurePursuit, ComesBackBehindALateServo) {
  constexpr double kStep = 5e-3, kLag = 0.1;
  constexpr std::size_t kLate = 30;  // steps
  for (const double offset : {3.0, -4.7}) {
    for (const double speed : {2.0, 3.5, 5.0, 8.0, 20.0}) {
      const Path path = PathBuilder(-7, 2, 0.3).line(50).build();
      const PathPoint foot = path.at(7);
      Driver driver({.steering = PurePursuit{.wheelbase = kWheelbase},
                     .path = path,
                     .limits = {.angle = 0.45, .rate = 0.5}});
      KinematicVehicle vehicle{{.x = foot.x - offset * foot.tangent_y,
                                .y = foot.y + offset * foot.tangent_x,
                                .yaw = heading(foot),
                                .speed = speed}};
      std::vector<double> commands(kLate, 0.0);
      double steer = 0, worst = 0;
      for (int i = 0; i < 5000; ++i) {
        commands.push_back(driver.update(vehicle.view).steer);
        steer += kStep / kLag * (commands[commands.size() - 1 - kLate] - steer);
        vehicle.step({.steer = steer}, kStep);
        vehicle.view.speed = speed;
        if (i * kStep > 12) worst = std::max(worst, std::abs(driver.foot().deviation));
      }
      EXPECT_LT(worst, 0.02) << offset << " m beside, " << speed << " m/s";
    }
  }
}

// What is near is left alone, bit for bit, and beyond it no derivative that steps of second order
// see jumps: third differences across the seam fall with the spacing.
TEST(Approach, ChangesNothingNearbyAndIsSmooth) {
  const Approach approach = make_approach({.angle = 0.45, .rate = 0.5}, 3.302, 5, 3, 0.8, 1.7);
  EXPECT_GT(approach.near, 0.4);
  for (const double share : {-1.0, -0.37, 0.0, 0.61, 1.0}) {
    EXPECT_EQ(calc_seen_deviation(approach, share * approach.near), share * approach.near);
    EXPECT_EQ(bound_correction(approach, share * approach.curvature), share * approach.curvature);
  }
  const auto second = [&](double h) {
    const double e = approach.near + 0.5 * h;
    return std::abs(calc_seen_deviation(approach, e + h) - 2 * calc_seen_deviation(approach, e) +
                    calc_seen_deviation(approach, e - h)) /
           (h * h);
  };
  EXPECT_LT(second(0.01), 0.3 * second(0.02));  // as h^2
  double last = 0;
  for (double e = 0.1; e < 200; e += 0.1) {
    const double seen = calc_seen_deviation(approach, e);
    EXPECT_GT(seen, last);
    EXPECT_LT(seen, std::min(e * (1 + 1e-12), approach.far));
    EXPECT_EQ(calc_seen_deviation(approach, -e), -seen);
    last = seen;
  }
  EXPECT_GT(last, 0.9 * approach.far);
}

// Random, even senseless views: whatever is asked, the wheels are not turned farther or faster.
TEST(Driver, NeverExceedsItsLimits) {
  RandomStream random(72);
  for (const SteeringLaw& law : make_trackers()) {
    const SteeringLimits limits{.angle = 0.42, .rate = 0.37};
    Driver driver({.steering = law,
                   .speed = keep_speed(15),
                   .path = make_circle(0, 0, 40),
                   .limits = limits,
                   .sample_time = 0.02});
    VehicleView view{.steer = 3};
    double last = 0.42;
    for (int i = 0; i < 3000; ++i) {
      view.x = random.uniform(-60, 60);
      view.y = random.uniform(-60, 60);
      view.yaw = random.uniform(-9, 9);
      view.speed = random.uniform(-3, 45);
      view.yaw_rate = random.uniform(-1, 1);
      const Command command = driver.update(view);
      SCOPED_TRACE(testing::Message() << "seed 72, " << i);
      EXPECT_LE(std::abs(command.steer), limits.angle);
      EXPECT_LE(std::abs(command.steer - last), limits.rate * 0.02 * (1 + 1e-9));
      EXPECT_TRUE(command.throttle >= 0 && command.throttle <= 1);
      EXPECT_TRUE(command.brake >= 0 && command.brake <= 1);
      EXPECT_EQ(command.throttle * command.brake, 0);
      last = command.steer;
      view.time += 0.02;
    }
  }
}

const std::vector<std::array<double, 2>> kPoints{{0, 0},   {25, 3},   {48, -6}, {70, -4},
                                                 {95, 13}, {120, 20}, {150, 18}};

std::vector<Command> drive(const SteeringLaw& law, const Path& path, const VehicleView& start) {
  Driver driver({.steering = law, .speed = keep_speed(9), .path = path});
  KinematicVehicle vehicle{start};
  std::vector<Command> commands;
  for (int i = 0; i < 12000; ++i) {
    commands.push_back(driver.update(vehicle.view));
    vehicle.step(commands.back(), 1e-3);
  }
  return commands;
}

TEST(Driver, DoesNotCareWhereTheWorldIs) {
  const double turn = 2.37, shift_x = 10000, shift_y = -7000;
  const auto move = [&](double x, double y) -> std::array<double, 2> {
    return {shift_x + std::cos(turn) * x - std::sin(turn) * y,
            shift_y + std::sin(turn) * x + std::cos(turn) * y};
  };
  std::vector<std::array<double, 2>> moved;
  for (const auto& [x, y] : kPoints) moved.push_back(move(x, y));
  for (const SteeringLaw& law : make_trackers()) {
    const VehicleView start{.x = 1.2, .y = 0.7, .yaw = 0.15, .speed = 6};
    VehicleView there = start;
    there.x = move(start.x, start.y)[0];
    there.y = move(start.x, start.y)[1];
    there.yaw += turn;
    const auto here = drive(law, make_spline(kPoints), start),
               far = drive(law, make_spline(moved), there);
    for (std::size_t i = 0; i < here.size(); ++i) {
      ASSERT_NEAR(here[i].steer, far[i].steer, 1e-9) << "law " << law.index() << ", step " << i;
      ASSERT_NEAR(here[i].throttle, far[i].throttle, 1e-9);
    }
  }
}

TEST(Driver, IsItsOwnMirrorImageExactly) {
  std::vector<std::array<double, 2>> mirrored;
  for (const auto& [x, y] : kPoints) mirrored.push_back({x, -y});
  for (const SteeringLaw& law : make_trackers()) {
    const VehicleView start{.x = 1.2, .y = 0.7, .yaw = 0.15, .speed = 6};
    VehicleView image = start;
    image.y = -start.y;
    image.yaw = -start.yaw;
    const auto left = drive(law, make_spline(kPoints), start),
               right = drive(law, make_spline(mirrored), image);
    for (std::size_t i = 0; i < left.size(); ++i) {
      ASSERT_EQ(left[i].steer, -right[i].steer) << "law " << law.index() << ", step " << i;
      ASSERT_EQ(left[i].throttle, right[i].throttle);
      ASSERT_EQ(left[i].brake, right[i].brake);
    }
  }
}

TEST(Driver, GoesOnFromItsStateBitForBit) {
  for (const SteeringLaw& law : make_trackers()) {
    const DriverSetup setup{.steering = law, .speed = keep_speed(9), .path = make_spline(kPoints)};
    Driver first(setup);
    KinematicVehicle vehicle{{.x = 1, .y = 0.6, .speed = 5}};
    for (int i = 0; i < 4321; ++i) vehicle.step(first.update(vehicle.view), 1e-3);
    Driver second(setup);
    second.set_state(first.state());
    EXPECT_EQ(second.foot().deviation, first.foot().deviation);
    for (int i = 0; i < 4000; ++i) {
      const Command a = first.update(vehicle.view), b = second.update(vehicle.view);
      ASSERT_EQ(a.steer, b.steer);
      ASSERT_EQ(a.throttle, b.throttle);
      vehicle.step(a, 1e-3);
    }
    EXPECT_EQ(first.state(), second.state());
  }
}

TEST(Driver, ThinksAtItsSampleTimeAndAllocatesNothing) {
  for (const SteeringLaw& law : make_trackers()) {
    Driver driver({.steering = law, .speed = keep_speed(9), .path = make_spline(kPoints)});
    KinematicVehicle vehicle{{.x = 1, .y = 0.6, .speed = 5}};
    const long before = allocation_count();
    int changes = 0;
    double last = 0;
    for (int i = 0; i < 3000; ++i) {
      const Command command = driver.update(vehicle.view);
      changes += command.steer != last ? 1 : 0;
      last = command.steer;
      vehicle.step(command, 1e-3);
    }
    EXPECT_EQ(allocation_count(), before);
    EXPECT_LE(changes, 301);
    EXPECT_GE(changes, 290);
  }
}

// The values are those of tables, bit for bit; only points next to what was asked for are computed,
// each once, also for copies.
TEST(CurveFamily, IsATableThatIsComputedWhereItIsNeeded) {
  const std::vector<Table> tables{{.x = {-2, 0.5, 3.1, 9}, .y = {4, -1.3, 7.7, 0.1}},
                                  {.x = {-2, 0.5, 3.1, 9}, .y = {-6, 2.9, 2.2, 5}}};
  std::vector<int> calls(4);
  const CurveFamily family(tables[0].x, 2, [&](std::size_t k, std::span<double> values) {
    ++calls[k];
    for (std::size_t i = 0; i < 2; ++i) values[i] = tables[i].y[k];
  });
  EXPECT_EQ(family.at(0, 0.9), value_at(tables[0], 0.9));
  EXPECT_EQ(calls, (std::vector<int>{0, 1, 1, 0}));
  const CurveFamily copy = family, known(tables);
  for (double x = -3.3; x < 11; x += 0.37) {
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(copy.at(i, x), value_at(tables[i], x)) << x;
      EXPECT_EQ(known.at(i, x), value_at(tables[i], x)) << x;
    }
  }
  EXPECT_EQ(calls, (std::vector<int>{1, 1, 1, 1}));
  const CurveFamily bad({0, 1}, 1, [](std::size_t, std::span<double> values) { values[0] = NAN; });
  EXPECT_THROW(bad.at(0, 0.5), std::invalid_argument);
  EXPECT_THROW(CurveFamily({tables[0], {.x = {0, 1}, .y = {0, 1}}}), std::invalid_argument);
}

// From rest to 15 m/s, then to 8 m/s, then to a stop that is held; uphill and downhill.
TEST(SpeedControl, ReachesKeepsAndEndsASpeed) {
  for (const double grade : {0.0, 0.06, -0.06}) {
    SCOPED_TRACE(grade);
    SpeedControl control = keep_speed(0);
    control.profile.speed = {.x = {0, 2, 14, 30, 34, 45, 50}, .y = {0, 0, 15, 15, 8, 8, 0}};
    control.force = {{.x = {0}, .y = {0}}, {.x = {0}, .y = {4.6 * 2597}}};
    control.mass = 2700;  // the driver's guess is off by 4 %
    Driver driver({.speed = control});
    VehicleView view{.grade = grade};
    double last_asked = 0;
    for (int i = 0; i < 60000; ++i) {
      const Command command = driver.update(view);
      const double asked = driver.state()[8];
      if (view.speed > 0.3) {
        EXPECT_LE(std::abs(asked - last_asked), 2 * 0.01 + 1e-9);
      }
      last_asked = asked;
      const double pull = 4.6 * command.throttle - (1.5 * view.speed * view.speed) / 2597 -
                          9.81 * grade / std::hypot(1, grade);
      const double hold = 13.8 * command.brake + 0.147;
      // Dry friction: it slows down, and then holds what is less.
      double v = view.speed + 1e-3 * pull;
      v = v > 0 ? std::max(0.0, v - 1e-3 * hold) : std::min(0.0, v + 1e-3 * hold);
      view.speed = v;
      view.time += 1e-3;
      if (view.time > 24 && view.time < 30) {
        EXPECT_NEAR(view.speed, 15, 0.15);
      }
      if (view.time > 42 && view.time < 45) {
        EXPECT_NEAR(view.speed, 8, 0.15);
      }
      EXPECT_LT(view.speed, 15.6);
      if (view.time > 55) {
        EXPECT_EQ(view.speed, 0);
        EXPECT_EQ(command.throttle, 0);
        EXPECT_GT(command.brake, 0.2);
      }
    }
  }
}

// Backward, uphill of the rear: the pedals of its mirror image. A driver that counted speeds
// forward saw too little of them, gave throttle, and went backward ever faster.
TEST(SpeedControl, HoldsASpeedBackward) {
  SpeedControl control = keep_speed(3.5);
  Driver ahead({.speed = control});
  control.is_backward = true;
  Driver back({.speed = control});
  VehicleView view{.grade = 0.04};
  for (int i = 0; i < 30000; ++i) {
    VehicleView image = view;
    image.speed = -view.speed;
    image.acceleration = -view.acceleration;
    image.grade = -view.grade;
    const Command command = back.update(image), same = ahead.update(view);
    ASSERT_EQ(command.throttle, same.throttle);
    ASSERT_EQ(command.brake, same.brake);
    view.acceleration = 4.6 * command.throttle - 13.8 * command.brake - 0.15 - 9.81 * 0.04;
    view.speed = std::max(0.0, view.speed + 1e-3 * view.acceleration);
    view.time += 1e-3;
  }
  EXPECT_NEAR(view.speed, 3.5, 0.05);
}

// Ten seconds against a wall wind nothing up: after it is gone the speed overshoots no more than
// without.
TEST(SpeedControl, DoesNotWindUp) {
  SpeedControl control = keep_speed(12);
  control.force = {{.x = {0}, .y = {0}}, {.x = {0}, .y = {4.6 * 2597}}};
  double overshoot[2] = {0, 0};
  for (const int is_held : {0, 1}) {
    Driver driver({.speed = control});
    KinematicVehicle vehicle;
    for (int i = 0; i < 60000; ++i) {
      const Command command = driver.update(vehicle.view);
      vehicle.step(command, 1e-3);
      if (is_held == 1 && vehicle.view.time < 10) vehicle.view.speed = 0;
      overshoot[is_held] = std::max(overshoot[is_held], vehicle.view.speed - 12);
    }
  }
  EXPECT_LT(overshoot[0], 0.4);
  EXPECT_NEAR(overshoot[1], overshoot[0], 0.05);
}

TEST(Driver, SaysWhatIsWrong) {
  const auto message = [](const DriverSetup& setup) -> std::string {
    try {
      Driver{setup};
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({.steering = PurePursuit{.wheelbase = kWheelbase}}),
            "Driver: needs a path to follow");
  EXPECT_EQ(message({.limits = {.rate = -1}}), "Driver: limits.rate must be > 0, got -1");
  EXPECT_EQ(message({.steering = SteerTable{.angle = {.x = {1, 1}, .y = {0, 1}}}}),
            "steering.angle: must ascend, has 1 after 1");
  SpeedControl weightless = keep_speed(5);
  weightless.mass = 0;
  EXPECT_EQ(message({.speed = weightless}), "SpeedControl: mass must be > 0, got 0");
}

}  // namespace
}  // namespace camber::autonomy
