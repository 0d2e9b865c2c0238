// Unforced systems with holonomic constraints or none: their energy, closed forms, and the same
// motion in other coordinates.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "camber/symbolic/expr.h"
#include "tests/simulation/simulate.h"

namespace camber {
namespace {

using namespace lagrange;
using symbolic::symbol;

// Two points on massless rods, angles from the vertical, y up.
constexpr double kM1 = 1.3, kM2 = 0.7, kL1 = 0.9, kL2 = 1.4, kG = 9.81;

System make_double_pendulum() {
  System system;
  system.name = "double pendulum";
  const Expr a = system.add_coordinate("a"), b = system.add_coordinate("b");
  const Frame upper = rotate(Axis::kZ, a);
  const Frame lower = upper * translate(0, -symbol("l1"), 0) * rotate(Axis::kZ, b - a);
  system.bodies = {
      make_body("upper", Point{upper, Vector3(0, -symbol("l1"), 0)}, symbol("m1"), 0, 0, 0),
      make_body("lower", Point{lower, Vector3(0, -symbol("l2"), 0)}, symbol("m2"), 0, 0, 0)};
  system.gravity = Vector3(0, -symbol("g"), 0);
  system.parameters = {{symbol("l1"), kL1},
                       {symbol("l2"), kL2},
                       {symbol("m1"), kM1},
                       {symbol("m2"), kM2},
                       {symbol("g"), kG}};
  return system;
}

// The textbook's equations, solved for the accelerations by hand.
integrate::Ode make_textbook_double_pendulum() {
  return {.size = 4, .f = [](double, std::span<const double> x, std::span<double> x_dot) {
            const double d = x[0] - x[1], c = std::cos(d), s = std::sin(d);
            const double f1 = -kM2 * kL2 * x[3] * x[3] * s - (kM1 + kM2) * kG * std::sin(x[0]);
            const double f2 = kL1 * x[2] * x[2] * s - kG * std::sin(x[1]);
            x_dot[0] = x[2];
            x_dot[1] = x[3];
            x_dot[2] = (f1 - kM2 * c * f2) / (kL1 * (kM1 + kM2 * s * s));
            x_dot[3] = ((kM1 + kM2) * f2 - c * f1) / (kL2 * (kM1 + kM2 * s * s));
            return true;
          }};
}

TEST(DoublePendulum, MovesAsTheTextbookSays) {
  SimulationModel model(make_double_pendulum());
  const std::array<double, 4> x0{1.9, -0.7, 0.3, -0.4};
  const auto times = integrate::make_times(0, 5, 50);
  const auto ours = integrate::integrate(make_ode(&model), x0, times, tight());
  const auto textbook =
      integrate::integrate(make_textbook_double_pendulum(), x0, times, tight(1e-12));
  ASSERT_TRUE(ours.result.ok()) << ours.result.text;
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      EXPECT_NEAR(ours.x(i)[k], textbook.x(i)[k], 1e-7) << "t = " << times[i];
    }
  }
}

TEST(DoublePendulum, KeepsItsEnergyForAHundredSeconds) {
  const System system = make_double_pendulum();
  SimulationModel model(system);
  const auto energy = model.observe(total_energy(system));
  const std::array<double, 4> x0{1.9, -0.7, 0.3, -0.4};
  const auto run =
      integrate::integrate(make_ode(&model), x0, integrate::make_times(0, 100, 200), tight());
  ASSERT_TRUE(run.result.ok()) << run.result.text;
  const double start = energy(0, x0);
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    EXPECT_NEAR(energy(run.times[i], run.x(i)), start, 1e-7 * std::abs(start));
  }
}

// The same two points in Cartesian coordinates, held by two rods that are constraints.
System make_cartesian_double_pendulum(bool swap_constraints) {
  System system;
  system.name = "double pendulum by constraints";
  const Expr x1 = system.add_coordinate("x1"), y1 = system.add_coordinate("y1"),
             x2 = system.add_coordinate("x2"), y2 = system.add_coordinate("y2");
  system.bodies = {make_body("upper", origin(translate(x1, y1, 0)), kM1, 0, 0, 0),
                   make_body("lower", origin(translate(x2, y2, 0)), kM2, 0, 0, 0)};
  system.gravity = Vector3(0, -kG, 0);
  const Expr dx = x2 - x1, dy = y2 - y1;
  system.constraints = {{"upper_rod", x1 * x1 + y1 * y1 - kL1 * kL1},
                        {"lower_rod", dx * dx + dy * dy - kL2 * kL2}};
  if (swap_constraints) std::swap(system.constraints[0], system.constraints[1]);
  return system;
}

std::vector<double> cartesian_start(SimulationModel* model) {
  const auto v = [](const char* name, int order = 0) { return symbolic::variable(name, order); };
  const double a = 1.9, b = -0.7, wa = 0.3, wb = -0.4;
  return consistent_state(model, {{v("x1"), kL1 * std::sin(a)},
                                  {v("y1"), -kL1 * std::cos(a)},
                                  {v("x2"), kL1 * std::sin(a) + kL2 * std::sin(b)},
                                  {v("y2"), -kL1 * std::cos(a) - kL2 * std::cos(b)},
                                  {v("x1", 1), kL1 * std::cos(a) * wa},
                                  {v("y1", 1), kL1 * std::sin(a) * wa},
                                  {v("x2", 1), kL1 * std::cos(a) * wa + kL2 * std::cos(b) * wb},
                                  {v("y2", 1), kL1 * std::sin(a) * wa + kL2 * std::sin(b) * wb}});
}

TEST(DoublePendulum, MovesTheSameByConstraintsInAnyOrderAndDoesNotDrift) {
  const auto times = integrate::make_times(0, 5, 50);
  const std::array<double, 4> x0{1.9, -0.7, 0.3, -0.4};
  const auto textbook =
      integrate::integrate(make_textbook_double_pendulum(), x0, times, tight(1e-12));
  for (const bool swapped : {false, true}) {
    SCOPED_TRACE(testing::Message() << "swapped " << swapped);
    SimulationModel model(make_cartesian_double_pendulum(swapped));
    const auto run =
        integrate::integrate(make_ode(&model), cartesian_start(&model), times, tight());
    ASSERT_TRUE(run.result.ok()) << run.result.text;
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_LT(model.constraint_error(times[i], run.x(i)), 1e-13);
      EXPECT_NEAR(run.x(i)[0], kL1 * std::sin(textbook.x(i)[0]), 1e-7);
      EXPECT_NEAR(run.x(i)[2] - run.x(i)[0], kL2 * std::sin(textbook.x(i)[1]), 1e-7);
    }
  }
}

TEST(DoublePendulum, DriftsWithoutProjectionLessWithBaumgarte) {
  const auto drift_after_20_s = [](double rate) {
    SimulationModel model(make_cartesian_double_pendulum(false), {.baumgarte = {rate}});
    auto ode = make_ode(&model);
    ode.project = {};
    const auto x0 = cartesian_start(&model);
    const auto run = integrate::integrate(ode, x0, integrate::make_times(0, 20, 2), tight(1e-7));
    EXPECT_TRUE(run.result.ok()) << run.result.text;
    return model.constraint_error(20, run.x(2));
  };
  const double plain = drift_after_20_s(0), stabilized = drift_after_20_s(20);
  EXPECT_GT(plain, 1e-5);
  EXPECT_LT(stabilized, 0.01 * plain);
}

// Crank, rod and slider, the loop closed by two constraints. No force acts, so the energy
// 1/2 J(q) q'^2 is constant, with J from the kinematics of the loop in closed form.
constexpr double kCrank = 0.31, kRod = 0.83, kCrankInertia = 0.045, kRodMass = 0.6,
                 kRodInertia = 0.037, kSlider = 1.1;

double reduced_inertia(double q) {
  const double sin_rod = kCrank / kRod * std::sin(q), cos_rod = std::sqrt(1 - sin_rod * sin_rod);
  const double rod_rate = -kCrank * std::cos(q) / (kRod * cos_rod);  // per q'
  const double slider_rate = -kCrank * std::sin(q) + kRod * sin_rod * rod_rate;
  const double x_rate = -kCrank * std::sin(q) + kRod / 2 * sin_rod * rod_rate;
  const double y_rate = kCrank * std::cos(q) / 2;
  return kCrankInertia + kRodMass * (x_rate * x_rate + y_rate * y_rate) +
         kRodInertia * rod_rate * rod_rate + kSlider * slider_rate * slider_rate;
}

TEST(SliderCrank, FollowsTheClosedFormThroughTheDeadCenters) {
  System system;
  system.name = "slider-crank";
  const Expr q = system.add_coordinate("q"), rod = system.add_coordinate("rod"),
             s = system.add_coordinate("s");
  const Frame crank = rotate(Axis::kZ, q);
  const Frame T_rod = translate(kCrank * cos(q), kCrank * sin(q), 0) * rotate(Axis::kZ, rod);
  system.bodies = {
      make_body("crank", origin(crank), 0, 0, 0, kCrankInertia),
      make_body("rod", Point{T_rod, Vector3(kRod / 2, 0, 0)}, kRodMass, 0, 0, kRodInertia),
      make_body("slider", origin(translate(s, 0, 0)), kSlider, 0, 0, 0)};
  system.constraints = {{"close_x", kCrank * cos(q) + kRod * cos(rod) - s},
                        {"close_y", kCrank * sin(q) + kRod * sin(rod)}};
  SimulationModel model(system);
  const double w0 = 3.7, q0 = 0.4;
  const auto x0 = consistent_state(&model, {{q, q0, true}, {s, 1.0}, {rate_of(q), w0, true}});
  EXPECT_NEAR(x0[2],
              kCrank * std::cos(q0) + std::sqrt(kRod * kRod - std::pow(kCrank * std::sin(q0), 2)),
              1e-12);
  const auto run =
      integrate::integrate(make_ode(&model), x0, integrate::make_times(0, 10, 400), tight());
  ASSERT_TRUE(run.result.ok()) << run.result.text;
  double turned = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const auto x = run.x(i);
    const double w = w0 * std::sqrt(reduced_inertia(q0) / reduced_inertia(x[0]));
    EXPECT_NEAR(x[3], w, 1e-8 * w0) << "t = " << run.times[i];
    EXPECT_LT(model.constraint_error(run.times[i], x), 1e-12);
    turned = x[0];
  }
  EXPECT_GT(turned, 4 * M_PI);
}

// A free body with three different moments of inertia under gravity, once with rates of Euler
// angles as speeds, once with body-fixed velocities.
Body make_brick(const Frame& frame) {
  return make_body("brick", Point{frame, Vector3(0.1, -0.2, 0.05)}, 2.3, 0.7, 1.1, 1.5, 0.04, -0.06,
                   0.09);
}

TEST(FreeBody, MovesTheSameInQuasiVelocitiesAndEulerAngles) {
  const auto pose_of = [](const std::vector<Expr>& c) {
    return translate(c[0], c[1], c[2]) * euler_angles("ZYX", c[3], c[4], c[5]);
  };
  std::vector<Expr> c;
  System angles;
  angles.name = "Euler angles";
  for (const char* name : {"x", "y", "z", "yaw", "pitch", "roll"}) {
    c.push_back(angles.add_coordinate(name));
  }
  angles.bodies = {make_brick(pose_of(c))};
  angles.gravity = Vector3(0.4, -0.3, -9.81);

  System quasi;
  quasi.name = "body-fixed velocities";
  const Frame frame = quasi.add_base("brick", pose_of(c), c);
  quasi.bodies = {make_brick(frame)};
  quasi.gravity = angles.gravity;

  SimulationModel by_angles(angles), by_velocities(quasi);
  ASSERT_EQ(by_angles.state_size(), 12);
  ASSERT_EQ(by_velocities.state_size(), 12);
  const std::vector<double> start{0.3, -0.2, 1.1, 0.4, 0.5, -0.3, 0.6, -0.9, 2.0, 0.7, -1.2, 1.6};
  std::vector<double> quasi_start = start;
  const Twist twist = pose_of(c).twist();  // u from q', by the definition of the velocities
  for (int k = 0; k < 3; ++k) {
    quasi_start[6 + k] = by_angles.observe(twist.w[k])(0, start);
    quasi_start[9 + k] = by_angles.observe(twist.v[k])(0, start);
  }
  const auto times = integrate::make_times(0, 3, 60);
  const auto one = integrate::integrate(make_ode(&by_angles), start, times, tight());
  const auto other = integrate::integrate(make_ode(&by_velocities), quasi_start, times, tight());
  ASSERT_TRUE(one.result.ok() && other.result.ok()) << one.result.text << other.result.text;
  const auto energy = by_velocities.observe(total_energy(quasi));
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (int k = 0; k < 6; ++k) {
      EXPECT_NEAR(one.x(i)[k], other.x(i)[k], 1e-7) << "t = " << times[i] << ", " << k;
    }
    EXPECT_NEAR(energy(times[i], other.x(i)), energy(0, quasi_start), 1e-8);
  }
}

// A symmetric top on a fixed point: mass at l on the axis, moments A across (about the point), C.
constexpr double kTopMass = 0.8, kTopLength = 0.12, kTopC = 0.0021, kTopA = 0.0163;

System make_top(const Frame& frame, System system) {
  system.name = "top";
  const double about_center = kTopA - kTopMass * kTopLength * kTopLength;
  system.bodies = {make_body("top", Point{frame, Vector3(0, 0, kTopLength)}, kTopMass, about_center,
                             about_center, kTopC)};
  system.gravity = Vector3(0, 0, -kG);
  return system;
}

// Steady precession at the angle theta: A cos(theta) W^2 - C n W + m g l = 0, with n the spin about
// the axis: [Goldstein 1980] eq. 5-77.
TEST(SpinningTop, PrecessesSteadilyAtBothSpeeds) {
  const double theta0 = 0.6, n = 260, mgl = kTopMass * kG * kTopLength;
  const double root = std::sqrt(kTopC * n * kTopC * n - 4 * kTopA * std::cos(theta0) * mgl);
  for (const double sign : {-1.0, 1.0}) {
    const double W = (kTopC * n + sign * root) / (2 * kTopA * std::cos(theta0));
    SCOPED_TRACE(testing::Message() << "precession at " << W << " rad/s");
    System system;
    const Expr psi = system.add_coordinate("psi"), theta = system.add_coordinate("theta"),
               phi = system.add_coordinate("phi");
    SimulationModel model(make_top(euler_angles("ZXZ", psi, theta, phi), system));
    const std::array<double, 6> x0{0.2, theta0, -0.4, W, 0, n - W * std::cos(theta0)};
    const auto run =
        integrate::integrate(make_ode(&model), x0, integrate::make_times(0, 2, 40), tight());
    ASSERT_TRUE(run.result.ok()) << run.result.text;
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      EXPECT_NEAR(run.x(i)[1], theta0, 1e-8);
      EXPECT_NEAR(run.x(i)[0], 0.2 + W * run.times[i], 1e-7 * (1 + W));
    }
  }
}

// Upright, the top sleeps while C^2 n^2 > 4 A m g l.
TEST(SpinningTop, SleepsAboveItsLimitAndFallsBelow) {
  const double limit = std::sqrt(4 * kTopA * kTopMass * kG * kTopLength) / kTopC;
  const auto largest_tilt = [&](double n) {
    System system;
    const Expr a = system.add_coordinate("a"), b = system.add_coordinate("b"),
               c = system.add_coordinate("c");
    SimulationModel model(
        make_top(rotate(Axis::kX, a) * rotate(Axis::kY, b) * rotate(Axis::kZ, c), system));
    const std::array<double, 6> x0{1e-5, 2e-5, 0.3, 0, 0, n};
    const auto run =
        integrate::integrate(make_ode(&model), x0, integrate::make_times(0, 4, 400), tight(1e-10));
    EXPECT_TRUE(run.result.ok()) << run.result.text;
    double tilt = 0;
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      tilt = std::max(tilt, std::hypot(run.x(i)[0], run.x(i)[1]));
    }
    return tilt;
  };
  EXPECT_LT(largest_tilt(1.02 * limit), 5e-4);
  EXPECT_GT(largest_tilt(0.95 * limit), 5e-2);
}

}  // namespace
}  // namespace camber
