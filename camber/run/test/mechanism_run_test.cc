#include "camber/run/mechanism_run.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "camber/integrate/jacobian_check.h"
#include "camber/multibody/library.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/run/mechanical_system.h"
#include "camber/run/test/mechanism_runs.h"

namespace camber::run {
namespace {

using multibody::Formulation;
using multibody::Mechanism;
using multibody::MechanismDynamics;
using multibody::Observation;

// A pendulum whose period for small swings is 2 pi sqrt((I + m l^2) / (m g l)).
constexpr const char* kPendulum = R"(kind = "mechanism"
name = "pendulum"
[bodies.bob]
mass = 2.3
center = [0, 0, -0.7]
inertia = [0.11, 0.13, 0.07, 0, 0, 0]
[joints]
pin = { type = "revolute", child = "bob", at = [0, 0, 0], axis = "y", position = 0.001 }
)";
const double kPendulumRate = std::sqrt(2.3 * 9.81 * 0.7 / (0.13 + 2.3 * 0.7 * 0.7));  // [rad/s]

Mechanism make_pendulum() { return multibody::parse_mechanism(kPendulum, "pendulum.toml"); }

double swing_error(const RunOptions& options) {
  MechanismDynamics dynamics(make_pendulum());
  double error = 0;
  run_mechanism(options, &dynamics, {.sample = [&](double t, const Observation& o) {
                  error = std::max(error, std::abs(o.q[0] - 0.001 * std::cos(kPendulumRate * t)));
                }});
  return error;
}

TEST(MechanismRun, FollowsASmallSwingByEveryMethod) {
  for (const char* name : {"rk4", "dopri", "adams", "bdf"}) {
    SCOPED_TRACE(name);
    EXPECT_LT(swing_error({.duration = 2, .method = *find_run_method(name)}), 1e-8);
  }
  EXPECT_LT(swing_error({.duration = 2, .method = RunMethod::kMidpoint}), 2e-8);
  EXPECT_LT(swing_error({.duration = 2, .method = RunMethod::kEuler}), 5e-6);
  EXPECT_FALSE(find_run_method("rk5").has_value());
}

// Dual numbers against difference quotients, through closed loops, quaternions and driven joints.
TEST(MechanismRun, GivesStiffMethodsTheExactJacobian) {
  for (const char* name : {"pendulum-chain", "four-bar", "double-wishbone", "stewart-platform",
                           "spatial-four-bar", "excavator-arm", "planetary-gear"}) {
    MechanismDynamics dynamics(multibody::load_mechanism(std::string("models/") + name + ".toml"));
    std::vector<double> x(dynamics.initial_q().begin(), dynamics.initial_q().end());
    for (int k = 0; k < dynamics.nv(); ++k)
      x.push_back(dynamics.initial_v()[k] + 0.3 * std::sin(1.7 * k + 0.4));
    const auto nq = static_cast<std::size_t>(dynamics.nq());
    ASSERT_TRUE(dynamics.project(0.2, std::span(x).first(nq), std::span(x).subspan(nq)));
    const integrate::Ode ode = make_ode(make_mechanical_system(&dynamics));
    ASSERT_TRUE(static_cast<bool>(ode.jacobian)) << name;
    std::string where;
    EXPECT_LT(integrate::check_jacobian(ode, 0.2, x, &where), 1e-4) << name << ": " << where;
  }
  // Those of the others: tests/mechanisms/jacobian_test.cc.
  for (const Formulation formulation : {Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
    MechanismDynamics dynamics(make_pendulum(), formulation);
    EXPECT_TRUE(static_cast<bool>(make_ode(make_mechanical_system(&dynamics)).jacobian));
  }
}

TEST(MechanismRun, TakesSamplesAtTheirTimesWithStepsThatFit) {
  MechanismDynamics dynamics(make_pendulum());
  for (const RunMethod method : {RunMethod::kRk4, RunMethod::kDopri}) {
    SCOPED_TRACE(to_text(method));
    std::vector<double> times;
    const MechanismOutcome result = run_mechanism(
        {.duration = 0.25, .method = method, .step = 0.03, .sample_interval = 0.1}, &dynamics,
        {.sample = [&](double t, const Observation&) { times.push_back(t); }});
    EXPECT_EQ(times, (std::vector{0.0, 0.1, 0.2, 0.25}));
    EXPECT_EQ(result.status, RunStatus::kDone);
    EXPECT_EQ(result.time, 0.25);
    if (method == RunMethod::kRk4) {
      EXPECT_EQ(result.statistics.steps, 4 + 4 + 2);  // 0.025 s each
      EXPECT_DOUBLE_EQ(result.step, 0.025);
    }
  }
}

TEST(MechanismRun, StopsWithASampleWhereItIsTold) {
  for (const RunMethod method : {RunMethod::kRk4, RunMethod::kDopri}) {
    SCOPED_TRACE(to_text(method));
    MechanismDynamics dynamics(make_pendulum());
    double last = -1;
    const MechanismOutcome result =
        run_mechanism({.duration = 5, .method = method}, &dynamics,
                      {.sample = [&](double t, const Observation&) { last = t; },
                       .go_on = [](double t) { return t < 1.2345; }});
    EXPECT_EQ(result.status, RunStatus::kStopped);
    EXPECT_GE(result.time, 1.2345);
    EXPECT_LT(result.time, 2.5);
    EXPECT_EQ(last, result.time);
  }
}

// A motion that is looked at every seven steps has the same states at its ends, bit for bit: also
// through a dead point.
TEST(Motion, DoesNotDependOnHowOftenItPauses) {
  for (const char* file : {"models/spatial-four-bar.toml", "models/stewart-platform.toml"}) {
    for (const RunMethod method :
         {RunMethod::kRk4, RunMethod::kMidpoint, RunMethod::kDopri, RunMethod::kAdams}) {
      SCOPED_TRACE(testing::Message() << file << ", " << to_text(method));
      const Mechanism mechanism = multibody::load_mechanism(file);
      const RunOptions options{.duration = 0.6, .method = method, .step = 0.0013};
      MechanismDynamics whole_dynamics(mechanism), piece_dynamics(mechanism);
      const auto whole = make_motion(options, make_stepped_state(&whole_dynamics));
      const auto pieces = make_motion(options, make_stepped_state(&piece_dynamics));
      int pauses = 0;
      for (const double end : {0.27, 0.6}) {
        ASSERT_TRUE(whole->advance(end, 1'000'000).ok());
        for (; pieces->time() < end; ++pauses) ASSERT_TRUE(pieces->advance(end, 7).ok());
        EXPECT_EQ(whole->time(), end);
        EXPECT_EQ(pieces->time(), end);
        EXPECT_TRUE(std::ranges::equal(whole->q(), pieces->q()));
        EXPECT_TRUE(std::ranges::equal(whole->v(), pieces->v()));
      }
      EXPECT_GT(pauses, 4);
      EXPECT_EQ(whole->statistics().steps, pieces->statistics().steps);
    }
  }
}

// The pendulum is stopped in the middle of a long sample interval, with a sample there.
TEST(MechanismRun, StopsInsideALongSampleInterval) {
  MechanismDynamics dynamics(make_pendulum());
  MechanismRun run({.duration = 50, .sample_interval = 10}, &dynamics);
  std::vector<double> times;
  run.set_sink([&](double t, std::span<const double>) { times.push_back(t); });
  for (int i = 0; i < 3; ++i) run.advance();
  run.stop();
  EXPECT_EQ(run.result().status, RunStatus::kStopped);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[1], 0.3, 1e-12);
  EXPECT_EQ(run.result().time, times[1]);
  EXPECT_NEAR(run.observation().q[0], 0.001 * std::cos(kPendulumRate * times[1]), 1e-8);
  run.advance();  // does nothing
  EXPECT_EQ(run.result().samples, 2);
}

// Steps that are far too long for the spring: the state doubles until it is infinite.
TEST(MechanismRun, EndsADivergingRunAtItsLastGoodState) {
  Mechanism mechanism = multibody::parse_mechanism(R"(kind = "mechanism"
name = "stiff"
[bodies.mass]
mass = 0.4
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[joints]
rail = { type = "prismatic", child = "mass", at = [0, 0, 0], axis = "x", position = 0.3, stiffness = 1e7 }
)",
                                                   "stiff.toml");
  MechanismDynamics dynamics(mechanism);
  Observation last;
  const MechanismOutcome result =
      run_mechanism({.duration = 100, .step = 0.01, .sample_interval = 0.05}, &dynamics,
                    {.sample = [&](double, const Observation& o) { last = o; }});
  EXPECT_EQ(result.status, RunStatus::kFailed);
  EXPECT_NE(result.reason.find("at t = "), std::string::npos) << result.reason;
  EXPECT_NE(result.reason.find("--method bdf"), std::string::npos) << result.reason;
  EXPECT_LT(result.time, 100);
  ASSERT_EQ(last.q.size(), 1U);
  EXPECT_LT(last.kinetic_energy + last.elastic_energy, 1e4 * 0.5 * 1e7 * 0.3 * 0.3);
}

// A rocker that is driven past the dead point of its four-bar: speeds and accelerations grow
// without bound towards it. Adaptive steps went on with t + h = t, and fixed ones ended with a
// sample of NaN, where `uk` had no accelerations.
constexpr const char* kDrivenPastItsEnd = R"toml(kind = "mechanism"
name = "driven"
[points]
A = [0, 0, 0]
B = [0.1, 0, 0.2]
C = [0.6, 0, 0.35]
D = [0.5, 0, -0.1]
[bodies]
crank = { mass = 1.1, rod = { from = "A", to = "B", radius = 0.02 } }
coupler = { mass = 2.1, rod = { from = "B", to = "C", radius = 0.02 } }
rocker = { mass = 1.5, rod = { from = "D", to = "C", radius = 0.02 } }
bob = { mass = 0.3, center = [0.35, 0.1, 0.1], inertia = [0.001, 0.0011, 0.0012] }
[joints]
a = { type = "revolute", child = "crank", at = "A", axis = "y" }
b = { type = "revolute", parent = "crank", child = "coupler", at = "B", axis = "y" }
d = { type = "revolute", child = "rocker", at = "D", axis = "y", motion = "0.3*sin(3*t)" }
c = { type = "revolute", parent = "rocker", child = "coupler", at = "C", axis = "y", cut = true }
p = { type = "spherical", parent = "coupler", child = "bob", at = { between = ["B", "C"] }, damping = 0.001 }
)toml";

bool has_finite_places(const Observation& o) {
  return std::isfinite(o.kinetic_energy + o.gravity_energy + o.elastic_energy) &&
         std::ranges::all_of(o.poses, [](double x) { return std::isfinite(x); });
}

TEST(MechanismRun, EndsAtTheEndOfAGivenMotion) {
  const Mechanism driven = multibody::parse_mechanism(kDrivenPastItsEnd, "driven.toml");
  const Mechanism ending = multibody::parse_mechanism(R"toml(kind = "mechanism"
name = "ending"
[bodies]
a = { mass = 1.3, inertia = [0.1, 0.12, 0.13] }
b = { mass = 0.7, inertia = [0.1, 0.12, 0.13] }
[joints]
slide = { type = "prismatic", child = "a", axis = "z", motion = "sqrt(0.5 - t)" }
arm = { type = "revolute", child = "b", at = [0, 0.1, 0], axis = "x", position = 0.7 }
)toml",
                                                      "ending.toml");
  for (const Formulation formulation :
       {Formulation::kCe, Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
    for (const RunMethod method :
         {RunMethod::kRk4, RunMethod::kDopri, RunMethod::kAdams, RunMethod::kBdf}) {
      for (const Mechanism* mechanism : {&driven, &ending}) {
        SCOPED_TRACE(testing::Message()
                     << to_text(formulation) << ", " << to_text(method) << ", " << mechanism->name);
        MechanismDynamics dynamics(*mechanism, formulation,
                                   choose_stabilization(method, formulation));
        Observation last;
        double time = -1;
        const MechanismOutcome result =
            run_mechanism({.duration = 1, .method = method, .step = 0.0005}, &dynamics,
                          {.sample = [&](double t, const Observation& o) { time = t, last = o; }});
        EXPECT_EQ(result.status, RunStatus::kFailed);
        EXPECT_NE(result.reason.find("at t = "), std::string::npos) << result.reason;
        EXPECT_NEAR(result.time, mechanism == &driven ? 0.184 : 0.5, 0.02);
        EXPECT_EQ(time, result.time);
        EXPECT_TRUE(has_finite_places(last));
      }
    }
  }
}

// Energies of a stiff spring that steps of 2 ms cannot follow: after two of them 10^15 times what
// there was at the start, and no accelerations. The start is the last good state.
TEST(MechanismRun, DoesNotTakeAnExplosionForAGoodState) {
  const Mechanism mechanism = multibody::parse_mechanism(R"(kind = "mechanism"
name = "stiff"
[bodies]
a = { mass = 1.1, inertia = [1, 1.1, 1.2], center = [0, 0, -0.1] }
b = { mass = 0.9, inertia = [1, 1.1, 1.2], center = [0, 0, -0.5] }
[joints]
j = { type = "revolute", child = "a", at = [0, 0, 0], axis = "y", stiffness = 1e8, position = 0.1 }
k = { type = "revolute", parent = "a", child = "b", at = [0, 0, -0.3], axis = "y", position = 0.3 }
[rods]
r = { b = "b", points = [[1, 0, -0.5], [0, 0, -0.5]] }
)",
                                                         "stiff.toml");
  for (const Formulation formulation : {Formulation::kCe, Formulation::kUk}) {
    SCOPED_TRACE(to_text(formulation));
    MechanismDynamics dynamics(mechanism, formulation);
    double first = 0;
    Observation last;
    const MechanismOutcome result = run_mechanism({.duration = 1, .step = 0.002}, &dynamics,
                                                  {.sample = [&](double t, const Observation& o) {
                                                    if (t == 0)
                                                      first = o.kinetic_energy + o.elastic_energy;
                                                    last = o;
                                                  }});
    EXPECT_EQ(result.status, RunStatus::kFailed);
    EXPECT_TRUE(has_finite_places(last));
    EXPECT_LT(last.kinetic_energy + last.elastic_energy, 1e4 * first);
  }
}

// The parallelogram comes through its change point, where its loop is singular, by `fa` with more
// energy than it had: a run that is done, but of a mechanism that nothing drives.
TEST(MechanismRun, WarnsOfEnergyFromNowhere) {
  MechanismDynamics dynamics(make_pendulum());
  const RunMethod method = RunMethod::kRk4;
  const MechanismFigures good{.energy_drift = 0.3, .energy_scale = 100, .energy_gain = 0.05};
  EXPECT_TRUE(find_warnings(method, dynamics, good).empty());
  const MechanismFigures bad{
      .energy_drift = 0.3, .energy_scale = 100, .energy_gain = 0.3, .time_of_gain = 1.25};
  ASSERT_EQ(find_warnings(method, dynamics, bad).size(), 1U);
  EXPECT_NE(find_warnings(method, dynamics, bad)[0].find("rose by 0.3 J until t = 1.25 s"),
            std::string::npos);
  // What is driven may gain.
  MechanismDynamics driven(multibody::parse_mechanism(kDrivenPastItsEnd, "driven.toml"));
  EXPECT_TRUE(find_warnings(method, driven, bad).empty());
}

/// Runs it and returns the warnings; `q` becomes its first coordinate at the end.
std::string warnings_of(const std::string& text, const RunOptions& options, double* q) {
  MechanismDynamics dynamics(multibody::parse_mechanism(text, "friction.toml"));
  MechanismRun run(options, &dynamics);
  while (!run.is_done()) run.advance();
  EXPECT_EQ(run.result().status, RunStatus::kDone) << run.result().reason;
  *q = run.observation().q[0];
  std::string all;
  for (const std::string& warning : run.warnings()) all += warning + "\n";
  return all;
}

// Friction's linear zone of 0.001 rad/s is stiff for steps of a millisecond: they jump over it to
// and fro. rk4 kept the speed of 0.1 rad/s for ever and moved the body backward, without a word.
TEST(MechanismRun, WarnsWhereStepsDoNotFollowFriction) {
  const std::string slides = R"(kind = "mechanism"
name = "slides"
[bodies]
b = { mass = 0.1, inertia = [0.001, 0.001, 0.001] }
[joints]
j = { type = "revolute", child = "b", at = [0, 0, 0], axis = "y", friction = 1, speed = 0.1 }
)";
  const std::string held = R"(kind = "mechanism"
name = "held_by_friction"
[bodies]
arm = { mass = 0.1, center = [0.05, 0, 0], inertia = [1e-5, 1e-4, 1e-4] }
[joints]
hinge = { type = "revolute", child = "arm", at = [0, 0, 0], axis = "y", friction = 0.2 }
)";
  double q = 0;
  for (const std::string& text : {slides, held}) {
    for (const RunMethod method : {RunMethod::kRk4, RunMethod::kMidpoint, RunMethod::kEuler}) {
      const std::string warning = warnings_of(text, {.duration = 1, .method = method}, &q);
      EXPECT_NE(warning.find("take --method bdf"), std::string::npos) << to_text(method);
    }
    EXPECT_EQ(warnings_of(text, {.duration = 1, .method = RunMethod::kBdf}, &q), "");
  }
  // m g l = friction v / 0.001 at rest.
  EXPECT_NEAR(q, 0.1 * 9.81 * 0.05 / 0.2 * 0.001, 1e-5);
  // Steps that resolve the zone are right and not doubted.
  EXPECT_EQ(warnings_of(held, {.duration = 0.05, .method = RunMethod::kRk4, .step = 5e-7}, &q), "");
}

// Motions that the default steps follow well.
TEST(MechanismRun, DoesNotDoubtSmoothMotions) {
  double q = 0;
  EXPECT_EQ(warnings_of(kPendulum, {.duration = 20}, &q), "");
  for (const char* name : {"pendulum-chain", "four-bar", "crank-slider", "double-wishbone",
                           "spatial-four-bar", "excavator-arm", "six-bar"}) {
    MechanismDynamics dynamics(multibody::load_mechanism(std::string("models/") + name + ".toml"));
    MechanismRun run({.duration = 3}, &dynamics);
    while (!run.is_done()) run.advance();
    EXPECT_TRUE(run.warnings().empty()) << name << ": " << run.warnings().front();
  }
}

// A wheel about its center has no accelerations, but a kinetic energy beyond the largest number; a
// stop of 1e9 N m/rad that is pressed in by 2 rad throws its body out of the world of numbers.
TEST(MechanismRun, NeverLogsEnergiesThatAreNotFiniteOrAbsurd) {
  const std::string head = R"(kind = "mechanism"
name = "fast"
gravity = [0, 0, 0]
[bodies]
b = { mass = 0.1, inertia = [0.001, 0.001, 0.001] }
[joints]
j = { type = "revolute", child = "b", at = [0, 0, 0], axis = "y", )";
  for (const char* rest : {"speed = 1e200 }\n", "lower = 2, upper = 3, stop_stiffness = 1e9 }\n"}) {
    MechanismDynamics dynamics(multibody::parse_mechanism(head + rest, "fast.toml"));
    double largest = 0;
    const auto outcome = run_mechanism(
        {.duration = 1}, &dynamics, {.sample = [&](double, const Observation& o) {
          largest = std::max(largest, std::abs(o.kinetic_energy) + std::abs(o.elastic_energy));
        }});
    EXPECT_EQ(outcome.status, RunStatus::kFailed);
    EXPECT_LT(largest, 1e14) << rest;
    EXPECT_NE(outcome.reason.find("t = 0"), std::string::npos) << outcome.reason;
  }
}

TEST(MechanismRun, KnowsHowMuchEnergyASampleHasMoreThanTheFirst) {
  Mechanism mechanism = make_pendulum();
  multibody::JointAxis axis;
  axis.force = 3.1;  // [N m] that drives it
  mechanism.joints[0].axes = {axis};
  MechanismDynamics dynamics(mechanism);
  double first = 0, most = 0, time = 0;
  const MechanismOutcome result =
      run_mechanism({.duration = 1}, &dynamics, {.sample = [&](double t, const Observation& o) {
                      const double energy = o.kinetic_energy + o.gravity_energy + o.elastic_energy;
                      if (t == 0) first = energy;
                      if (energy - first > most) most = energy - first, time = t;
                    }});
  EXPECT_GT(most, 0.1);
  EXPECT_EQ(result.energy_gain, most);
  EXPECT_EQ(result.time_of_gain, time);
}

// Three formulations share nothing but the file: their bodies have to be at the same places.
TEST(MechanismRun, PutsBodiesWhereTheOtherFormulationsPutThem) {
  for (const char* file :
       {"models/four-bar.toml", "models/stewart-platform.toml", "models/spatial-four-bar.toml"}) {
    SCOPED_TRACE(file);
    const Mechanism mechanism = multibody::load_mechanism(file);
    std::vector<Observation> last;
    for (const Formulation formulation : {Formulation::kCe, Formulation::kTa, Formulation::kFa}) {
      MechanismDynamics dynamics(mechanism, formulation);
      last.emplace_back();
      const MechanismOutcome result = run_mechanism(
          {.duration = 0.5,
           .method = RunMethod::kDopri,
           .tolerance = 1e-10,
           .sample_interval = 0.1},
          &dynamics, {.sample = [&](double, const Observation& o) { last.back() = o; }});
      EXPECT_EQ(result.status, RunStatus::kDone) << result.reason;
      EXPECT_LT(result.position_error, 1e-9);
      const CoordinateNames names = name_coordinates(dynamics);
      EXPECT_EQ(names.q.size(), last.back().q.size());
      EXPECT_EQ(names.v_units.size(), last.back().v.size());
    }
    for (const Observation& o : last) {
      ASSERT_EQ(o.poses.size(), last[0].poses.size());
      for (std::size_t i = 0; i < o.poses.size(); i += 7) {
        for (std::size_t k = i; k < i + 3; ++k) EXPECT_NEAR(o.poses[k], last[0].poses[k], 1e-7);
      }
    }
  }
}

// The crank comes to its dead point at 0.45 s, where it determines nothing: other coordinates have
// to take over before, between steps of 1 ms.
TEST(MechanismRun, PassesADeadPointUnderConstraintEmbedding) {
  const Mechanism mechanism = multibody::load_mechanism("models/spatial-four-bar.toml");
  std::vector<double> last_energies;
  for (const Formulation formulation : {Formulation::kCe, Formulation::kTa}) {
    MechanismDynamics dynamics(mechanism, formulation);
    const MechanismOutcome result = run_mechanism({.duration = 0.6}, &dynamics);
    EXPECT_EQ(result.status, RunStatus::kDone) << result.reason;
    EXPECT_EQ(dynamics.partition_changes() > 0, formulation == Formulation::kCe);
    last_energies.push_back(result.last_energy);
  }
  EXPECT_NEAR(last_energies[0], last_energies[1], 1e-3);
}

// A coin turns through configurations where any three of its speeds determine the others badly.
// Bennett's linkage: 3 of the 5 equations of its cut hinge follow from the other 2, but which 2
// carry the linkage changes on its way.
// Crank and rod of one length: when the slider is at the crank's center the mechanism may go on as
// it does or, the slider at rest, turn about that center as one arm. Speeds do not jump, so it goes
// on; steps whose error estimate shrinks them at that point took the other way, at some tolerances.
TEST(MechanismRun, KeepsToItsMotionThroughAChangePointWithAdaptiveSteps) {
  constexpr const char* kCrank = R"(kind = "mechanism"
name = "crank"
[points]
A = [0, 0, 0]
B = [0.23, 0, 0]
C = [0.46, 0, 0]
[bodies]
crank = { mass = 1.3, rod = { from = "A", to = "B", radius = 0.011 } }
rod = { mass = 0.8, rod = { from = "B", to = "C", radius = 0.013 } }
slider = { mass = 0.9, box = [0.05, 0.06, 0.04], center = [0.46, 0, 0] }
[joints]
a = { type = "revolute", child = "crank", at = "A", axis = "y", speed = 5.3 }
b = { type = "revolute", parent = "crank", child = "rod", at = "B", axis = "y" }
s = { type = "prismatic", child = "slider", at = "C", axis = "x" }
c = { type = "revolute", parent = "rod", child = "slider", at = "C", axis = "y" }
)";
  constexpr double kReach = 0.46;  // [m]
  const auto check = [&](Formulation formulation, const RunOptions& options) {
    SCOPED_TRACE(testing::Message() << to_text(formulation) << " " << to_text(options.method)
                                    << ", tolerance " << options.tolerance);
    MechanismDynamics dynamics(multibody::parse_mechanism(kCrank, "crank.toml"), formulation);
    double off = 0, turns = 0, last = 0;
    const MechanismOutcome result =
        run_mechanism(options, &dynamics, {.sample = [&](double, const Observation& o) {
                        const double angle = 2 * std::atan2(o.poses[5], o.poses[3]);
                        turns += std::abs(std::remainder(angle - last, 2 * M_PI)) / (2 * M_PI);
                        last = angle;
                        const double x = o.poses[14] + kReach;
                        off = std::max(off, std::abs(x - kReach * std::cos(angle)));
                      }});
    EXPECT_EQ(result.status, RunStatus::kDone) << result.reason;
    EXPECT_GT(turns, 2);
    EXPECT_LT(off, 1e-6);
    EXPECT_LT(result.energy_drift, 2e-4 * result.energy_scale);
  };
  for (const double tolerance : {1e-6, 1e-8, 1e-11}) {
    for (const Formulation formulation :
         {Formulation::kCe, Formulation::kTa, Formulation::kFa, Formulation::kUk})
      check(formulation, {.duration = 3, .method = RunMethod::kDopri, .tolerance = tolerance});
    check(Formulation::kCe, {.duration = 3, .method = RunMethod::kAdams, .tolerance = tolerance});
  }
}

TEST(MechanismRun, ChoosesAmongRedundantEquationsAgain) {
  const Mechanism mechanism = multibody::load_mechanism("models/bennett.toml");
  const auto final_poses = [&](Formulation formulation, RunMethod method) {
    MechanismDynamics dynamics(mechanism, formulation, choose_stabilization(method, formulation));
    std::vector<double> poses;
    const MechanismOutcome result =
        run_mechanism({.duration = 3, .method = method}, &dynamics,
                      {.sample = [&](double, const Observation& o) { poses = o.poses; }});
    EXPECT_EQ(result.status, RunStatus::kDone) << result.reason;
    EXPECT_LT(result.position_error, method == RunMethod::kAdams ? 1e-4 : 1e-11);
    return Eigen::Map<Eigen::VectorXd>(poses.data(), static_cast<Eigen::Index>(poses.size()))
        .eval();
  };
  const Eigen::VectorXd ce = final_poses(Formulation::kCe, RunMethod::kDopri);
  for (const Formulation formulation : {Formulation::kTa, Formulation::kFa}) {
    for (const RunMethod method : {RunMethod::kDopri, RunMethod::kBdf, RunMethod::kAdams}) {
      SCOPED_TRACE(std::string(to_text(formulation)) + ", " + to_text(method));
      EXPECT_LT((final_poses(formulation, method) - ce).cwiseAbs().maxCoeff(),
                method == RunMethod::kAdams ? 1e-3 : 1e-5);
    }
  }
}

TEST(MechanismRun, KeepsTheEnergyOfARollingCoin) {
  MechanismDynamics dynamics(multibody::load_mechanism("models/rolling-coin.toml"));
  const MechanismOutcome result = run_mechanism({.duration = 2}, &dynamics);
  EXPECT_EQ(result.status, RunStatus::kDone) << result.reason;
  EXPECT_LT(result.energy_drift, 1e-6 * result.energy_scale);
}

// fa has springs of joints between bodies, not along coordinates: they store the same energy.
TEST(MechanismRun, ObservesTheSameEnergiesInAllFormulations) {
  const Mechanism mechanism = multibody::load_mechanism("models/four-bar.toml");
  std::vector<double> elastic;
  for (const Formulation formulation : {Formulation::kCe, Formulation::kTa, Formulation::kFa}) {
    MechanismDynamics dynamics(mechanism, formulation);
    run_mechanism({.duration = 0.2}, &dynamics, {.sample = [&](double t, const Observation& o) {
                    if (t == 0.2) elastic.push_back(o.elastic_energy);
                  }});
  }
  ASSERT_EQ(elastic.size(), 3U);
  EXPECT_GT(elastic[0], 0.1);
  EXPECT_NEAR(elastic[1], elastic[0], 1e-8);
  EXPECT_NEAR(elastic[2], elastic[0], 1e-8);
}

TEST(MechanismRun, KeepsTheEnergyOfAChain) {
  MechanismDynamics dynamics(multibody::make_chain(4, 7));
  ASSERT_TRUE(is_conservative(dynamics));
  const MechanismOutcome result =
      run_mechanism({.duration = 2, .method = RunMethod::kDopri, .tolerance = 1e-10}, &dynamics);
  EXPECT_EQ(result.status, RunStatus::kDone) << result.reason;
  EXPECT_GT(result.energy_scale, 0);
  EXPECT_LT(result.energy_drift, 1e-7 * result.energy_scale);
}

TEST(MechanismRun, KnowsWhatTakesOrGivesEnergy) {
  EXPECT_TRUE(is_conservative(MechanismDynamics(make_pendulum())));
  EXPECT_FALSE(
      is_conservative(MechanismDynamics(multibody::load_mechanism("models/four-bar.toml"))));
  EXPECT_FALSE(is_conservative(MechanismDynamics(multibody::load_mechanism("scenarios/clutch.toml"),
                                                 multibody::Formulation::kUk)));
}

TEST(MechanismRun, SaysWhichOptionCannotWork) {
  MechanismDynamics dynamics(make_pendulum());
  EXPECT_THROW(run_mechanism({.duration = -1}, &dynamics), std::invalid_argument);
  EXPECT_THROW(run_mechanism({.step = 0}, &dynamics), std::invalid_argument);
  EXPECT_THROW(run_mechanism({.sample_interval = 1e-12}, &dynamics), std::invalid_argument);
  const multibody::Stabilization projection;
  EXPECT_THROW(choose_stabilization(RunMethod::kAdams, Formulation::kTa, projection),
               std::invalid_argument);
  EXPECT_EQ(choose_stabilization(RunMethod::kAdams, Formulation::kTa).kind,
            multibody::Stabilization::Kind::kBaumgarte);
}

}  // namespace
}  // namespace camber::run
