// Mechanisms whose constraints relax, in time: what is known of clutches, belts, coins and discs.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/multibody/mechanism_file.h"
#include "camber/run/test/mechanism_runs.h"

namespace camber::run {
namespace {

using multibody::Formulation;
using multibody::Mechanism;
using multibody::MechanismDynamics;
using multibody::Observation;

struct History {
  std::vector<double> times;
  std::vector<Observation> seen;
  const Observation& at(double t) const {
    std::size_t i = 0;
    while (i + 1 < times.size() && times[i] < t - 1e-9) ++i;
    return seen[i];
  }
};

History run(const Mechanism& mechanism, double duration, RunMethod method = RunMethod::kDopri,
            Formulation formulation = Formulation::kUk) {
  MechanismDynamics dynamics(mechanism, formulation);
  History history;
  const MechanismWatch watch{.sample = [&](double t, const Observation& o) {
    history.times.push_back(t);
    history.seen.push_back(o);
  }};
  const RunResult result =
      run_mechanism({.duration = duration, .method = method, .tolerance = 1e-9}, &dynamics, watch);
  EXPECT_EQ(result.status, RunStatus::kDone) << result.reason;
  return history;
}

TEST(RelaxedRun, ClutchBringsBothToOneSpeed) {
  const Mechanism mechanism = multibody::load_mechanism("scenarios/clutch.toml");
  const History history = run(mechanism, 2);
  const double together = 0.3 * 0.5 / 0.8 * 10 / 2;  // 0.9375 s
  EXPECT_NEAR(history.at(0.5).v[0], 10 - 2 / 0.5 * 0.5, 1e-6);
  EXPECT_NEAR(history.at(0.5).v[1], 2 / 0.3 * 0.5, 1e-6);
  EXPECT_GT(history.at(together - 0.02).v[0] - history.at(together - 0.02).v[1], 0.1);
  EXPECT_NEAR(history.at(2).v[0], 6.25, 1e-7);
  EXPECT_NEAR(history.at(2).v[1], 6.25, 1e-7);
}

TEST(RelaxedRun, BeltTakesTheBlockToWhereItsSpringIsAsStrong) {
  const Mechanism mechanism = multibody::load_mechanism("scenarios/block-on-belt.toml");
  const History history = run(mechanism, 20);
  const int block = 1;
  const double limit = 0.4 * 1.5 * 9.81;
  const double rides = (limit - 3 * 0.1) / 200 / 0.1;  // the damper takes a part
  EXPECT_NEAR(history.at(0.9 * rides).v[block], 0.1, 1e-7);
  EXPECT_NEAR(history.at(20).q[block], limit / 200, 1e-6);
  EXPECT_NEAR(history.at(20).v[block], 0, 1e-6);
}

TEST(RelaxedRun, LatchHoldsThenLetsGo) {
  const Mechanism mechanism = multibody::load_mechanism("scenarios/latch.toml");
  const History history = run(mechanism, 3);
  EXPECT_NEAR(history.at(0.8).q[0], M_PI / 6, 1e-9);
  double largest = 0;
  for (const Observation& o : history.seen) largest = std::max(largest, o.q[0]);
  EXPECT_NEAR(largest, M_PI * 5 / 6, 2e-2);  // to the other side, less what the fading rod takes
}

TEST(RelaxedRun, CoinThrownWithoutSpinRollsAtTwoThirds) {
  const Mechanism mechanism = multibody::load_mechanism("scenarios/sliding-coin.toml");
  const History history = run(mechanism, 1);
  const Observation& last = history.seen.back();
  EXPECT_NEAR(std::hypot(last.v[3], last.v[5]), 2.0, 1e-6);
  EXPECT_NEAR(last.v[1] * 0.21, 2.0, 1e-6);
  const double exact = 3 * (1.0 / 3) / (0.5 * 9.81);  // slides for 0.2039 s, 0.5097 m
  const double distance = (3 + 2) / 2.0 * exact + 2 * (1 - exact);
  EXPECT_NEAR(last.poses[0], distance, 1e-4);
}

// --- The rolling disc ---

/// A uniform disc that leans by `lean` and turns with `rate` about the vertical while it rolls with
/// spin `n` along its axis (both components of its angular velocity; it has no other).
Mechanism make_disc(double lean, double rate, double n, double lean_rate, double friction) {
  constexpr double m = 1.3, r = 0.21;
  Mechanism mechanism;
  mechanism.name = "disc";
  multibody::Body disc;
  disc.name = "disc";
  disc.mass = m;
  disc.I_BBcm_B = Vector3(m * r * r / 4, m * r * r / 2, m * r * r / 4).asDiagonal();
  const auto body = mechanism.add(disc);
  multibody::Joint joint;
  joint.name = "disc";
  joint.type = multibody::JointType::kFree;
  joint.child = body;
  const Quaternion q(Eigen::AngleAxisd(lean, Vector3::UnitX()));
  const Matrix3 R = q.toRotationMatrix();
  joint.q0 = {q.w(), q.x(), q.y(), q.z(), 0, 0, r * std::cos(lean)};
  // Along the axis n, across it what the turn about the vertical gives.
  Vector3 w_B = R.transpose() * Vector3(lean_rate, 0, rate);
  w_B.y() = n;
  const Vector3 v_B = w_B.cross(r * Vector3::UnitZ());  // rolling: the lowest point is at -r z
  joint.v0 = {w_B.x(), w_B.y(), w_B.z(), v_B.x(), v_B.y(), v_B.z()};
  mechanism.add(joint);
  multibody::Rolling rolling;
  rolling.name = "edge";
  rolling.wheel = body;
  rolling.radius = r;
  if (friction > 0) {
    rolling.relaxation.friction = symbolic::Expr(friction);
    rolling.relaxation.slip_speed = 0.05;  // how sharp does not matter where it sticks
  }
  mechanism.rollings.push_back(rolling);
  return mechanism;
}

double lean_of(const Observation& o) {  // of the axis y above the ground
  const Quaternion q(o.poses[3], o.poses[4], o.poses[5], o.poses[6]);
  return std::asin((q * Vector3::UnitY()).z());
}

// Steady precession of a rolling disc, axial inertia C, A across [Routh, Advanced Rigid Dynamics,
// art. 244]: (C + m r^2) n W cos(lean) - A W^2 sin(lean) cos(lean) = -m g r sin(lean) with spin n
// along the axis and W about the vertical, lean the axis' angle above the ground.
TEST(RelaxedRun, RollingDiscPrecessesSteadily) {
  constexpr double r = 0.21, g = 9.81;
  for (const double lean : {0.2, 0.45}) {
    for (const double rate : {2.5, -4.0}) {
      const double s = std::sin(lean), c = std::cos(lean);
      const double n = (0.25 * rate * rate * s * c - g / r * s) / (1.5 * rate * c);
      const History history = run(make_disc(lean, rate, n, 0, 3), 3);
      for (const Observation& o : history.seen) EXPECT_NEAR(lean_of(o), lean, 1e-5) << rate;
      // Turns about the vertical as told.
      const Observation& o = history.at(1.0);
      const Quaternion q(o.poses[3], o.poses[4], o.poses[5], o.poses[6]);
      const Vector3 axis = q * Vector3::UnitY();
      const double turned = std::atan2(-axis.x(), axis.y());
      EXPECT_NEAR(std::remainder(turned - rate, 2 * M_PI), 0, 1e-5);
    }
  }
}

// Upright it is stable above v^2 = g r / 3 for a uniform disc.
TEST(RelaxedRun, UprightDiscIsStableAboveItsKnownSpeed) {
  constexpr double r = 0.21;
  const double critical = std::sqrt(9.81 * r / 3);
  const auto largest_lean = [&](double speed) {
    const History history = run(make_disc(1e-4, 0, speed / r, 1e-3, 3), 3);
    double largest = 0;
    for (const Observation& o : history.seen) largest = std::max(largest, std::abs(lean_of(o)));
    return largest;
  };
  EXPECT_LT(largest_lean(1.05 * critical), 3e-3);
  EXPECT_GT(largest_lean(0.95 * critical), 1e-2);
}

// With friction enough it is the rolling constraint.
TEST(RelaxedRun, RelaxedRollingIsRollingWhereItGrips) {
  const History relaxed = run(make_disc(0.3, 1.1, 9, 0.4, 5), 1.5);
  const History rolling =
      run(make_disc(0.3, 1.1, 9, 0.4, 0), 1.5, RunMethod::kDopri, Formulation::kCe);
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(relaxed.seen.back().poses[i], rolling.seen.back().poses[i], 2e-6) << i;
  }
}

// --- A vehicle that stands ---

/// A cart whose four wheels are held, on ground that slopes down along x; contacts are as tires for
/// standstill.
Mechanism make_cart(double slope, double friction) {
  Mechanism cart;
  cart.name = "cart";
  cart.gravity = 9.81 * Vector3(std::sin(slope), 0, -std::cos(slope));
  multibody::Body chassis;
  chassis.name = "chassis";
  chassis.mass = 420;
  chassis.p_BoBcm_B = {0.13, -0.04, 0.25};
  chassis.I_BBcm_B = Vector3(80, 210, 240).asDiagonal();
  const auto body = cart.add(chassis);
  multibody::Joint joint;
  joint.name = "chassis";
  joint.type = multibody::JointType::kFree;
  joint.child = body;
  joint.q0 = {1, 0, 0, 0, 0, 0, 0.3};
  cart.add(joint);
  for (const double x : {-0.9, 1.1}) {
    for (const double y : {-0.7, 0.7}) {
      multibody::Rolling wheel;
      wheel.name = "wheel" + std::to_string(cart.rollings.size());
      wheel.wheel = body;
      wheel.p_BC_B = {x, y, 0};
      wheel.radius = 0.3;
      wheel.relaxation.friction = symbolic::Expr(friction);
      cart.rollings.push_back(wheel);
    }
  }
  return cart;
}

// Four contacts on a rigid body: one normal force too many, and friction with two too many.
TEST(RelaxedRun, ParkedCartStaysAndASlipperyOneSlides) {
  const double slope = 0.35;  // tan = 0.365
  const History parked = run(make_cart(slope, 0.4), 3, RunMethod::kRk4);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(parked.seen.back().poses[i], 0, 1e-9);
  const History sliding = run(make_cart(slope, 0.2), 1, RunMethod::kRk4);
  const double a = 9.81 * (std::sin(slope) - 0.2 * std::cos(slope));
  // It starts a little early: below slip_speed, 0.02 m/s, the four contacts also pull sideways.
  EXPECT_NEAR(sliding.seen.back().poses[0], a / 2, 2.5e-3);
  EXPECT_NEAR(sliding.seen.back().poses[1], 0, 1e-5);
  EXPECT_NEAR(sliding.seen.back().v_dot[3], a, 1e-6);
}

}  // namespace
}  // namespace camber::run
