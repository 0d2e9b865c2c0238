// Ten seconds of every mechanism in models/, by three formulations: they follow the same path as
// far as the integration itself is exact, and keep energy and loops.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/core/test/allocation_count.h"
#include "camber/integrate/fixed_step.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/library.h"
#include "camber/multibody/mechanism_file.h"

namespace camber::multibody {
namespace {

using integrate::CoordinateBlock;
using integrate::FixedStepper;
using integrate::MechanicalSystem;

std::vector<std::string> mechanism_files() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("models")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("kind = \"mechanism\"")) paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

MechanicalSystem make_system(const std::shared_ptr<MechanismDynamics>& dynamics) {
  MechanicalSystem system;
  system.nq = dynamics->nq();
  system.nv = dynamics->nv();
  for (const Link<double>& link : dynamics->model().links) {
    if (link.nv == 0) continue;
    CoordinateBlock block;
    block.q_start = link.q_start;
    block.v_start = link.v_start;
    if (link.kind == LinkKind::kSpherical) block.kind = CoordinateBlock::Kind::kQuaternion;
    if (link.kind == LinkKind::kFree) block.kind = CoordinateBlock::Kind::kPose;
    system.blocks.push_back(block);
  }
  system.accelerations = [dynamics](double t, std::span<const double> q, std::span<const double> v,
                                    std::span<double> v_dot) {
    return dynamics->calc_accelerations(t, q, v, v_dot);
  };
  system.project = [dynamics](double t, std::span<double> q, std::span<double> v) {
    return dynamics->project(t, q, v);
  };
  system.why = [dynamics] { return dynamics->why(); };
  return system;
}

struct Path {
  std::vector<double> poses;  // of all bodies, second by second
  double worst_closure = 0;
  double first_energy = 0, last_energy = 0, largest_kinetic = 0;
  bool ok = true;
  std::string text;
};

Path failed(const std::string& why) {
  Path path;
  path.ok = false;
  path.text = why;
  return path;
}

Path follow(const Mechanism& mechanism, Formulation formulation, double seconds, double h) {
  const auto dynamics = std::make_shared<MechanismDynamics>(mechanism, formulation);
  FixedStepper stepper(make_system(dynamics));
  VectorX<double> q = dynamics->initial_q(), v = dynamics->initial_v();
  const auto span = [](VectorX<double>& x) {
    return std::span(x.data(), static_cast<std::size_t>(x.size()));
  };
  Path path;
  Observation seen;
  const int steps = static_cast<int>(std::lround(seconds / h)),
            per_sample = static_cast<int>(std::lround(0.5 / h));
  for (int i = 0; i <= steps; ++i) {
    if (i % per_sample == 0) {
      if (!dynamics->observe(i * h, span(q), span(v), &seen)) return failed(dynamics->why());
      path.poses.insert(path.poses.end(), seen.poses.begin(), seen.poses.end());
      // Gears go through many turns: rounding is that of their angles.
      path.worst_closure =
          std::max(path.worst_closure, seen.position_error / (1 + q.cwiseAbs().maxCoeff()));
      path.largest_kinetic = std::max(path.largest_kinetic, seen.kinetic_energy);
      path.last_energy = seen.kinetic_energy + seen.gravity_energy + seen.elastic_energy;
      if (i == 0) path.first_energy = path.last_energy;
    }
    const auto result = stepper.step(i * h, h, span(q), span(v));
    if (!result.ok()) return failed(result.text);
  }
  return path;
}

// Largest difference of two bodies' positions and attitudes, q and -q being one attitude.
double difference(const Path& a, const Path& b) {
  double most = a.poses.size() == b.poses.size() ? 0 : 1e300;
  for (std::size_t i = 0; i + 6 < std::min(a.poses.size(), b.poses.size()); i += 7) {
    double dot = 0;
    for (int k = 3; k < 7; ++k) dot += a.poses[i + k] * b.poses[i + k];
    for (int k = 0; k < 7; ++k) {
      const double sign = k >= 3 && dot < 0 ? -1 : 1;
      most = std::max(most, std::abs(a.poses[i + k] - sign * b.poses[i + k]));
    }
  }
  return most;
}

TEST(Trajectories, OfTenSecondsAreTheSameInEveryFormulation) {
  int compared = 0;
  for (const std::string& file : mechanism_files()) {
    SCOPED_TRACE(file);
    const Mechanism mechanism = load_mechanism(file);
    const double h = 2e-3;
    const Path ce = follow(mechanism, Formulation::kCe, 10, h);
    const Path finer = follow(mechanism, Formulation::kCe, 10, h / 2);
    ASSERT_TRUE(ce.ok) << ce.text;
    ASSERT_TRUE(finer.ok) << finer.text;
    EXPECT_LT(ce.worst_closure, 1e-12);
    // Each is off by what its own step is off by, and by what a difference in the last digits grows
    // to where the motion is chaotic: both show in a run with half the step.
    const double ce_error = difference(ce, finer);
    EXPECT_LT(ce_error, mechanism.name == "change_point" ? 5e-2 : 1e-3);
    const auto compare = [&](Formulation formulation) {
      SCOPED_TRACE(to_text(formulation));
      const Path path = follow(mechanism, formulation, 10, h),
                 half = follow(mechanism, formulation, 10, h / 2);
      EXPECT_TRUE(path.ok) << path.text;
      EXPECT_TRUE(half.ok) << half.text;
      const double error = difference(path, half);
      // A swing close past a dead point; fast gears as attitudes of free bodies.
      const bool is_sensitive =
          mechanism.name == "change_point" ||
          (mechanism.name == "planetary_gear" && formulation == Formulation::kFa);
      EXPECT_LT(difference(finer, half), std::max(1e-8, ce_error + error))
          << ce_error << " " << error;
      // An error of both formulations' runs would allow itself: they are also near each other.
      EXPECT_LT(difference(finer, half), is_sensitive ? 1e-3 : 1e-5);
      EXPECT_LT(half.worst_closure, 1e-9);
    };
    compare(Formulation::kTa);
    compare(Formulation::kFa);
    ++compared;
  }
  EXPECT_GE(compared, 16);
}

// A soft hinge with a spring and a damper along each of its coordinates, a bushing beside them and
// a pendulum on its body: joint coordinates in one, poses and rows for the coordinates in the
// other.
TEST(Trajectories, OfASoftHingeAreTheSameInEveryFormulation) {
  Mechanism mechanism;
  mechanism.name = "soft";
  const BodyIndex block =
                      mechanism.add({"block", 3.1, {0.1, -0.05, 0.07}, Matrix3::Identity() * 0.2}),
                  bob = mechanism.add({"bob", 0.7, {0.4, 0.1, -0.1}, Matrix3::Identity() * 0.03});
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::kSoftHinge;
  hinge.child = block;
  hinge.X_PF.linear() = Matrix3(Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()));
  hinge.X_PF.translation() = Vector3(0.2, 0.3, 0.5);
  hinge.X_BM.linear() = Matrix3(Eigen::AngleAxisd(-0.4, Vector3(2, -1, 1).normalized()));
  hinge.q0 = {0.02, -0.03, 0.05, 0.3, -0.4, 0.9};
  hinge.v0 = {0.3, -0.2, 0.1, 2.1, -1.7, 3.3};
  hinge.axes.resize(6);
  for (int i = 0; i < 6; ++i) {
    hinge.axes[i].stiffness = i < 3 ? 900 + 70 * i : 12 + i;
    hinge.axes[i].damping = 0.4 + 0.1 * i;
  }
  mechanism.add(hinge);
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.parent = block;
  pin.child = bob;
  pin.X_PF = pin.X_BM = hinge.X_PF;
  pin.v0 = {-2.4};
  mechanism.add(pin);
  Bushing mount;
  mount.name = "mount";
  mount.b = block;
  mount.X_AP = mount.X_BQ = hinge.X_PF;
  mount.stiffness.diagonal() << 11, 12, 3, 400, 500, 450;
  mount.damping.diagonal() << 0.1, 0.2, 0.1, 3, 4, 2;
  mechanism.bushings.push_back(mount);
  const Path ce = follow(mechanism, Formulation::kCe, 3, 1e-3);
  ASSERT_TRUE(ce.ok) << ce.text;
  EXPECT_GT(std::abs(ce.poses[7 * 2 * 3] - ce.poses[0]), 1e-3);  // it moves
  for (const Formulation formulation : {Formulation::kTa, Formulation::kFa}) {
    const Path path = follow(mechanism, formulation, 3, 1e-3);
    ASSERT_TRUE(path.ok) << path.text;
    EXPECT_LT(difference(ce, path), 1e-7) << to_text(formulation);
  }
}

// Without dampers, friction and drives the energy stays; its error falls as the fourth power of the
// step.
TEST(Trajectories, KeepTheirEnergyAtTheOrderOfTheIntegrator) {
  for (Mechanism mechanism :
       {make_four_bar_ladder(1), make_four_bar_ladder(3), make_chain(4, 11)}) {
    SCOPED_TRACE(mechanism.name);
    const auto drift = [&](double h) {
      const Path path = follow(mechanism, Formulation::kCe, 3, h);
      EXPECT_TRUE(path.ok) << path.text;
      return std::abs(path.last_energy - path.first_energy) / path.largest_kinetic;
    };
    const double coarse = drift(1e-3), fine = drift(5e-4);
    EXPECT_LT(fine, 1e-3);  // the ladders snap through dead points at 20 rad/s
    // Order 4 at least; or at rounding already.
    EXPECT_LT(fine, std::max(1e-11, coarse / 8)) << coarse << " " << fine;
  }
}

TEST(AllocationCount, SeesEigen) {
  if (!counts_malloc()) GTEST_SKIP() << "a sanitizer has the memory";
  const long before = allocation_count();
  const VectorX<double> x = VectorX<double>::Ones(100);
  const MatrixX<double> A = x * x.transpose();
  EXPECT_EQ(allocation_count() - before, 2);
  EXPECT_EQ(A.sum(), 1e4);
}

// Of Bennett's linkage three rows of five are redundant, and those that were chosen at the start
// come to depend on each other on the way. The damper takes its part of the energy; how much, every
// step length and every formulation agree on.
TEST(Trajectories, ConvergeWhereRowsAreRedundant) {
  const Mechanism mechanism = load_mechanism("models/bennett.toml");
  const auto last_energy = [&](Formulation formulation, double h) {
    const Path path = follow(mechanism, formulation, 2, h);
    EXPECT_TRUE(path.ok) << to_text(formulation) << ": " << path.text;
    return path.last_energy;
  };
  const double reference = last_energy(Formulation::kTa, 1.25e-4);
  double coarser = 1;
  for (const double h : {4e-3, 2e-3, 1e-3, 5e-4}) {
    const double error = std::abs(last_energy(Formulation::kCe, h) - reference);
    EXPECT_LT(error, std::max(1e-10, coarser / 10)) << "h = " << h << " s";
    coarser = error;
  }
  EXPECT_LT(coarser, 1e-9 * reference);
  // Rows that follow from the others where the loop is closed, and not within a step.
  for (const Formulation formulation : {Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
    EXPECT_NEAR(last_energy(formulation, 1e-3), reference, 1e-8 * reference)
        << to_text(formulation);
  }
}

/// A parallelogram without gravity, its crank at an angle: flat at 0, where it could also fold up
/// the other way. Its motion on is that with parallel sides, at a constant speed.
Mechanism make_parallelogram(double angle, double misfit = 0) {
  const double x = 0.2 * std::cos(angle), z = 0.2 * std::sin(angle);
  return parse_mechanism(
      "kind = \"mechanism\"\nname = \"parallelogram\"\ngravity = [0, 0, 0]\n[points]\n"
      "A = [0, 0, 0]\nD = [0.5, 0, 0]\n" +
          concat("B = [", x, ", 0, ", z, "]\nC = [", 0.5 + x, ", 0, ", z + misfit, "]\n") +
          "[bodies]\n"
          "crank = { mass = 0.8, rod = { from = \"A\", to = \"B\", radius = 0.02 } }\n"
          "coupler = { mass = 1.3, rod = { from = \"B\", to = \"C\", radius = 0.02 } }\n"
          "rocker = { mass = 1.1, rod = { from = \"D\", to = \"C\", radius = 0.02 } }\n"
          "[joints]\n"
          "crank = { type = \"revolute\", child = \"crank\", at = \"A\", axis = \"-y\", "
          "speed = 5 }\n"
          "knee = { type = \"revolute\", parent = \"crank\", child = \"coupler\", at = \"B\", "
          "axis = \"-y\", speed = -5 }\n"
          "rocker = { type = \"revolute\", child = \"rocker\", at = \"D\", axis = \"-y\", "
          "speed = 5 }\n"
          "pin = { type = \"revolute\", parent = \"rocker\", child = \"coupler\", at = \"C\", "
          "axis = \"-y\", cut = true }\n",
      "parallelogram.toml");
}

// At a dead point one row more follows from the others than anywhere else. What decides there how
// many rows are needed has one too few afterwards, and says which one stays open.
TEST(Trajectories, ThatStartAtADeadPointGoOnOrSayWhatOpens) {
  const Mechanism mechanism = make_parallelogram(0);
  const Path uk = follow(mechanism, Formulation::kUk, 1, 1e-3);
  ASSERT_TRUE(uk.ok) << uk.text;
  EXPECT_LT(uk.worst_closure, 1e-12);
  EXPECT_NEAR(uk.last_energy, uk.first_energy, 1e-8 * uk.first_energy);
  for (const Formulation formulation : {Formulation::kCe, Formulation::kTa, Formulation::kFa}) {
    SCOPED_TRACE(to_text(formulation));
    const Path path = follow(mechanism, formulation, 1, 1e-3);
    EXPECT_FALSE(path.ok);
    EXPECT_NE(path.text.find("joint \""), std::string::npos) << path.text;
    EXPECT_NE(path.text.find("stays open by"), std::string::npos) << path.text;
  }
}

// Eigen's own allocations are among those that are counted. Where independent coordinates or
// redundant rows are chosen anew there are some: an event, of which these have none.
TEST(Step, AllocatesNothing) {
  for (const char* file :
       {"models/four-bar.toml", "models/stewart-platform.toml", "models/spatial-four-bar.toml",
        "models/pendulum-chain.toml", "models/excavator-arm.toml"}) {
    for (const Formulation formulation :
         {Formulation::kCe, Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
      SCOPED_TRACE(testing::Message() << file << " " << to_text(formulation));
      const auto dynamics = std::make_shared<MechanismDynamics>(load_mechanism(file), formulation);
      FixedStepper stepper(make_system(dynamics));
      VectorX<double> q = dynamics->initial_q(), v = dynamics->initial_v();
      const auto span = [](VectorX<double>& x) {
        return std::span(x.data(), static_cast<std::size_t>(x.size()));
      };
      ASSERT_TRUE(stepper.step(0, 1e-3, span(q), span(v)).ok());
      const long before = allocation_count();
      for (int i = 1; i < 100; ++i) {
        if (!stepper.step(i * 1e-3, 1e-3, span(q), span(v)).ok()) FAIL();
      }
      const long during = allocation_count() - before;
      EXPECT_EQ(dynamics->partition_changes(), 0);
      EXPECT_EQ(during, 0);
    }
  }
}

// A four-bar that has to pass near its change point: independent coordinates are chosen anew on the
// way, and the energy does not notice.
TEST(ConstraintEmbedding, PassesNearASingularConfiguration) {
  Mechanism mechanism = load_mechanism("models/change-point.toml");
  for (Joint& joint : mechanism.joints) joint.axes.clear();  // no damping
  const Path path = follow(mechanism, Formulation::kCe, 3, 2.5e-4);
  ASSERT_TRUE(path.ok) << path.text;
  EXPECT_LT(path.worst_closure, 1e-12);
  EXPECT_LT(std::abs(path.last_energy - path.first_energy), 1e-6 * path.largest_kinetic);
}

}  // namespace
}  // namespace camber::multibody
