// Rolling and skating: d'Alembert-Lagrange against closed forms, and what the vakonomic equations
// of 001 eq. 9 make of the same models (docs/theory/lagrange.md).
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/integrate/fixed_step.h"
#include "tests/simulation/simulate.h"

namespace camber {
namespace {

using namespace lagrange;
using symbolic::variable;

// A blade on a plane that falls along x with 10 degrees: no motion across the blade.
constexpr double kMass = 1.0, kInertia = 1.0, kSpin = 2.0;
const double kPull = 9.81 * std::sin(10 * M_PI / 180);  // [m/s^2]

System make_knife_edge() {
  System system;
  system.name = "knife edge";
  const Expr x = system.add_coordinate("x"), y = system.add_coordinate("y"),
             psi = system.add_coordinate("psi");
  system.bodies = {make_body("blade", origin(translate(x, y, 0) * rotate(Axis::kZ, psi)), kMass, 0,
                             0, kInertia)};
  system.gravity = Vector3(kPull, 0, 0);
  system.constraints = {{"no_side_slip", -rate_of(x) * sin(psi) + rate_of(y) * cos(psi),
                         Constraint::Kind::kNonholonomic}};
  return system;
}

// [Neimark, Fufaev 1972]: psi = W t, speed along the blade g/W sin(W t), so that
// x = g / (2 W^2) sin^2(W t),  y = g / (2 W^2) (W t - sin(W t) cos(W t)): it never leaves a strip.
TEST(KnifeEdge, StaysInItsStripAsTheClosedFormSays) {
  SimulationModel model(make_knife_edge());
  const auto x0 = consistent_state(&model, {{variable("psi", 1), kSpin, true}});
  const auto run =
      integrate::integrate(make_ode(&model), x0, integrate::make_times(0, 10, 200), tight());
  ASSERT_TRUE(run.result.ok()) << run.result.text;
  const double half_width = kPull / (2 * kSpin * kSpin);
  EXPECT_NEAR(half_width, 0.213, 5e-4);
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const double a = kSpin * run.times[i], s = std::sin(a);
    EXPECT_NEAR(run.x(i)[0], half_width * s * s, 1e-8);
    EXPECT_NEAR(run.x(i)[1], half_width * (a - s * std::cos(a)), 1e-8);
    EXPECT_NEAR(run.x(i)[2], a, 1e-9);
    EXPECT_LT(model.constraint_error(run.times[i], run.x(i)), 1e-13);
  }
}

// The vakonomic equations by hand, from rest along the blade and lambda = 0: two integrals leave
//   J psi'' = m g^2 t^2 sin(psi) cos(psi),  x' = g t cos^2(psi),  y' = g t sin(psi) cos(psi).
TEST(KnifeEdge, LeavesTheStripInTheVakonomicForm) {
  SimulationModel model(make_knife_edge(), {.derivation = {DerivationOptions::Method::kVakonomic}});
  EXPECT_EQ(model.state_size(), 7);  // the multiplier has become part of the state
  auto x0 = consistent_state(&model, {{variable("psi", 1), kSpin, true}});
  const double end = 10;
  const auto run =
      integrate::integrate(make_ode(&model), x0, integrate::make_times(0, end, 100), tight());
  ASSERT_TRUE(run.result.ok()) << run.result.text;

  integrate::FixedStepper by_hand(integrate::Ode{
      .size = 4, .f = [](double t, std::span<const double> s, std::span<double> s_dot) {
        const double sine = std::sin(s[0]), cosine = std::cos(s[0]);
        s_dot[0] = s[1];
        s_dot[1] = kMass * kPull * kPull * t * t * sine * cosine / kInertia;
        s_dot[2] = kPull * t * cosine * cosine;
        s_dot[3] = kPull * t * sine * cosine;
        return true;
      }});
  std::array<double, 4> s{0, kSpin, 0, 0};
  const int steps = 20'000;
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(by_hand.step(end * i / steps, end / steps, s).ok());
  }
  const auto last = run.x(run.times.size() - 1);
  EXPECT_NEAR(last[2], s[0], 1e-6);
  EXPECT_NEAR(last[0], s[2], 1e-6);
  EXPECT_NEAR(last[1], s[3], 1e-6);
  EXPECT_NEAR(last[0], 21.90, 5e-3);  // [m], against a strip of 0.21 m
}

// A thin disc that rolls without slip, z up, contact point at (x, y): moments C about its axle, A
// across.
constexpr double kDisc = 2.6, kRadius = 0.35, kGravity = 9.81;
constexpr double kC = 0.5 * kDisc * kRadius * kRadius, kA = kC / 2;

System make_disc(bool swap_constraints = false) {
  System system;
  system.name = "rolling disc";
  const Expr x = system.add_coordinate("x"), y = system.add_coordinate("y"),
             psi = system.add_coordinate("psi"), phi = system.add_coordinate("phi"),
             theta = system.add_coordinate("theta");
  const Frame heading = translate(x, y, 0) * rotate(Axis::kZ, psi);
  const Frame wheel =
      heading * rotate(Axis::kX, phi) * translate(0, 0, kRadius) * rotate(Axis::kY, theta);
  system.bodies = {make_body("disc", origin(wheel), kDisc, kA, kC, kA)};
  system.gravity = Vector3(0, 0, -kGravity);
  const Point contact{wheel, Vector3(kRadius * sin(theta), 0, -kRadius * cos(theta))};
  const Vector3 slip = velocity(contact, Velocity::kEulerian, heading).components;
  system.constraints = {{"rolls", slip[0], Constraint::Kind::kNonholonomic},
                        {"no_side_slip", slip[1], Constraint::Kind::kNonholonomic}};
  if (swap_constraints) std::swap(system.constraints[0], system.constraints[1]);
  return system;
}

// Small lean phi0 while rolling straight with spin W, no yaw rate: [Neimark, Fufaev 1972] section
// III.2,
//   (A + m r^2) phi'' = m g r phi - (C + m r^2) W psi',   A psi' = C W (phi - phi0),
// stable above W^2 = A m g r / (C (C + m r^2)), for this disc v^2 = g r / 3.
TEST(RollingDisc, IsStableAboveTheExactSpeed) {
  const double mr2 = kDisc * kRadius * kRadius, mgr = kDisc * kGravity * kRadius;
  const double critical = std::sqrt(kA * mgr / (kC * (kC + mr2)));
  EXPECT_NEAR(critical * kRadius, std::sqrt(kGravity * kRadius / 3), 1e-12);
  const double phi0 = 1e-6;
  for (const double factor : {0.9, 0.99, 1.01, 1.2}) {
    SCOPED_TRACE(testing::Message() << "at " << factor << " times the critical speed");
    const double W = factor * critical;
    SimulationModel model(make_disc());
    const auto x0 = consistent_state(&model, {{variable("phi"), phi0, true},
                                              {variable("phi", 1), 0, true},
                                              {variable("psi", 1), 0, true},
                                              {variable("theta", 1), W, true}});
    const auto run =
        integrate::integrate(make_ode(&model), x0, integrate::make_times(0, 3, 60), tight(1e-12));
    ASSERT_TRUE(run.result.ok()) << run.result.text;
    const double gain = (kC + mr2) * kC * W * W / (kA * (kA + mr2));
    const double square = gain - mgr / (kA + mr2);  // of the frequency, negative when unstable
    EXPECT_EQ(square > 0, factor > 1);
    const double w = std::sqrt(std::abs(square));
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const double t = run.times[i], wave = square > 0 ? std::cos(w * t) : std::cosh(w * t);
      const double lean = phi0 * (gain / square + (1 - gain / square) * wave);
      EXPECT_NEAR(run.x(i)[3], lean, 1e-4 * phi0 * (1 + std::abs(wave))) << "t = " << t;
    }
  }
}

TEST(RollingDisc, KeepsItsEnergyAndItsTrackWhateverTheOrderOfConstraints) {
  const auto times = integrate::make_times(0, 6, 120);
  std::vector<integrate::Trajectory> runs;
  for (const bool swapped : {false, true}) {
    const System system = make_disc(swapped);
    SimulationModel model(system);
    const auto x0 = consistent_state(&model, {{variable("phi"), 0.4, true},
                                              {variable("psi", 1), 1.3, true},
                                              {variable("phi", 1), -0.2, true},
                                              {variable("theta", 1), 7.0, true}});
    const auto energy = model.observe(total_energy(system));
    runs.push_back(integrate::integrate(make_ode(&model), x0, times, tight()));
    const auto& run = runs.back();
    ASSERT_TRUE(run.result.ok()) << run.result.text;
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_NEAR(energy(times[i], run.x(i)), energy(0, x0), 1e-7 * std::abs(energy(0, x0)));
      EXPECT_LT(model.constraint_error(times[i], run.x(i)), 1e-12);
    }
  }
  for (std::size_t i = 0; i < runs[0].states.size(); ++i) {
    EXPECT_NEAR(runs[0].states[i], runs[1].states[i], 1e-6);
  }
}

TEST(RollingDisc, IsTheSameByStiffAndByExplicitSteps) {
  SimulationModel model(make_disc());
  const auto x0 = consistent_state(&model, {{variable("phi"), 0.3, true},
                                            {variable("psi", 1), 0.9, true},
                                            {variable("theta", 1), 6.0, true}});
  const auto times = integrate::make_times(0, 2, 20);
  const auto one = integrate::integrate(make_ode(&model), x0, times, tight());
  auto options = tight();
  options.method = integrate::Method::kBdf;
  const auto other = integrate::integrate(make_ode(&model), x0, times, options);
  ASSERT_TRUE(one.result.ok() && other.result.ok()) << one.result.text << other.result.text;
  EXPECT_GT(other.statistics.jacobians, 0);
  for (std::size_t i = 0; i < one.states.size(); ++i) {
    EXPECT_NEAR(one.states[i], other.states[i], 1e-6);
  }
}

}  // namespace
}  // namespace camber
