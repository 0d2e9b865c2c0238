// Ten seconds of every mechanism in models/, by three formulations: they follow the same path as
// far as the integration itself is exact, and keep energy and loops.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/core/test/allocation_count.h"
#include "camber/integrate/fixed_step.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/library.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/mechanism_file.h"
#include "tests/mechanisms/mechanism_system.h"

namespace camber::multibody {
namespace {

using integrate::FixedStepper;
using mechanism_test::make_medley;
using mechanism_test::make_parallelogram;
using mechanism_test::make_system;
using mechanism_test::mechanism_files;

struct Path {
  std::vector<double> poses;  // of all bodies, second by second
  double worst_closure = 0;
  double first_energy = 0, last_energy = 0, largest_kinetic = 0;
  int passages = 0;         // of `ce` through singular configurations
  double largest_loss = 0;  // share of the energy that a projection took
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
  path.passages = dynamics->passages();
  path.largest_loss = dynamics->largest_loss();
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

// Joint coordinates to poses of bodies and back, for states with loops open as well: whole turns
// are those of the angles that were there.
TEST(FullyAugmented, GivesBackTheStateOfTheTree) {
  std::vector<Mechanism> mechanisms = {make_medley()};
  for (const std::string& file : mechanism_files()) mechanisms.push_back(load_mechanism(file));
  const auto view = [](VectorX<double>& x) {
    return std::span(x.data(), static_cast<std::size_t>(x.size()));
  };
  for (const Mechanism& mechanism : mechanisms) {
    SCOPED_TRACE(mechanism.name);
    MechanismDynamics dynamics(mechanism, Formulation::kFa);
    const MechanismTree& tree = dynamics.tree();
    VectorX<double> q = tree.q0, v = tree.v0, step(tree.model.nv);
    for (int k = 0; k < tree.model.nv; ++k) {
      step[k] = 0.1 * std::sin(1.9 * k + 0.3);
      v[k] += std::cos(2.3 * k);
    }
    move_positions(tree.model, step, &q);
    for (const Link<double>& link : tree.model.links)
      if (link.kind == LinkKind::kRevolute && link.nv == 1) q[link.q_start] += 4 * M_PI;
    VectorX<double> poses(dynamics.nq()), speeds(dynamics.nv()),
        q_back = q, v_back = VectorX<double>::Zero(tree.model.nv);
    dynamics.from_tree(view(q), view(v), view(poses), view(speeds));
    for (const Link<double>& link : tree.model.links) {  // a guess that is near, or none
      const bool is_quaternion = link.kind == LinkKind::kSpherical || link.kind == LinkKind::kFree;
      for (int k = 0; k < link.nv; ++k)
        q_back[link.q_start + k] = is_quaternion ? 0 : q[link.q_start + k] + 0.2;
    }
    dynamics.to_tree(view(poses), view(speeds), view(q_back), view(v_back));
    for (const Link<double>& link : tree.model.links) {
      if (link.kind != LinkKind::kSpherical && link.kind != LinkKind::kFree) continue;
      auto back = q_back.segment<4>(link.q_start);  // q and -q are one attitude
      if (back.dot(q.segment<4>(link.q_start)) < 0) back = -back;
    }
    EXPECT_LT((q_back - q).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((v_back - v).cwiseAbs().maxCoeff(), 1e-12 * (1 + v.cwiseAbs().maxCoeff()));
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

// All rows together are singular at a change point, whatever coordinates are independent. Inertia
// carries the parallelogram on as one: its coupler does not turn, and its energy stays.
TEST(Trajectories, PassAChangePoint) {
  const Mechanism mechanism = make_parallelogram(1.1);
  for (const Formulation formulation :
       {Formulation::kCe, Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
    for (const double h : {1e-3, 2.5e-3, 5e-3}) {
      SCOPED_TRACE(testing::Message() << to_text(formulation) << ", h = " << h << " s");
      const Path path = follow(mechanism, formulation, 4, h);  // six times
      ASSERT_TRUE(path.ok) << path.text;
      EXPECT_LT(path.worst_closure, 1e-12);
      EXPECT_NEAR(path.last_energy, path.first_energy, 1e-6 * path.first_energy);
      for (std::size_t i = 7; i + 6 < path.poses.size(); i += 21)  // the coupler, of three bodies
        EXPECT_NEAR(std::abs(path.poses[i + 3]), 1, 1e-9);
      EXPECT_EQ(path.passages, formulation == Formulation::kCe ? 6 : 0);
      EXPECT_LT(path.largest_loss, 1e-6);
    }
  }
}

// Bars that miss each other by 1e-7 m turn the corner near the change point within microseconds:
// steps that are longer end with speeds that fit no motion. Put back on the constraints, these had
// a part of their energy, or, with gravity, many times as much.
TEST(Trajectories, EndWhereStepsLeapOverADeadPoint) {
  int stopped = 0;
  for (const double gravity : {0.0, -9.81}) {
    for (const double angle : {1.1, 2.2, 2.7}) {
      Mechanism mechanism = make_parallelogram(angle, 1e-7);
      mechanism.gravity = {0, 0, gravity};
      for (const Formulation formulation :
           {Formulation::kCe, Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
        for (const double h : {1e-3, 5e-4}) {
          SCOPED_TRACE(testing::Message() << to_text(formulation) << ", h = " << h << " s from "
                                          << angle << " rad, gravity " << gravity);
          const Path path = follow(mechanism, formulation, 1, h);
          if (path.ok) {
            EXPECT_NEAR(path.last_energy, path.first_energy,
                        2e-2 * (path.largest_kinetic + std::abs(path.first_energy)));
          } else if (path.text.find("% of the kinetic energy") != std::string::npos) {
            EXPECT_NE(path.text.find("near a dead point, the steps are too long"),
                      std::string::npos);
            ++stopped;
          }
        }
      }
    }
  }
  EXPECT_GT(stopped, 0);
}

/// The mechanism without gravity, drives, springs and dampers, hung on a free body that turns: what
/// was fixed to the world is fixed to that.
Mechanism make_floating(Mechanism mechanism) {
  const BodyIndex base = mechanism.add(
      Body{"floating base", 7.3, {0.11, -0.07, 0.05}, Vector3(0.31, 0.42, 0.37).asDiagonal()});
  const auto move = [base](BodyIndex* body) {
    if (*body == kWorld) *body = base;
  };
  for (Joint& joint : mechanism.joints) {
    joint.axes.clear();
    move(&joint.parent);
    move(&joint.child);
  }
  for (Rod& rod : mechanism.rods) {
    move(&rod.a);
    move(&rod.b);
  }
  for (Rolling& rolling : mechanism.rollings) move(&rolling.ground);
  mechanism.springs.clear();
  mechanism.bushings.clear();
  mechanism.wrenches.clear();
  mechanism.gravity.setZero();
  Joint joint;
  joint.name = "floating";
  joint.type = JointType::kFree;
  joint.child = base;
  joint.v0 = {0.7, -0.4, 0.9, 0.2, 0.3, -0.1};
  mechanism.add(joint);
  return mechanism;
}

/// How far energy, momentum and angular momentum about the center of mass are off after a while,
/// over their size.
struct Drift {
  double energy = 0, momentum = 0, angular = 0;
};
Drift calc_drift(const Mechanism& mechanism, double seconds, int steps) {
  const auto dynamics = std::make_shared<MechanismDynamics>(mechanism);
  FixedStepper stepper(make_system(dynamics));
  VectorX<double> q = dynamics->initial_q(), v = dynamics->initial_v();
  const auto span = [](VectorX<double>& x) {
    return std::span(x.data(), static_cast<std::size_t>(x.size()));
  };
  const Model<double>& model = dynamics->model();
  PositionKinematics<double> pos(model);
  VelocityKinematics<double> vel(model);
  struct Kept {
    double energy;
    Vector3 momentum, angular;
  };
  const auto measure = [&]() -> Kept {
    calc_position_kinematics(model, q, &pos);
    calc_velocity_kinematics(model, pos, v, static_cast<VectorX<double>*>(nullptr), &vel);
    const auto momentum = calc_momentum(model, pos, vel);
    return {calc_kinetic_energy(model, pos, vel), to_eigen(momentum.linear),
            to_eigen(momentum.angular)};
  };
  const Kept first = measure();
  const double h = seconds / steps;
  for (int i = 0; i < steps; ++i) {
    const auto result = stepper.step(i * h, h, span(q), span(v));
    EXPECT_TRUE(result.ok()) << result.text;
    if (!result.ok()) break;
  }
  const Kept last = measure();
  const double mass = calc_mass_center(model, pos).mass,
               size = std::sqrt(2 * first.energy * mass);  // of a momentum
  return {std::abs(last.energy - first.energy) / first.energy,
          (last.momentum - first.momentum).norm() / size,
          (last.angular - first.angular).norm() / size};
}

/// Mean order at which the drift falls with the step, over those that are above rounding.
class MeanOrder {
 public:
  void add(double coarse, double fine) {
    if (coarse < 1e-10 || fine < 1e-13) return;
    sum_ += std::log2(coarse / fine);
    ++count_;
  }
  double value() const { return sum_ / count_; }
  int count() const { return count_; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

// One tree may be lucky, so the order is the mean of all; each is bounded, with the finer of two
// steps.
void check_drifts(const std::vector<Mechanism>& mechanisms, int fine_steps, double bound,
                  int min_count) {
  MeanOrder energy, momentum, angular;
  for (const Mechanism& mechanism : mechanisms) {
    SCOPED_TRACE(mechanism.name);
    const Drift coarse = calc_drift(mechanism, 0.2, fine_steps / 2),
                fine = calc_drift(mechanism, 0.2, fine_steps);
    EXPECT_LT(fine.energy, bound);
    EXPECT_LT(fine.momentum, bound);
    EXPECT_LT(fine.angular, bound);
    energy.add(coarse.energy, fine.energy);
    momentum.add(coarse.momentum, fine.momentum);
    angular.add(coarse.angular, fine.angular);
  }
  for (const MeanOrder& order : {energy, momentum, angular}) {
    EXPECT_GE(order.count(), min_count);
    EXPECT_GT(order.value(), 3.7);
    EXPECT_LT(order.value(), 5.5);
  }
}

// Steps of 5 ms; the worst of the 200 drifts by 1.7e-8.
TEST(Drift, OfRandomTreesFallsAtTheOrderOfTheIntegrator) {
  std::vector<Mechanism> mechanisms;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    mechanisms.push_back(make_floating(make_random_tree(seed)));
  check_drifts(mechanisms, 40, 5e-8, 120);
}

// Steps of 5 ms; the worst, the momentum of the crank-slider, drifts by 1.6e-7.
TEST(Drift, OfLoopsFallsAtTheOrderOfTheIntegrator) {
  std::vector<Mechanism> mechanisms;
  for (const std::string& file : mechanism_files()) {
    Mechanism mechanism = load_mechanism(file);
    if (mechanism.rollings.empty() && mechanism.name != "change_point")  // below
      mechanisms.push_back(make_floating(std::move(mechanism)));
  }
  ASSERT_GE(mechanisms.size(), 19u);
  check_drifts(mechanisms, 40, 3e-7, 8);
}

// A four-bar that misses its change point by a millimeter takes the corner there within
// milliseconds. Steps of 5 ms leap over it and lose 3e-3 of the energy; from 0.6 ms on they follow
// it, and the drift falls with the fourth power (measured: 1.6e-8, 1.1e-9 and 7e-11 of the energy
// with 640, 1280 and 2560 steps).
TEST(Drift, OfAMechanismNearItsChangePointFallsSoOnceStepsFollowIt) {
  check_drifts({make_floating(load_mechanism("models/change-point.toml"))}, 1280, 5e-9, 1);
}

/// A body on a joint, and a pendulum on the body.
Mechanism on_joint(const std::string& joint) {
  return parse_mechanism(
      "kind = \"mechanism\"\nname = \"driven\"\n[bodies]\n"
      "a = { mass = 1.7, center = [0.1, 0.2, 0.3], inertia = [0.12, 0.13, 0.14] }\n"
      "p = { mass = 0.9, center = [0.1, 0.25, 0.7], inertia = [0.02, 0.03, 0.025] }\n"
      "[joints]\n"
      "j = { child = \"a\", " +
          joint +
          " }\n"
          "k = { type = \"revolute\", parent = \"a\", child = \"p\", at = [0.1, 0, 0.6], "
          "axis = [1, 0.3, 0.2], damping = 0.1 }\n",
      "driven.toml");
}

// Each axis of every joint may follow a motion, whatever the others do: it is followed to rounding,
// and everything else moves as in the other formulations.
TEST(GivenMotions, MayLeadAnyAxisOfAnyJoint) {
  const std::string at = "at = [0.05, -0.1, 0.1], ", turn = "{ motion = \"0.4*sin(3*t)\" }",
                    slide = "{ motion = \"0.2*t + 0.1*sin(2*t)\" }";
  struct Case {
    std::string joint;
    std::vector<std::pair<std::string, bool>> driven;  // and whether it turns
    int free_speeds;                                   // of the joint
  };
  const std::vector<Case> cases = {
      {"type = \"universal\", axis = \"z\", " + at + "axes = [" + turn + ", {}]",
       {{"j.0", true}},
       1},
      {"type = \"universal\", axis = \"z\", " + at + "axes = [{}, " + turn + "]",
       {{"j.1", true}},
       1},
      {"type = \"cylindrical\", axis = [1, 0, 0.5], " + at + "axes = [{}, " + slide + "]",
       {{"j.1", false}},
       1},
      {"type = \"planar\", axis = [0.2, 1, 0.5], " + at + "axes = [" + slide + ", {}, " + turn +
           "]",
       {{"j.0", false}, {"j.2", true}},
       1},
      {"type = \"spherical\", " + at + "axes = [" + turn + ", " + turn + ", " + turn + "]",
       {{"j.rx", true}, {"j.ry", true}, {"j.rz", true}},
       0},
      {"type = \"spherical\", " + at + "speed = [0.3, -0.2, 0.5], axes = [{}, {}, " + turn + "]",
       {{"j.rz", true}},
       2},
      {"type = \"free\", axes = [" + turn + ", " + turn + ", " + turn + ", " + slide + ", " +
           slide + ", " + slide + "]",
       {{"j.rx", true},
        {"j.ry", true},
        {"j.rz", true},
        {"j.x", false},
        {"j.y", false},
        {"j.z", false}},
       0},
      {"type = \"free\", axes = [{}, " + turn + ", {}, " + slide + ", {}, {}]",
       {{"j.ry", true}, {"j.x", false}},
       4},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.joint);
    const Mechanism mechanism = on_joint(c.joint);
    const Path ce = follow(mechanism, Formulation::kCe, 0.5, 1e-3);
    ASSERT_TRUE(ce.ok) << ce.text;
    for (const Formulation formulation : {Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
      SCOPED_TRACE(to_text(formulation));
      const Path path = follow(mechanism, formulation, 0.5, 1e-3);
      ASSERT_TRUE(path.ok) << path.text;
      EXPECT_LT(difference(ce, path), 1e-8);
    }
    for (const Formulation formulation : {Formulation::kCe, Formulation::kFa}) {
      SCOPED_TRACE(to_text(formulation));
      MechanismDynamics dynamics(mechanism, formulation);
      EXPECT_EQ(dynamics.mobility().degrees_of_freedom, 1 + c.free_speeds);
      VectorX<double> q = dynamics.initial_q(), v = dynamics.initial_v();
      VectorX<double> tree_q = dynamics.tree().q0, tree_v = dynamics.tree().v0;
      const auto span = [](VectorX<double>& x) {
        return std::span(x.data(), static_cast<std::size_t>(x.size()));
      };
      for (const double t : {0.0, 0.05, 0.1, 0.15}) {
        ASSERT_TRUE(dynamics.project(t, span(q), span(v))) << dynamics.why();
        dynamics.to_tree(span(q), span(v), span(tree_q), span(tree_v));
        for (const auto& [name, turns] : c.driven) {
          const auto& names = dynamics.tree().v_names;
          const auto found = std::find(names.begin(), names.end(), name);
          ASSERT_NE(found, names.end()) << name;
          const auto k = static_cast<int>(found - names.begin());
          EXPECT_NEAR(tree_q[k], turns ? 0.4 * std::sin(3 * t) : 0.2 * t + 0.1 * std::sin(2 * t),
                      1e-12);
          EXPECT_NEAR(tree_v[k], turns ? 1.2 * std::cos(3 * t) : 0.2 + 0.2 * std::cos(2 * t),
                      1e-11);
        }
      }
    }
  }
}

// What leads a free joint along its six axes is three slides and three pins, one behind the other:
// the same motion, and the same force and torque on the world.
TEST(GivenMotions, OfAFreeJointTakeTheForcesOfSlidesAndPins) {
  const std::string motions[] = {"0.3*t",        "0.2*sin(4*t)", "0.1*t^2",
                                 "0.5*sin(3*t)", "0.4*cos(2*t)", "0.7*t"};
  std::string axes = "type = \"free\", axes = [", bodies, joints, carrier;
  for (const int i : {3, 4, 5, 0, 1, 2})
    axes += concat("{ motion = \"", motions[i], "\" }", i == 2 ? "]" : ", ");
  const char* directions[] = {"x", "y", "z"};
  for (int i = 0; i < 6; ++i) {
    const std::string child = i == 5 ? "a" : concat("step", i);
    if (i < 5) bodies += child + " = { mass = 0 }\n";
    joints += concat("j", i, " = { type = \"", i < 3 ? "prismatic" : "revolute", "\", child = \"",
                     child, "\", at = [0, 0, 0], axis = \"", directions[i % 3], "\", motion = \"",
                     motions[i], "\"", carrier, " }\n");
    carrier = concat(", parent = \"", child, "\"");
  }
  const Mechanism one = on_joint(axes);
  const Mechanism many = parse_mechanism(
      "kind = \"mechanism\"\nname = \"steps\"\n[bodies]\n" + bodies +
          "a = { mass = 1.7, center = [0.1, 0.2, 0.3], inertia = [0.12, 0.13, 0.14] }\n"
          "p = { mass = 0.9, center = [0.1, 0.25, 0.7], inertia = [0.02, 0.03, 0.025] }\n"
          "[joints]\n" +
          joints +
          "k = { type = \"revolute\", parent = \"a\", child = \"p\", at = [0.1, 0, 0.6], "
          "axis = [1, 0.3, 0.2], damping = 0.1 }\n",
      "steps.toml");
  Observation seen[2];
  for (int i = 0; i < 2; ++i) {
    MechanismDynamics dynamics(i == 0 ? one : many);
    VectorX<double> q = dynamics.initial_q(), v = dynamics.initial_v();
    q[q.size() - 1] = 0.3;
    v[v.size() - 1] = -0.8;
    const auto span = [](VectorX<double>& x) {
      return std::span(x.data(), static_cast<std::size_t>(x.size()));
    };
    ASSERT_TRUE(dynamics.observe(0.37, span(q), span(v), &seen[i])) << dynamics.why();
  }
  EXPECT_NEAR(seen[0].v_dot.back(), seen[1].v_dot.back(), 1e-11);
  for (int k = 0; k < 7; ++k)
    EXPECT_NEAR(std::abs(seen[0].poses[k]), std::abs(seen[1].poses[35 + k]), 1e-12);
  // On body a at its origin, from the free joint and from the last pin.
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(seen[0].reactions[k], seen[1].reactions[30 + k], 1e-10);
}

}  // namespace
}  // namespace camber::multibody
