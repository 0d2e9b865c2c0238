// Mechanisms that have no accelerations, from the start or from some time on: what is to blame.

#include <cmath>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/library.h"
#include "camber/multibody/mechanism_file.h"

namespace camber::multibody {
namespace {

/// Element and message, or "ok".
std::string start(const std::string& text, Formulation formulation = Formulation::kCe) {
  try {
    const MechanismDynamics dynamics(
        parse_mechanism(concat("kind = \"mechanism\"\nname = \"m\"\n", text), "m.toml"),
        formulation);
  } catch (const MechanismError& error) {
    return concat(error.element(), " | ", error.what());
  }
  return "ok";
}

TEST(Blame, NamesTheJointWithoutInertia) {
  const std::string point = R"toml(
[bodies]
a = { mass = 1.3 }
[joints]
arm = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
)toml";
  for (const Formulation formulation : {Formulation::kCe, Formulation::kTa, Formulation::kUk}) {
    EXPECT_EQ(start(point, formulation),
              "joint \"arm\" | mechanism \"m\": joint \"arm\" moves no inertia: body "
              "\"a\" or a body that it carries needs mass or inertia there at t = 0 s");
  }
  // A point mass off the axis has some; one on the axis of its own arm has none.
  EXPECT_EQ(start(R"toml(
[bodies]
a = { mass = 1.3, center = [0.2, 0.1, 0] }
[joints]
arm = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
)toml"),
            "ok");
  const std::string tip = start(R"toml(
[bodies]
a = { mass = 1.3, center = [0.2, 0.1, 0], inertia = [0.1, 0.12, 0.13] }
b = { mass = 0.7, center = [0.4, 0.1, 0.3] }
[joints]
arm = { type = "revolute", child = "a", at = [0, 0, 0], axis = [0.2, 0.1, 1] }
hand = { type = "spherical", parent = "a", child = "b", at = [0.4, 0.1, 0.3] }
)toml");
  EXPECT_EQ(tip.substr(0, 14), "joint \"hand\" |") << tip;
}

// Inertia that overflows was taken for none, of no joint in particular.
TEST(Blame, NamesTheJointWhoseInertiaIsNoNumber) {
  const std::string far = start(R"toml(
[bodies]
a = { mass = 1.3, inertia = [0.1, 0.12, 0.13] }
b = { mass = 0.7, inertia = [0.1, 0.12, 0.13] }
[joints]
arm = { type = "revolute", child = "a", at = [0.2, 0, 0], axis = "z" }
far = { type = "revolute", child = "b", at = [1e300, 1e300, 0], axis = "z", position = 1e300 }
)toml");
  EXPECT_EQ(far,
            "joint \"far\" | mechanism \"m\": what joint \"far\" carries is so large or so far "
            "away that its inertia is not finite at t = 0 s");
}

// Four speeds of a four-bar, of which one is free: the second contradicts the first.
TEST(Blame, NamesTheSpeedThatContradictsThoseBefore) {
  MechanismPlaces places;
  const std::string text = R"toml(kind = "mechanism"
name = "m"
[bodies]
crank = { mass = 1.1, rod = { from = [0, 0, 0], to = [0.1, 0, 0.2], radius = 0.02 } }
coupler = { mass = 2.1, rod = { from = [0.1, 0, 0.2], to = [0.6, 0, 0.35], radius = 0.02 } }
rocker = { mass = 1.5, rod = { from = [0.5, 0, -0.1], to = [0.6, 0, 0.35], radius = 0.02 } }
[joints]
a = { type = "revolute", child = "crank", at = [0, 0, 0], axis = "y", speed = 1.3 }
b = { type = "revolute", parent = "crank", child = "coupler", at = [0.1, 0, 0.2], axis = "y" }
d = { type = "revolute", child = "rocker", at = [0.5, 0, -0.1], axis = "y", speed = 7.7 }
c = { type = "revolute", parent = "rocker", child = "coupler", at = [0.6, 0, 0.35], axis = "y", cut = true }
)toml";
  const Mechanism mechanism = read_mechanism(parse_toml(text, "m.toml"), &places);
  try {
    const MechanismDynamics dynamics(mechanism);
    FAIL() << "no error";
  } catch (const AssemblyError& error) {
    EXPECT_EQ(error.element(), "joint \"d\".speed");
    const Position where = find_place(places, "m.toml", error);
    EXPECT_EQ(where.line, 10);
    EXPECT_EQ(where.key, "joints.d.speed");
  }
}

TEST(Blame, NamesTheMotionWithoutValue) {
  const Mechanism mechanism = parse_mechanism(R"toml(
kind = "mechanism"
name = "m"
[bodies]
a = { mass = 1.3, center = [0.2, 0.1, 0], inertia = [0.1, 0.12, 0.13] }
b = { mass = 0.7, center = [0.4, 0.1, 0.3], inertia = [0.1, 0.12, 0.13] }
[joints]
arm = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z", motion = "sqrt(0.5 - t)" }
hand = { type = "revolute", parent = "a", child = "b", at = [0.4, 0, 0], axis = "y" }
)toml",
                                              "m.toml");
  for (const Formulation formulation :
       {Formulation::kCe, Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
    SCOPED_TRACE(to_text(formulation));
    MechanismDynamics dynamics(mechanism, formulation);
    const VectorX<double> q = dynamics.initial_q(), v = dynamics.initial_v();
    VectorX<double> a(dynamics.nv());
    const auto n = [](const VectorX<double>& x) { return static_cast<std::size_t>(x.size()); };
    EXPECT_TRUE(
        dynamics.calc_accelerations(0.3, {q.data(), n(q)}, {v.data(), n(v)}, {a.data(), n(a)}));
    EXPECT_FALSE(
        dynamics.calc_accelerations(0.7, {q.data(), n(q)}, {v.data(), n(v)}, {a.data(), n(a)}));
    EXPECT_EQ(dynamics.why(), "the motion of joint \"arm\" has no value at t = 0.7 s");
  }
}

TEST(Blame, NamesTheSpringWithoutDirection) {
  EXPECT_EQ(start(R"toml(
[bodies]
a = { mass = 1.3, inertia = [0.1, 0.12, 0.13] }
[joints]
slide = { type = "prismatic", child = "a", at = [0, 0, 0], axis = "x" }
[springs]
s = { b = "a", points = [[0, 0, 0], [0, 0, 0]], free_length = 0.2, stiffness = 130 }
)toml"),
            "spring \"s\" | mechanism \"m\": spring \"s\" has length 0 m: its force has no "
            "direction (allowed only if its free_length is 0) at t = 0 s");
}

TEST(Blame, NamesWhatCannotBeIndependent) {
  const std::string four_bar = R"toml(
[bodies]
a = { mass = 1, inertia = [1, 1, 1] }
b = { mass = 1, inertia = [1, 1, 1] }
c = { mass = 1, inertia = [1, 1, 1] }
[joints]
j1 = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
j2 = { type = "revolute", parent = "a", child = "b", at = [1, 0, 0], axis = "z" }
j3 = { type = "revolute", parent = "b", child = "c", at = [2, 1, 0], axis = "z" }
j4 = { type = "revolute", child = "c", at = [1.5, 0, 0], axis = "z" }
)toml";
  EXPECT_EQ(start("independent = [\"j3\"]" + four_bar),
            "independent \"j3\" | independent: joint \"j3\" closes a loop and has no coordinate; "
            "mark another joint of the loop with cut = true");
  const std::string both = start("independent = [\"j1\", \"j2\"]" + four_bar);
  EXPECT_EQ(both.substr(0, 14), "independent \"j") << both;  // either of the two
  EXPECT_NE(both.find("it follows from the other coordinates"), std::string::npos) << both;
}

TEST(Blame, NamesABodyOfACircle) {
  const std::string circle = start(R"toml(
[bodies]
a = { mass = 1, inertia = [1, 1, 1] }
b = { mass = 1, inertia = [1, 1, 1] }
[joints]
j1 = { type = "revolute", parent = "a", child = "b", at = [0, 0, 0], axis = "z" }
j2 = { type = "revolute", parent = "b", child = "a", at = [1, 0, 0], axis = "z" }
)toml");
  EXPECT_EQ(circle.substr(0, 10), "body \"a\" |") << circle;
}

}  // namespace
}  // namespace camber::multibody
