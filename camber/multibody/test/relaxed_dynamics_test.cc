#include "camber/multibody/relaxed_dynamics.h"

#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/mechanism_file.h"

namespace camber::multibody {
namespace {

std::string text_of(const std::string& path) { return read_file(path, 1 << 20); }

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Mechanism parse(const std::string& text) { return read_mechanism(parse_toml(text, "m.toml")); }

VectorX<double> accelerations(MechanismDynamics* dynamics) {
  VectorX<double> v_dot(dynamics->nv());
  const auto& q = dynamics->initial_q();
  const auto& v = dynamics->initial_v();
  const auto n = static_cast<std::size_t>(v_dot.size());
  EXPECT_TRUE(dynamics->calc_accelerations(0, {q.data(), static_cast<std::size_t>(q.size())},
                                           {v.data(), n}, {v_dot.data(), n}))
      << dynamics->why();
  return v_dot;
}

// Embedding, multipliers and the generalized inverse: three ways to one motion.
TEST(RelaxedDynamics, AgreesWithTheOtherFormulations) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("models")) {
    if (entry.path().extension() != ".toml") continue;
    const std::string text = text_of(entry.path().string());
    if (text.find("kind = \"mechanism\"") == std::string::npos) continue;
    SCOPED_TRACE(entry.path().string());
    const Mechanism mechanism = parse(text);
    MechanismDynamics ce(mechanism, Formulation::kCe), ta(mechanism, Formulation::kTa);
    MechanismDynamics uk(mechanism, Formulation::kUk);
    const VectorX<double> by_uk = accelerations(&uk);
    const double size = 1 + by_uk.norm();
    EXPECT_LT((by_uk - accelerations(&ta)).norm(), 1e-8 * size);
    EXPECT_LT((by_uk - accelerations(&ce)).norm(), 1e-8 * size);
    ++count;
  }
  EXPECT_GT(count, 15);
}

// Links of a parallelogram in one line: the loop's rows lose rank, and what is left is solved.
TEST(RelaxedDynamics, PassesTheDeadPointOfAParallelogram) {
  std::string text = text_of("models/change-point.toml");
  text = with(text, "coupler = 0.502", "coupler = 0.5");
  text = with(text, "rocker = 0.203", "rocker = 0.2");
  text = with(text, "independent = [\"crank\"]\n", "");
  text = with(text, "position_deg = 20\nspeed = -6", "position_deg = 20\nspeed = -6");
  text = with(text, "position_deg = 22\ndamping = 0.002", "position_deg = 20");
  text = with(text, "position_deg = -22", "position_deg = -20");
  const Mechanism mechanism = parse(text);
  MechanismDynamics uk(mechanism, Formulation::kUk);
  VectorX<double> q = uk.initial_q(), v = uk.initial_v(), v_dot(3), q1(3), v1(3);
  const auto span = [](VectorX<double>& x) {
    return std::span<double>(x.data(), static_cast<std::size_t>(x.size()));
  };
  Observation seen;
  ASSERT_TRUE(uk.observe(0, span(q), span(v), &seen));
  const double energy = seen.kinetic_energy;
  const int away = uk.relaxed()->rank();

  // The very dead point: all links along x, the same speeds.
  VectorX<double> dead = VectorX<double>::Zero(3);
  ASSERT_TRUE(uk.calc_accelerations(0, span(dead), span(v), span(v_dot)));
  EXPECT_EQ(uk.relaxed()->rank(), away - 1);
  EXPECT_TRUE(v_dot.allFinite());

  // Two turns by the midpoint rule, through the dead points four times.
  const double h = 2e-4;
  for (int i = 0; i < 10'500; ++i) {
    ASSERT_TRUE(uk.calc_accelerations(i * h, span(q), span(v), span(v_dot))) << i;
    q1 = q + 0.5 * h * v;
    v1 = v + 0.5 * h * v_dot;
    ASSERT_TRUE(uk.calc_accelerations(i * h, span(q1), span(v1), span(v_dot))) << i;
    q += h * v1;
    v += h * v_dot;
    ASSERT_TRUE(uk.project(i * h, span(q), span(v))) << i;
  }
  ASSERT_TRUE(uk.observe(0, span(q), span(v), &seen));
  EXPECT_LT(q[0], -10.0);
  EXPECT_LT(seen.position_error, 1e-9);
  EXPECT_NEAR(seen.kinetic_energy, energy, 1e-3 * energy);
}

TEST(RelaxedDynamics, ADoubledConstraintChangesNothing) {
  const std::string text = text_of("models/change-point.toml");
  const std::string pin = text.substr(text.find("[joints.pin]"));
  const Mechanism once = parse(text);
  const Mechanism twice = parse(text + with(pin, "[joints.pin]", "\n[joints.pin_again]"));
  MechanismDynamics one(once, Formulation::kUk), two(twice, Formulation::kUk);
  EXPECT_EQ(two.constraint_count(), 2 * one.constraint_count());
  EXPECT_LT((accelerations(&one) - accelerations(&two)).norm(), 1e-9);
  EXPECT_EQ(one.relaxed()->rank(), two.relaxed()->rank());
}

// Weight 1 is the constraint, weight 0 is none, and between them the row's acceleration is.
TEST(RelaxedDynamics, WeightInterpolatesBetweenHeldAndFree) {
  const std::string text = text_of("scenarios/latch.toml");
  const auto with_weight = [&](const std::string& weight) {
    const Mechanism mechanism = parse(with(text, "\"0.5 - 0.5*tanh(60*(t - 1))\"", weight));
    MechanismDynamics dynamics(mechanism, Formulation::kUk);
    return accelerations(&dynamics)[0];
  };
  const double free = with_weight("0");
  EXPECT_NEAR(with_weight("1"), 0, 1e-12);
  EXPECT_NEAR(with_weight("0.3"), 0.7 * free, 1e-12);
  const double c = std::cos(M_PI / 6);  // the pendulum's own equation
  EXPECT_NEAR(free, 1.2 * 9.81 * 0.5 * c / (0.1 + 1.2 * 0.25), 1e-12);
}

// The law of a single row is that of the wheel.
TEST(RelaxedDynamics, ClutchTransmitsItsLimit) {
  MechanismDynamics dynamics(parse(text_of("scenarios/clutch.toml")), Formulation::kUk);
  const VectorX<double> v_dot = accelerations(&dynamics);
  EXPECT_NEAR(v_dot[0], -2 / 0.5, 1e-12);
  EXPECT_NEAR(v_dot[1], 2 / 0.3, 1e-12);
  EXPECT_LT(dynamics.relaxed()->relaxed().weight[0], 1e-6);
}

// A car-like body on two wheels' contacts: forces by sweeps against the equations that they meet.
TEST(RelaxedDynamics, SweepsSolveCoupledBlocks) {
  RelaxedSystem system;
  system.W.resize(3, 3);
  system.W << 2, 0.9, 0.3, 0.9, 1.5, -0.4, 0.3, -0.4, 1.1;
  system.target.resize(3);
  system.target << 3, -2, 5;
  RelaxedBlock held{.first = 0, .size = 1, .weight = MatrixX<double>::Identity(1, 1)};
  RelaxedBlock half{.first = 1, .size = 1, .weight = 0.5 * MatrixX<double>::Identity(1, 1)};
  RelaxedBlock slips{.first = 2, .size = 1, .friction = 1.7, .slip = VectorX<double>::Zero(1)};
  system.blocks = {held, half, slips};
  const RelaxedForces f = solve_relaxed(system);
  ASSERT_TRUE(f.converged);
  const VectorX<double> lack = system.target - system.W * f.F;
  EXPECT_NEAR(lack[0], 0, 1e-12);
  EXPECT_NEAR(f.F[1], 0.5 * (lack[1] / 1.5 + f.F[1]), 1e-12);
  EXPECT_EQ(f.F[2], 1.7);
  EXPECT_GT(lack[2], 0);  // it would need more
}

TEST(RelaxedDynamics, OtherFormulationsSayThatTheyCannotRelax) {
  const Mechanism mechanism = parse(text_of("scenarios/clutch.toml"));
  for (const Formulation f : {Formulation::kCe, Formulation::kTa, Formulation::kFa}) {
    try {
      MechanismDynamics dynamics(mechanism, f);
      FAIL();
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("coupler \"clutch\" relaxes"), std::string::npos)
          << error.what();
    }
  }
}

std::string message_of(const std::string& text) {
  try {
    parse(text);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(RelaxedDynamics, BadWeightsAndFrictionAreFoundInTheFile) {
  const std::string clutch = text_of("scenarios/clutch.toml");
  EXPECT_EQ(message_of(with(clutch, "friction = 2 ", "friction = -2 ")),
            "m.toml:31:12: couplers.clutch.friction: must be >= 0, got -2");
  const std::string latch = text_of("scenarios/latch.toml");
  EXPECT_EQ(message_of(with(latch, "\"0.5 - 0.5*tanh(60*(t - 1))\"", "-0.2")),
            "m.toml:23:9: rods.latch.relax: must be positive semi-definite: >= 0, got -0.2");
  const std::string coin = text_of("scenarios/sliding-coin.toml");
  const std::string bad = message_of(with(with(coin, "friction = 0.5", "relax = [[1, 2], [2, 1]]"),
                                          "slip_speed = 0.005             # [m/s]\n", ""));
  EXPECT_NE(bad.find("rolling.edge.relax: must be positive semi-definite"), std::string::npos)
      << bad;
  EXPECT_NE(message_of(with(coin, "radius = \"r\"", "radius = 0")).find("radius: must be > 0 m"),
            std::string::npos);
}

}  // namespace
}  // namespace camber::multibody
