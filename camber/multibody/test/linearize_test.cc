#include "camber/multibody/linearize.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/math/dense.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/mechanism_file.h"

namespace camber::multibody {
namespace {

LinearizedMechanism linearize_at_start(const MechanismDynamics& dynamics) {
  return linearize(dynamics.tree(), dynamics.partition(), dynamics.initial_q(),
                   dynamics.initial_v());
}

MechanismDynamics make_dynamics(const std::string& text) {
  return MechanismDynamics(
      parse_mechanism("kind = \"mechanism\"\nname = \"m\"\n" + text, "m.toml"));
}

/// By imaginary part, then by real part.
std::vector<std::complex<double>> eigenvalues(const MatrixX<double>& A) {
  const math::Eigensystem found = math::calc_eigen(A);
  std::vector<std::complex<double>> values(found.values.begin(), found.values.end());
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return a.imag() != b.imag() ? a.imag() < b.imag() : a.real() < b.real();
  });
  return values;
}

TEST(Linearize, GivesAMassOnASpringWithDamping) {
  const double m = 3.7, k = 812, c = 21;
  const auto dynamics = make_dynamics(R"(
[bodies.mass]
mass = 3.7
inertia = [0.2, 0.3, 0.4, 0, 0, 0]
[joints]
rail = { type = "prismatic", child = "mass", at = [0, 0, 0], axis = "x", stiffness = 812, damping = 21 }
)");
  const LinearizedMechanism linear = linearize_at_start(dynamics);
  EXPECT_EQ(linear.states, (std::vector<std::string>{"rail", "rail'"}));
  MatrixX<double> expected(2, 2);
  expected << 0, 1, -k / m, -c / m;
  EXPECT_LT((linear.A - expected).norm(), 1e-12 * expected.norm());
  EXPECT_EQ(linear.y_dot[0], 0);
}

// q'' = -m g l sin(q - a) / I about the pin: -m g l cos(a) / I at the state q = a.
TEST(Linearize, GivesAPendulumAtAnyAngle) {
  const auto dynamics = make_dynamics(R"(
[bodies.bob]
mass = 2.3
center = [0, 0, -0.7]
inertia = [0.11, 0.13, 0.07, 0, 0, 0]
[joints]
pin = { type = "revolute", child = "bob", at = [0, 0, 0], axis = "y", position = 0.6, speed = 1.7 }
)");
  const LinearizedMechanism linear = linearize_at_start(dynamics);
  const double rate = 2.3 * 9.81 * 0.7 / (0.13 + 2.3 * 0.7 * 0.7);
  EXPECT_NEAR(linear.A(1, 0), -rate * std::cos(0.6), 1e-12 * rate);
  EXPECT_NEAR(linear.A(1, 1), 0, 1e-12);
  EXPECT_NEAR(linear.y_dot[0], -rate * std::sin(0.6), 1e-12 * rate);
  EXPECT_DOUBLE_EQ(linear.y[0], 1.7);
}

// A body that spins about its axis of symmetry and is free of torques: in body axes disturbances
// of the speeds go around with (C - A) / A times the spin, displacements with the spin itself.
TEST(Linearize, GivesTheWobbleOfASpinningBody) {
  const double A = 0.31, C = 0.52, spin = 7.3;
  const auto dynamics = make_dynamics(R"(
gravity = [0, 0, 0]
[bodies.top]
mass = 1.9
inertia = [0.31, 0.31, 0.52, 0, 0, 0]
[joints]
ball = { type = "spherical", child = "top", at = [0, 0, 0], speed = [0, 0, 7.3] }
)");
  const LinearizedMechanism linear = linearize_at_start(dynamics);
  ASSERT_EQ(linear.A.rows(), 6);
  std::vector<double> found;
  for (const auto& value : eigenvalues(linear.A)) {
    EXPECT_NEAR(value.real(), 0, 1e-6);  // a double root at zero
    found.push_back(value.imag());
  }
  const double slow = spin * (C - A) / A;
  const double expected[] = {-spin, -slow, 0, 0, slow, spin};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
}

// Under gravity the same top on its point, upright: in axes that do not spin, lean alpha + i beta =
// exp(s t) with A s^2 - i C W s - m g h = 0, a sleeping top [Goldstein, Classical Mechanics, 5.7]; in
// its own axes gravity would turn around it.
TEST(Linearize, GivesTheNutationOfASleepingTopInAxesThatDoNotSpin) {
  const double spin = 20, m = 1.9, h = 0.4, g = 9.81, C = 0.52, A = 0.31 + m * h * h;
  const auto dynamics = make_dynamics(R"(
[bodies.top]
mass = 1.9
center = [0, 0, 0.4]
inertia = [0.31, 0.31, 0.52, 0, 0, 0]
[joints]
ball = { type = "spherical", child = "top", at = [0, 0, 0], speed = [0, 0, 20] }
)");
  const LinearizedMechanism linear =
      linearize(dynamics.tree(), dynamics.partition(), dynamics.initial_q(), dynamics.initial_v(),
                nullptr, SpinAxes::kCarrier);
  ASSERT_EQ(linear.spinning, std::vector<std::string>{"top"});
  EXPECT_LT(linear.y_dot.norm(), 1e-12);
  const double root = std::sqrt(C * C * spin * spin - 4 * A * m * g * h);
  for (const double expected : {(C * spin + root) / (2 * A), (C * spin - root) / (2 * A)}) {
    double nearest = 1e300;
    for (const auto& value : eigenvalues(linear.A))
      nearest = std::min(nearest, std::abs(value - std::complex<double>(0, expected)));
    EXPECT_LT(nearest, 1e-9) << expected;
  }
}

// A disc that rolls upright, as a mechanism and by the closed form of [Neimark and Fufaev 1972]:
// lean and yaw go as exp(s t) with A (A + m R^2) s^2 = A m g R - C (C + m R^2) V^2 / R^2.
TEST(Linearize, GivesTheWobbleOfARollingDiscInAxesThatDoNotSpin) {
  const double m = 0.8, R = 0.21, V = 1.3, A = m * R * R / 4, C = m * R * R / 2;
  const auto dynamics = make_dynamics(R"(
[parameters]
m = 0.8
R = 0.21
V = 1.3
[bodies.disc]
frame = { at = [0, 0, "R"] }
mass = "m"
inertia = ["m*R^2/4", "m*R^2/2", "m*R^2/4"]
[joints.disc]
type = "free"
child = "disc"
speed = [0, "V/R", 0, "V", 0, 0]
[rolling.edge]
wheel = "disc"
center = { body = "disc", at = [0, 0, 0] }
axis = { body = "disc", axis = "y" }
radius = "R"
)");
  const LinearizedMechanism linear =
      linearize(dynamics.tree(), dynamics.partition(), dynamics.initial_q(), dynamics.initial_v(),
                nullptr, SpinAxes::kCarrier);
  ASSERT_EQ(linear.spinning, std::vector<std::string>{"disc"});
  EXPECT_LT(linear.y_dot.norm(), 1e-12);
  const double square =
      (A * m * 9.81 * R - C * (C + m * R * R) * V * V / (R * R)) / (A * (A + m * R * R));
  ASSERT_LT(square, 0);
  double nearest = 1e300;
  for (const auto& value : eigenvalues(linear.A))
    nearest = std::min(nearest, std::abs(value - std::complex<double>(0, std::sqrt(-square))));
  EXPECT_LT(nearest, 1e-9);
}

// A free body that moves straight ahead and rotates: seen from the body, a displacement (xi, rho)
// of a motion without forces stays constant in the world, so xi' = xi x w and rho' = xi x u - w x
// rho for disturbances that leave the speeds in the world alone.
TEST(Linearize, GivesTheDisplacementsOfAFreeBody) {
  const auto dynamics = make_dynamics(R"(
gravity = [0, 0, 0]
[bodies.stone]
mass = 1.9
inertia = [0.31, 0.31, 0.31, 0, 0, 0]
[joints]
way = { type = "free", child = "stone", at = [0, 0, 0], speed = [0.4, -0.7, 1.1, 2.3, 0.6, -1.9] }
)");
  const LinearizedMechanism linear = linearize_at_start(dynamics);
  ASSERT_EQ(linear.displacement_count, 6);
  const Vector3 w(0.4, -0.7, 1.1), u(2.3, 0.6, -1.9);
  for (int k = 0; k < 3; ++k) {
    const Vector3 e = Vector3::Unit(k);
    EXPECT_LT((linear.A.block<3, 1>(0, k) - e.cross(w)).norm(), 1e-12);
    EXPECT_LT((linear.A.block<3, 1>(3, k) - e.cross(u)).norm(), 1e-12);
    EXPECT_LT((linear.A.block<3, 1>(3, 3 + k) + w.cross(e)).norm(), 1e-12);
  }
  EXPECT_LT((linear.A.block<6, 6>(0, 6) - Matrix6::Identity()).norm(), 1e-12);
}

TEST(Linearize, MatchesCentralDifferences) {
  for (const char* file :
       {"models/four-bar.toml", "models/spatial-four-bar.toml", "models/stewart-platform.toml",
        "models/double-wishbone.toml", "models/rolling-coin.toml", "models/crank-slider.toml"}) {
    SCOPED_TRACE(file);
    const MechanismDynamics dynamics(load_mechanism(file));
    const MechanismTree& tree = dynamics.tree();
    const Partition& partition = dynamics.partition();
    VectorX<double> driven = VectorX<double>::Zero(tree.model.nv);
    for (int k = 0; k < tree.model.nv; ++k) {
      if (tree.motions[k]) driven[k] = 0.3;
    }
    // Off the kinks of dampers at rest.
    VectorX<double> v0 = dynamics.initial_v();
    for (const int k : partition.v_of_y) v0[k] += 0.37;
    const LinearizedMechanism linear =
        linearize(tree, partition, dynamics.initial_q(), v0, &driven);
    const int nd = linear.displacement_count, ny = partition.ny();
    ASSERT_GE(nd, ny);
    ASSERT_EQ(static_cast<int>(linear.states.size()), nd + ny);
    EmbeddedWork<double> work(tree.model, partition);
    const auto at = [&](int state, double h) {
      VectorX<double> q = dynamics.initial_q(), v = v0;
      VectorX<double> move = VectorX<double>::Zero(tree.model.nv), v_dot = move;
      const auto place = std::find(tree.v_names.begin(), tree.v_names.end(),
                                   state < nd ? linear.states[state] : linear.states[state - nd]);
      (state < nd ? move : v)[place - tree.v_names.begin()] += h;
      move_positions(tree.model, move, &q);
      EXPECT_TRUE(
          calc_embedded_dynamics(tree.model, partition, &driven, &work, &q, &v, &v_dot).ok());
      VectorX<double> y_dot(ny);
      for (int i = 0; i < ny; ++i) y_dot[i] = v_dot[partition.v_of_y[i]];
      return y_dot;
    };
    const double h = 1e-5;
    for (int state = 0; state < nd + ny; ++state) {
      const VectorX<double> expected = (at(state, h) - at(state, -h)) / (2 * h);
      EXPECT_LT((linear.A.col(state).tail(ny) - expected).norm(),
                1e-6 * (1 + linear.A.norm() + expected.norm()))
          << linear.states[state];
    }
  }
}

TEST(Equilibrium, IsBelowThePinAlsoFromNearTheTop) {
  const auto dynamics = make_dynamics(R"(
[bodies.bob]
mass = 2.3
center = [0.1, 0, -0.7]
inertia = [0.11, 0.13, 0.07, 0, 0, 0]
[joints]
pin = { type = "revolute", child = "bob", at = [0, 0, 0], axis = "y", position = 2.9 }
)");
  VectorX<double> q = dynamics.initial_q();
  const EquilibriumResult result = find_equilibrium(dynamics.tree(), dynamics.partition(), &q);
  EXPECT_TRUE(result.found) << result.acceleration;
  // The center hangs straight down.
  EXPECT_NEAR(std::remainder(q[0] - std::atan2(0.1, 0.7), 2 * M_PI), 0, 1e-10);
}

TEST(Equilibrium, IsFoundForLoops) {
  for (const char* file : {"models/four-bar.toml", "models/stewart-platform.toml"}) {
    SCOPED_TRACE(file);
    const MechanismDynamics dynamics(load_mechanism(file));
    VectorX<double> q = dynamics.initial_q();
    const EquilibriumResult result = find_equilibrium(dynamics.tree(), dynamics.partition(), &q);
    EXPECT_TRUE(result.found) << result.acceleration << " after " << result.iterations;
    const VectorX<double> rest = VectorX<double>::Zero(dynamics.nv());
    const LinearizedMechanism linear = linearize(dynamics.tree(), dynamics.partition(), q, rest);
    for (const auto& value : eigenvalues(linear.A)) EXPECT_LT(value.real(), 1e-9);
  }
}

TEST(Linearize, SaysWhatDoesNotFit) {
  const MechanismDynamics dynamics(load_mechanism("models/four-bar.toml"));
  const VectorX<double> wrong = VectorX<double>::Zero(1);
  EXPECT_THROW(linearize(dynamics.tree(), dynamics.partition(), wrong, wrong),
               std::invalid_argument);
}

}  // namespace
}  // namespace camber::multibody
