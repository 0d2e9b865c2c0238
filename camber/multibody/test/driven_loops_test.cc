// Loops in which more joints are driven than the loop leaves free: motions that fit together make
// equations redundant, motions that do not are a mistake of the file.

#include <cmath>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/test/spans.h"

namespace camber::multibody {
namespace {

constexpr Formulation kAll[] = {Formulation::kCe, Formulation::kTa, Formulation::kFa,
                                Formulation::kUk};

/// Two driven wheels with a pendulum each; a gear may tie the wheels.
std::string geared(const std::string& first, const std::string& second, bool has_gear = true) {
  return concat(R"(
kind = "mechanism"
name = "geared"
[bodies]
a = { mass = 1.3, center = [0.1, 0.2, 0.05], inertia = [0.11, 0.13, 0.17] }
b = { mass = 0.9, center = [1.1, -0.1, 0.1], inertia = [0.21, 0.19, 0.15] }
p = { mass = 0.4, center = [0.5, 0.6, 0.1], inertia = [0.01, 0.02, 0.025] }
r = { mass = 0.7, center = [1.3, -0.5, 0.2], inertia = [0.03, 0.02, 0.035] }
[joints]
j1 = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z", motion = ")",
                first, R"(" }
j2 = { type = "revolute", child = "b", at = [1, 0, 0], axis = [0.1, 0.2, 1], motion = ")",
                second, R"(" }
j3 = { type = "revolute", parent = "a", child = "p", at = [0.4, 0.3, 0], axis = [1, 0.3, 0.2] }
j4 = { type = "revolute", parent = "b", child = "r", at = [1.2, 0.3, 0], axis = [0.2, 1, 0.4] }
)",
                has_gear ? "[couplers]\nteeth = { gear = [\"j1\", \"j2\"], ratio = 1.7 }\n" : "");
}

/// Cranks of a parallelogram, 0.3 m long and 1 m apart, both driven.
std::string parallelogram(const std::string& first, const std::string& second) {
  return concat(R"(
kind = "mechanism"
name = "parallelogram"
[bodies]
a = { mass = 1.3, center = [0.1, 0.2, 0.05], inertia = [0.11, 0.13, 0.17] }
b = { mass = 0.9, center = [1.1, -0.1, 0.1], inertia = [0.21, 0.19, 0.15] }
c = { mass = 0.4, center = [0.5, 0.6, 0.1], inertia = [0.01, 0.02, 0.025] }
[joints]
j1 = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z", motion = ")",
                first, R"(" }
j2 = { type = "revolute", child = "b", at = [1, 0, 0], axis = "z", motion = ")",
                second, R"(" }
j3 = { type = "revolute", parent = "a", child = "c", at = [0.18, 0.24, 0], axis = "z" }
j4 = { type = "revolute", parent = "c", child = "b", at = [1.18, 0.24, 0], axis = "z", cut = true }
)");
}

std::string message_of(const std::string& text) {
  try {
    const MechanismDynamics dynamics(parse_mechanism(text, "m.toml"));
  } catch (const AssemblyError& error) {
    return concat(error.element(), " | ", error.what());
  }
  return "";
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << text;
}

/// Steps of 0.01 s, of the kinematics alone; where and why they stop.
std::string move_until_stopped(MechanismDynamics* dynamics, double end) {
  VectorX<double> q = dynamics->initial_q(), v = dynamics->initial_v();
  for (int i = 1; i * 0.01 <= end; ++i) {
    if (!dynamics->project(i * 0.01, out(&q), out(&v))) return dynamics->why();
  }
  return "";
}

// With motions that agree, the gear neither helps nor hinders: what it carries moves as without.
TEST(DrivenLoops, ThatFitTogetherAreRedundant) {
  const std::string first = "0.7*sin(3*t) + 0.4*t", second = "(0.7*sin(3*t) + 0.4*t)/1.7";
  for (const Formulation formulation : kAll) {
    SCOPED_TRACE(to_text(formulation));
    MechanismDynamics tied(parse_mechanism(geared(first, second), "m.toml"), formulation);
    MechanismDynamics apart(parse_mechanism(geared(first, second, false), "m.toml"), formulation);
    EXPECT_EQ(tied.mobility().degrees_of_freedom, 2);
    ASSERT_EQ(tied.mobility().redundant.size(), 1u);
    EXPECT_EQ(tied.mobility().redundant[0], "coupler \"teeth\"");
    Observation of_tied, of_apart;
    for (const double t : {0.0, 0.37, 1.9}) {
      VectorX<double> q = apart.initial_q(), v = apart.initial_v();
      ASSERT_TRUE(apart.project(t, out(&q), out(&v))) << apart.why();
      ASSERT_TRUE(apart.observe(t, in(q), in(v), &of_apart)) << apart.why();
      // Coordinates stand in another order: poses, and forces where the bodies hang.
      q = tied.initial_q();
      v = tied.initial_v();
      ASSERT_TRUE(tied.project(t, out(&q), out(&v))) << tied.why();
      ASSERT_TRUE(tied.observe(t, in(q), in(v), &of_tied)) << tied.why();
      ASSERT_EQ(of_tied.poses.size(), of_apart.poses.size());
      for (std::size_t i = 0; i < of_tied.poses.size(); ++i)
        EXPECT_NEAR(of_tied.poses[i], of_apart.poses[i], 1e-12);
      EXPECT_NEAR(of_tied.kinetic_energy, of_apart.kinetic_energy,
                  1e-12 * (1 + of_apart.kinetic_energy));
      double square_tied = 0, square_apart = 0;
      for (const double a : of_tied.v_dot) square_tied += a * a;
      for (const double a : of_apart.v_dot) square_apart += a * a;
      EXPECT_NEAR(square_tied, square_apart, 1e-9 * (1 + square_apart));
    }
    EXPECT_EQ(move_until_stopped(&tied, 3), "");
  }
}

TEST(DrivenLoops, OfTwoCranksAreClosedByBoth) {
  for (const Formulation formulation : kAll) {
    SCOPED_TRACE(to_text(formulation));
    MechanismDynamics dynamics(parse_mechanism(parallelogram("sin(0.9*t)", "sin(0.9*t)"), "m.toml"),
                               formulation);
    EXPECT_EQ(dynamics.mobility().degrees_of_freedom, 0);
    EXPECT_EQ(move_until_stopped(&dynamics, 3), "");
  }
}

TEST(DrivenLoops, ThatContradictEachOtherAreNamed) {
  // Off in position, in speed, in acceleration.
  expect_words(message_of(geared("0.3", "0.4*t")), {"coupler \"teeth\"", "cannot be assembled"});
  expect_words(message_of(geared("t", "2*t")),
               {"coupler \"teeth\" |", "\"j1\", \"j2\"", "speed is off by 2.4"});
  expect_words(message_of(geared("sin(t)", "sin(t)/1.7 + 0.1*t^2")),
               {"coupler \"teeth\" |", "\"j1\", \"j2\"", "acceleration is off by 0.34"});
  expect_words(message_of(parallelogram("sin(t)", "1.1*sin(t)")), {"joint \"j4\" |", "speed"});
  // The only body of a rod's loop is driven, and the rod begins along the crank: no speed yet.
  const std::string rod = R"(
kind = "mechanism"
name = "held"
[bodies]
a = { mass = 1.2, inertia = [1, 1.1, 1.3] }
[joints]
j1 = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z", motion = "1.5*t" }
[rods]
r = { b = "a", points = [[3, 0, 0], [1, 0, 0]] }
)";
  expect_words(message_of(rod), {"rod \"r\" |", "\"j1\"", "acceleration"});
}

// Nothing is visible at the start: the run stops where it happens.
TEST(DrivenLoops, ThatContradictEachOtherLaterStopThere) {
  for (const Formulation formulation : kAll) {
    SCOPED_TRACE(to_text(formulation));
    MechanismDynamics gear(parse_mechanism(geared("0.3*t", "0.3*t/1.7 + 0.2*t^3"), "m.toml"),
                           formulation);
    expect_words(move_until_stopped(&gear, 1),
                 {formulation == Formulation::kFa ? "j" : "coupler \"teeth\"", "contradicts",
                  "at t = 0.01 s"});
    MechanismDynamics cranks(parse_mechanism(parallelogram("sin(t)", "sin(t) + 0.2*t^3"), "m.toml"),
                             formulation);
    expect_words(move_until_stopped(&cranks, 1), {"contradicts", "at t = 0.01 s"});
  }
}

}  // namespace
}  // namespace camber::multibody
