// Mechanisms that are tiny or huge, far away, long, roughly guessed, or that come to their
// equilibrium around a dead point.

#include <cmath>
#include <random>
#include <span>
#include <string>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/linearize.h"
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
  for (const auto& root : linear.A.eigenvalues()) EXPECT_LT(root.real(), 1e-6);
}

// Of a light base that carries a body, rounding leaves a pivot other than zero, of either sign: the
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

}  // namespace
}  // namespace camber::multibody
