// Mechanisms that are tiny or huge, far away, long, roughly guessed, or that come to their
// equilibrium around a dead point.

#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/inverse_dynamics.h"
#include "camber/multibody/linearize.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/test/spans.h"

namespace camber::multibody {
namespace {

// Coordinates that are named as independent are to stay where they are guessed, if they can: what
// they hold fast may be what keeps the loops open.
TEST(Assembly, FindsItsWayFromRoughGuesses) {
  const Mechanism design = load_mechanism("models/stewart-platform.toml");
  std::mt19937 random(7);
  const auto off = [&] { return 0.1 * (2.0 * static_cast<double>(random()) / 4294967295.0 - 1); };
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(testing::Message() << "guess " << i << ", seed 7");
    Mechanism mechanism = design;
    for (Joint& joint : mechanism.joints) {
      if (joint.name.starts_with("base")) joint.q0 = {off(), off()};
      if (joint.name.starts_with("leg")) joint.q0 = {off()};
    }
    EXPECT_NO_THROW(MechanismDynamics dynamics(mechanism));
  }
}

// Two arms in a line with the rod that is to hold their end, and the rod longer than the way: no
// small turn of an arm changes it, so steps along the errors' gradient stayed where they began.
TEST(Assembly, LeavesAStretchedStart) {
  const Mechanism mechanism = parse_mechanism(R"toml(
kind = "mechanism"
name = "stretched"
[bodies]
upper = { mass = 1.2, box = [0.4, 0.1, 0.1], center = [0.3, 0, 0] }
lower = { mass = 0.7, box = [0.5, 0.1, 0.1], center = [1.1, 0, 0] }
[joints]
a = { type = "revolute", child = "upper", at = [0, 0, 0], axis = "y" }
b = { type = "revolute", parent = "upper", child = "lower", at = [0.8, 0, 0], axis = "y" }
[rods]
r = { b = "lower", points = [[1.9, 0, 0], [1.4, 0, 0]], length = 0.9 }
)toml",
                                              "stretched.toml");
  MechanismDynamics dynamics(mechanism);
  const double a = dynamics.initial_q()[0], b = a + dynamics.initial_q()[1];
  // Turns about y take x to -z: the rod's end is at 0.8 (cos a, -sin a) + 0.6 (cos b, -sin b).
  const double x = 0.8 * std::cos(a) + 0.6 * std::cos(b),
               z = -0.8 * std::sin(a) - 0.6 * std::sin(b);
  EXPECT_NEAR(std::hypot(x - 1.9, z), 0.9, 1e-11);
  EXPECT_GT(std::abs(z), 0.1);
}

// From the crank's start downhill its coordinate ends at a dead point, where the rocker goes on.
TEST(Equilibrium, IsFoundBeyondDeadPoints) {
  const Mechanism mechanism = parse_mechanism(R"toml(
kind = "mechanism"
name = "nested"
gravity = [0.3, 0, -9.81]
[points]
A = [0, 0, 0]
B = [0.1, 0, 0.2]
C = [0.6, 0, 0.35]
D = [0.5, 0, -0.1]
E = [0.35, 0, 0.6]
F = [0.9, 0, 0.7]
G = [1.0, 0, 0.1]
[bodies]
crank = { mass = 1, rod = { from = "A", to = "B", radius = 0.02 } }
coupler = { mass = 2, rod = { from = "B", to = "C", radius = 0.02 } }
rocker = { mass = 1.5, rod = { from = "D", to = "C", radius = 0.02 } }
arm = { mass = 0.7, rod = { from = "E", to = "F", radius = 0.02 } }
arm2 = { mass = 0.8, rod = { from = "F", to = "G", radius = 0.02 } }
slider = { mass = 0.5, center = "G", box = [0.1, 0.1, 0.1] }
[joints]
a = { type = "revolute", child = "crank", at = "A", axis = "y" }
b = { type = "revolute", parent = "crank", child = "coupler", at = "B", axis = "y" }
c = { type = "revolute", parent = "coupler", child = "rocker", at = "C", axis = "y" }
d = { type = "revolute", child = "rocker", at = "D", axis = "y" }
e = { type = "revolute", parent = "coupler", child = "arm", at = "E", axis = "y", stiffness = 10 }
f = { type = "revolute", parent = "arm", child = "arm2", at = "F", axis = "y" }
g = { type = "revolute", parent = "arm2", child = "slider", at = "G", axis = "y" }
h = { type = "prismatic", child = "slider", at = "G", axis = [1, 0, 0.2] }
)toml",
                                              "nested.toml");
  MechanismDynamics dynamics(mechanism);
  VectorX<double> q = dynamics.initial_q();
  const EquilibriumResult result = find_equilibrium(dynamics.tree(), dynamics.partition(), &q);
  ASSERT_TRUE(result.found) << result.iterations << " steps, " << result.acceleration;
  // At rest it stays, by another formulation, too.
  MechanismDynamics ta(mechanism, Formulation::kTa);
  const VectorX<double> v = VectorX<double>::Zero(ta.nv());
  VectorX<double> v_dot(ta.nv());
  ASSERT_TRUE(ta.calc_accelerations(0, in(q), in(v), out(&v_dot))) << ta.why();
  EXPECT_LT(v_dot.cwiseAbs().maxCoeff(), 1e-8);
  // And it is stable.
  const LinearizedMechanism linear =
      linearize(dynamics.tree(), result.partition ? *result.partition : dynamics.partition(), q, v);
  for (const auto& root : math::calc_eigen(linear.A).values) EXPECT_LT(root.real(), 1e-6);
}

// For a light base that carries a body, rounding leaves a pivot other than zero, of either sign: the
// base is to blame, not what it carries.
TEST(Blame, NamesTheBaseWithoutInertia) {
  for (const char* roll : {"30", "37", "11"}) {
    try {
      const MechanismDynamics dynamics(parse_mechanism(
          concat("kind = \"mechanism\"\nname = \"no_base\"\n[bodies]\nbase = { mass = 0 }\n"
                 "l1 = { mass = 2, center = [0, 0, 0.5], inertia = [0.1, 0.2, 0.15, 0.01, 0.02, "
                 "0.03] }\n[joints]\nf = { type = \"free\", child = \"base\" }\n"
                 "j = { type = \"revolute\", parent = \"base\", child = \"l1\", parent_frame = { "
                 "at = [0, 0, 1], euler_deg = [",
                 roll, ", 20, 0] }, child_frame = { at = [0, 0, 0.3], euler_deg = [1, 2, 3] } }\n"),
          "m.toml"));
      ADD_FAILURE() << "has accelerations";
    } catch (const MechanismError& error) {
      EXPECT_NE(std::string(error.what()).find("body \"base\""), std::string::npos) << error.what();
    }
  }
}

/// Three pins about z, y and z of the one before, askew in W; the first two carry bodies of `mass`.
Mechanism make_gimbal(double mass) {
  const std::string light = concat("{ mass = ", mass, ", center = [0.02, 0.03, -0.01], inertia = [",
                                   2e-3 * mass, ", ", 3e-3 * mass, ", ", 2.5e-3 * mass, "] }\n");
  return parse_mechanism(
      concat(
          "kind = \"mechanism\"\nname = \"gimbal\"\n[bodies]\nouter = ", light, "inner = ", light,
          "rotor = { mass = 7.3, center = [0.11, -0.07, 0.05], inertia = [0.13, 0.21, 0.17, 0.01, "
          "0.02, -0.03] }\n[joints]\n"
          "turn = { type = \"revolute\", child = \"outer\", parent_frame = { at = [0.3, 0.2, "
          "0.9], euler_deg = [31, 17, 43] }, position = 0.3, speed = 1.7 }\n"
          "tilt = { type = \"revolute\", parent = \"outer\", child = \"inner\", "
          "parent_frame = { axis = \"y\" }, child_frame = { axis = \"y\" }, position = 0.4, "
          "speed = -0.9 }\n"
          "spin = { type = \"revolute\", parent = \"inner\", child = \"rotor\", at = [0, 0, 0], "
          "axis = \"z\", position = "
          "-0.2, speed = 2.3 }\n"),
      "gimbal.toml");
}

/// M v' = -h: by the mass matrix and inverse dynamics, in place of the recursion.
VectorX<double> solve_directly(const Model<double>& model, const VectorX<double>& q,
                               const VectorX<double>& v) {
  PositionKinematics<double> pos(model);
  VelocityKinematics<double> vel(model);
  Forces<double> none(model);
  calc_position_kinematics(model, q, &pos);
  calc_velocity_kinematics(model, pos, v, static_cast<const VectorX<double>*>(nullptr), &vel);
  MatrixX<double> M;
  calc_mass_matrix(model, pos, &M);
  std::vector<Spatial<double>> carried;
  VectorX<double> tau;
  calc_inverse_dynamics(model, pos, vel, none, &carried, &tau);
  return math::solve_symmetric(M, -tau);
}

// The outer and the last axis of a gimbal come to lie in one line while it moves. What is left of
// the inertia along the outer one is then rounding, of either sign, and accelerations with it were
// of any size.
TEST(ForwardDynamics, NamesTheJointThatLosesItsInertiaOnTheWay) {
  for (const Formulation formulation : {Formulation::kCe, Formulation::kTa}) {
    SCOPED_TRACE(to_text(formulation));
    MechanismDynamics dynamics(make_gimbal(0), formulation);
    VectorX<double> q = dynamics.initial_q(), v_dot(3);
    const VectorX<double> v = dynamics.initial_v();
    for (const double tilt : {0.4, 1e-2, 1e-4}) {
      q[1] = tilt;
      ASSERT_TRUE(dynamics.calc_accelerations(0, in(q), in(v), out(&v_dot))) << tilt;
      // The smaller the angle, the more digits are gone in both.
      const VectorX<double> expected = solve_directly(dynamics.model(), q, v);
      EXPECT_LT((v_dot - expected).norm(), 1e-13 / (tilt * tilt) * expected.norm()) << tilt;
    }
    for (const double tilt : {1e-8, -3e-9, 0.0}) {
      q[1] = tilt;
      EXPECT_FALSE(dynamics.calc_accelerations(1.5, in(q), in(v), out(&v_dot))) << tilt;
      EXPECT_NE(dynamics.why().find("moves no inertia: body \"outer\""), std::string::npos)
          << dynamics.why();
    }
  }
}

// Bodies that are a millionth of what they carry are light, and no mistake.
TEST(ForwardDynamics, TakesLightBodiesBehindHeavyOnes) {
  MechanismDynamics dynamics(make_gimbal(7e-6));
  VectorX<double> q = dynamics.initial_q(), v_dot(3);
  const VectorX<double> v = dynamics.initial_v();
  for (const double tilt : {0.4, 1e-3, 1e-9, 0.0}) {
    q[1] = tilt;
    ASSERT_TRUE(dynamics.calc_accelerations(0, in(q), in(v), out(&v_dot))) << dynamics.why();
    const VectorX<double> expected = solve_directly(dynamics.model(), q, v);
    EXPECT_LT((v_dot - expected).norm(), 1e-6 * expected.norm()) << tilt;
  }
}

}  // namespace
}  // namespace camber::multibody
