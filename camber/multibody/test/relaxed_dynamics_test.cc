#include "camber/multibody/relaxed_dynamics.h"

#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/test/allocation_count.h"
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

  // Two revolutions by the midpoint rule, through the dead points four times.
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

// Weight 1 is the constraint, weight 0 removes it; for weights between, the row's
// acceleration is between.
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

// Three blocks that act on each other: their forces against the equations that they meet.
TEST(RelaxedDynamics, CoupledBlocksMeetTheirLaws) {
  RelaxedSystem system;
  system.W.resize(3, 3);
  system.W << 2, 0.9, 0.3, 0.9, 1.5, -0.4, 0.3, -0.4, 1.1;
  system.target.resize(3);
  system.target << 3, -2, 5;
  RelaxedBlock held{.first = 0, .size = 1, .weight = BlockMatrix::Identity(1, 1)};
  RelaxedBlock half{.first = 1, .size = 1, .weight = 0.5 * BlockMatrix::Identity(1, 1)};
  RelaxedBlock slips{.first = 2, .size = 1, .friction = 1.7, .slip = BlockVector::Zero(1)};
  system.blocks = {held, half, slips};
  RelaxedSolver solver;
  RelaxedForces f;
  solver.solve(system, &f);
  ASSERT_TRUE(f.converged);
  const VectorX<double> lack = system.target - system.W * f.F;
  EXPECT_NEAR(lack[0], 0, 1e-12);
  EXPECT_NEAR(f.F[1], 0.5 * (lack[1] / 1.5 + f.F[1]), 1e-12);
  EXPECT_EQ(f.F[2], 1.7);
  EXPECT_GT(lack[2], 0);  // it would need more
}

// --- Steps: derivatives, allocation ---

/// A body on four soft wheels that slide, two of them turning with joints of their own, one braked:
/// friction in planes and along a line, normal forces of springs, coupled with each other.
std::string soft_cart(double friction) {
  std::string text = R"(kind = "mechanism"
name = "cart"
gravity = [1.3, 0.4, -9.6]
[bodies.chassis]
frame = { at = [0, 0, 0.31] }
mass = 210
center = [0.13, -0.04, 0.25]
inertia = [40, 110, 120]
[joints.chassis]
type = "free"
child = "chassis"
position = [0.999, 0.01, -0.02, 0.03, 0.1, -0.2, 0.285]
speed = [0.02, -0.1, 0.3, 0.4, -0.25, -0.05]
)";
  const double x[] = {1.1, 1.1, -0.9, -0.9}, y[] = {0.7, -0.7, 0.65, -0.65};
  for (int i = 0; i < 4; ++i) {
    const std::string name = concat("w", i), at = concat("[", x[i], ", ", y[i], ", 0.31]");
    text += concat(
        "[bodies.", name, "]\nframe = { at = ", at,
        " }\nmass = 12\ninertia = [0.4, 0.7, 0.4]\n[joints.", name,
        "]\ntype = \"revolute\"\nparent = \"chassis\"\nchild = \"", name, "\"\nat = ", at,
        "\naxis = \"y\"\nspeed = ", 0.7 + 0.3 * i, "\n[rolling.", name, "]\nwheel = \"", name,
        "\"\ncenter = { body = \"", name, "\", at = [0, 0, 0] }\naxis = { body = \"", name,
        "\", axis = \"y\" }\nradius = 0.31\nstiffness = 61e3\ndamping = 900\nfriction = ", friction,
        "\nslip_speed = 0.3\n");
  }
  return text + R"([couplers.brake]
terms = { w2 = 1 }
friction = "35 + 2*w2'"
slip_speed = 0.5
)";
}

// Difference quotients of the accelerations are the other route. Quaternions are left out: their
// columns are along the unit sphere, and a difference is not.
TEST(RelaxedDynamics, JacobianMatchesDifferenceQuotients) {
  const std::string disc = with(text_of("scenarios/sliding-coin.toml"),
                                "speed = [0, 0, 0, 3, 0, 0]", "speed = [0.3, 2, 0.5, 1.1, 0.7, 0]");
  const std::string latch = with(text_of("scenarios/latch.toml"), "0.5 - 0.5*tanh(60*(t - 1))",
                                 "0.4 + 0.2*hinge + 0.1*hinge'");
  for (const std::string& text :
       {soft_cart(0.35), soft_cart(2.5), disc, latch,
        with(text_of("scenarios/clutch.toml"), "slip_speed = 0.02", "slip_speed = 40"),
        text_of("scenarios/block-on-belt.toml"), text_of("models/change-point.toml")}) {
    MechanismDynamics dynamics(parse(text), Formulation::kUk);
    SCOPED_TRACE(dynamics.tree().mechanism.name);
    const int nq = dynamics.nq(), nv = dynamics.nv();
    VectorX<double> x(nq + nv), J(nv * (nq + nv)), high(nv), low(nv);
    x << dynamics.initial_q(), dynamics.initial_v();
    const auto span = [](VectorX<double>& a, int first, int n) {
      return std::span<double>(a.data() + first, static_cast<std::size_t>(n));
    };
    const double t = 0.3;
    ASSERT_TRUE(dynamics.calc_jacobian(t, span(x, 0, nq), span(x, nq, nv),
                                       span(J, 0, static_cast<int>(J.size()))));
    const double size = J.cwiseAbs().maxCoeff();
    ASSERT_GT(size, 0);
    for (int c = 0; c < nq + nv; ++c) {
      const bool is_quaternion = nq > nv && c < 4;
      if (is_quaternion) continue;
      const double e = 1e-6;
      VectorX<double> moved = x;
      moved[c] += e;
      ASSERT_TRUE(dynamics.calc_accelerations(t, span(moved, 0, nq), span(moved, nq, nv),
                                              span(high, 0, nv)));
      moved[c] -= 2 * e;
      ASSERT_TRUE(dynamics.calc_accelerations(t, span(moved, 0, nq), span(moved, nq, nv),
                                              span(low, 0, nv)));
      const VectorX<double> quotient = (high - low) / (2 * e);
      EXPECT_LT((J.segment(c * nv, nv) - quotient).cwiseAbs().maxCoeff(), 2e-7 * size)
          << "column " << c << "\n"
          << J.segment(c * nv, nv).transpose() << "\n"
          << quotient.transpose();
    }
  }
}

TEST(RelaxedDynamics, StepsAllocateNothing) {
  for (const std::string& text :
       {soft_cart(0.35), text_of("scenarios/sliding-coin.toml"), text_of("scenarios/latch.toml"),
        text_of("models/six-bar.toml")}) {
    MechanismDynamics dynamics(parse(text), Formulation::kUk);
    SCOPED_TRACE(dynamics.tree().mechanism.name);
    const int nq = dynamics.nq(), nv = dynamics.nv();
    VectorX<double> q = dynamics.initial_q(), v = dynamics.initial_v(), v_dot(nv),
                    J(nv * (nq + nv));
    const auto span = [](VectorX<double>& a) {
      return std::span<double>(a.data(), static_cast<std::size_t>(a.size()));
    };
    long before = 0;
    for (int i = 0; i < 3; ++i) {
      if (i == 1) before = allocation_count();
      q[nq - 1] += 1e-3;
      ASSERT_TRUE(dynamics.calc_accelerations(0.1 * i, span(q), span(v), span(v_dot)));
      ASSERT_TRUE(dynamics.calc_jacobian(0.1 * i, span(q), span(v), span(J)));
      ASSERT_TRUE(dynamics.project(0.1 * i, span(q), span(v)));
    }
    EXPECT_EQ(allocation_count() - before, 0);
  }
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
  const auto soft = [&](const std::string& keys) {
    return message_of(with(coin, "friction = 0.5", keys));
  };
  EXPECT_EQ(soft("friction = 0.5\nstiffness = -1"),
            "m.toml:27:13: rolling.edge.stiffness: must be >= 0 N/m, got -1");
  EXPECT_EQ(soft("friction = 0.5\ndamping = 10"),
            "m.toml:27:11: rolling.edge.damping: requires stiffness");
  EXPECT_NE(message_of(with(with(coin, "friction = 0.5", "relax = 0.5\nstiffness = 1e4"),
                            "slip_speed = 0.005             # [m/s]\n", ""))
                .find("rolling.edge.stiffness: requires friction"),
            std::string::npos);
  EXPECT_EQ(
      message_of(with(latch, "position_deg = 30", "position_deg = 30\nrelax = 0.5")),
      "m.toml:17:9: joints.hinge.relax: this joint carries its child; only a joint that closes "
      "a loop relaxes (cut = true where there is a loop)");
}

}  // namespace
}  // namespace camber::multibody
