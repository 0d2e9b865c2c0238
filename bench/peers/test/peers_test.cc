// MuJoCo and Simbody share nothing but a mechanism's description: where they agree, both models are
// what the description says.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/peers/mujoco_mechanism.h"
#include "bench/peers/simbody_mechanism.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/multibody/library.h"

namespace camber::bench {
namespace {

using multibody::BodyIndex;
using multibody::Coupler;
using multibody::Joint;
using multibody::JointAxis;
using multibody::JointType;
using multibody::make_random_tree;
using multibody::Mechanism;
using multibody::Rod;
using multibody::SpringDamper;
using multibody::Wrench;

constexpr unsigned kSeeds = 200;

Vector3 random_vector(double size, RandomStream* random) {
  Vector3 v;
  for (int i = 0; i < 3; ++i) v[i] = random->uniform(-size, size);
  return v;
}

double difference(const VectorX<double>& a, const VectorX<double>& b) {
  if (a.size() == 0) return 0;
  return (a - b).lpNorm<Eigen::Infinity>() / (1 + a.lpNorm<Eigen::Infinity>());
}

void expect_same_poses(const MujocoMechanism& mujoco, const SimbodyMechanism& simbody,
                       const PeerState& state) {
  const BodyMotions motions = calc_body_motions(mujoco.tree(), state);
  for (std::size_t b = 1; b < motions.X_WB.size(); ++b) {
    const Eigen::Matrix4d expected = motions.X_WB[b].matrix();
    EXPECT_LT((mujoco.pose(BodyIndex(b)).matrix() - expected).norm(), 1e-11) << "body " << b;
    EXPECT_LT((simbody.pose(BodyIndex(b)).matrix() - expected).norm(), 1e-11) << "body " << b;
  }
}

/// Joint springs, dampers and forces, springs between points, wrenches: what both engines know.
void add_common_forces(RandomStream* random, Mechanism* mechanism) {
  for (Joint& joint : mechanism->joints) {
    if (joint.type == JointType::kSpherical || joint.type == JointType::kFree) continue;
    for (int i = 0; i < multibody::speed_count(joint.type); ++i) {
      JointAxis axis;
      axis.stiffness = random->uniform(1, 10);
      axis.rest = random->uniform(-0.5, 0.5);
      axis.damping = random->uniform(0.1, 1);
      axis.force = random->uniform(-1, 1);
      joint.axes.push_back(axis);
    }
  }
  const auto count = static_cast<int>(mechanism->bodies.size());
  for (int b = 1; b < count; b += 2) {
    SpringDamper spring;
    spring.name = concat("spring", b);
    spring.a = BodyIndex(b);
    spring.b = BodyIndex(static_cast<int>(random->integer(0, b - 1)));
    spring.p_AP_A = random_vector(0.3, random);
    spring.p_BQ_B = random_vector(0.3, random);
    spring.free_length = random->uniform(0.2, 0.6);
    spring.stiffness = random->uniform(5, 20);
    spring.damping = random->uniform(0.5, 2);
    mechanism->springs.push_back(spring);
    Wrench wrench;
    wrench.name = concat("wrench", b);
    wrench.body = BodyIndex(b);
    wrench.p_BQ_B = random_vector(0.3, random);
    wrench.force = random_vector(3, random);
    wrench.torque = random_vector(1, random);
    wrench.in_world = random->uniform() < 0.5;
    mechanism->wrenches.push_back(wrench);
  }
}

/// MuJoCo's screw is a constraint; all other joints it has as they are.
void expect_agreement_on_tree(const Mechanism& mechanism, bool with_screws, double tolerance) {
  MujocoMechanism mujoco(mechanism);
  SimbodyMechanism simbody(mechanism);
  const PeerState state = make_initial_state(mujoco.tree());
  const int at_mujoco = mujoco.add_state(state), at_simbody = simbody.add_state(state);
  if (with_screws) {
    mujoco.forward_exactly(at_mujoco);
  } else {
    mujoco.forward(at_mujoco);
  }
  simbody.forward(at_simbody);
  expect_same_poses(mujoco, simbody, state);
  EXPECT_LT(difference(mujoco.accelerations(), simbody.accelerations()), tolerance);
}

std::vector<JointType> all_but_screws() {
  return {JointType::kFixed,  JointType::kRevolute,    JointType::kPrismatic, JointType::kUniversal,
          JointType::kPlanar, JointType::kCylindrical, JointType::kSpherical, JointType::kFree};
}

TEST(Peers, AgreeOnRandomTrees) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_agreement_on_tree(make_random_tree(seed, {.types = all_but_screws()}), false, 1e-10);
  }
}

TEST(Peers, AgreeOnRandomTreesWithScrews) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_agreement_on_tree(make_random_tree(seed), true, 1e-9);
  }
}

TEST(Peers, AgreeOnForces) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Mechanism mechanism = make_random_tree(seed, {.types = all_but_screws()});
    RandomStream random = RandomStream(seed).substream("forces");
    add_common_forces(&random, &mechanism);
    expect_agreement_on_tree(mechanism, false, 1e-10);
  }
}

TEST(Peers, AgreeOnAChainOfSixtyJoints) {
  expect_agreement_on_tree(multibody::make_chain(60, 1), false, 1e-9);
  expect_agreement_on_tree(multibody::make_binary_tree(60, 1), false, 1e-10);
}

// --- Loops ---

Isometry3 random_pose(RandomStream* random) {
  Isometry3 X = Isometry3::Identity();
  X.linear() = Eigen::AngleAxisd(random->uniform(-3, 3), random_vector(1, random).normalized())
                   .toRotationMatrix();
  X.translation() = random_vector(0.3, random);
  return X;
}

/// A random tree on which `parent` and `child` are the ends of two branches of several joints.
Mechanism make_two_branches(unsigned seed, BodyIndex* parent, BodyIndex* child) {
  constexpr int kLinks = 4;
  Mechanism mechanism =
      make_random_tree(seed, {.bodies = 2 * kLinks,
                              .types = {JointType::kRevolute, JointType::kSpherical,
                                        JointType::kUniversal, JointType::kCylindrical}});
  for (int i = 0; i < 2 * kLinks; ++i)
    mechanism.joints[i].parent = BodyIndex(i == 0 || i == kLinks ? 0 : i);
  *parent = BodyIndex(kLinks);
  *child = BodyIndex(2 * kLinks);
  return mechanism;
}

/// Closes a loop with a joint that fits where the bodies are.
Mechanism make_random_loop(JointType type, unsigned seed) {
  Joint closure;
  Mechanism mechanism = make_two_branches(seed, &closure.parent, &closure.child);
  const SpanningTree tree = find_spanning_tree(mechanism);
  const BodyMotions motions = calc_body_motions(tree, make_initial_state(tree));
  RandomStream random = RandomStream(seed).substream("loop");
  closure.name = "closure";
  closure.type = type;
  closure.pitch = type == JointType::kScrew ? 0.2 : 0;
  closure.X_PF = random_pose(&random);
  std::vector<double> q;
  for (int i = 0; i < multibody::position_count(type); ++i) q.push_back(random.uniform(-1, 1));
  closure.X_BM = motions.X_WB[closure.child.value].inverse() * motions.X_WB[closure.parent.value] *
                 closure.X_PF * calc_joint_pose(closure, q.data());
  mechanism.add(closure);
  return mechanism;
}

Mechanism make_rod_loop(unsigned seed) {
  Rod rod;
  Mechanism mechanism = make_two_branches(seed, &rod.a, &rod.b);
  const SpanningTree tree = find_spanning_tree(mechanism);
  const BodyMotions motions = calc_body_motions(tree, make_initial_state(tree));
  RandomStream random = RandomStream(seed).substream("loop");
  rod.name = "rod";
  rod.p_AP_A = random_vector(0.3, &random);
  rod.p_BQ_B = random_vector(0.3, &random);
  rod.length =
      (motions.X_WB[rod.a.value] * rod.p_AP_A - motions.X_WB[rod.b.value] * rod.p_BQ_B).norm();
  mechanism.rods.push_back(rod);
  return mechanism;
}

/// Three axes that go together, one of them of the joint that closes a loop.
Mechanism make_coupled_loop(unsigned seed) {
  Mechanism mechanism = make_random_loop(JointType::kCylindrical, seed);
  const SpanningTree tree = find_spanning_tree(mechanism);
  const PeerState state = make_initial_state(tree);
  Coupler coupler{"coupler", {}, 0};
  double factor = 0.7;
  for (const TreeNode& node : tree.nodes) {
    if (node.joint.type != JointType::kUniversal && node.joint.type != JointType::kCylindrical)
      continue;
    coupler.terms.push_back({node.index, 1, factor});
    coupler.offset += factor * state.q[node.q_start + 1];
    factor *= -1.3;
  }
  mechanism.couplers.push_back(coupler);
  return mechanism;
}

struct LoopOutcome {
  double exactly = 0;          // largest difference of MuJoCo's corrected accelerations
  double plainly = 0;          // of mj_forward's
  double plainly_at_rest = 0;  // of mj_forward's without speeds
};

void compare_on_loop(const Mechanism& mechanism, const PeerState& near, LoopOutcome* outcome) {
  MujocoMechanism mujoco(mechanism);
  SimbodyMechanism simbody(mechanism);
  const PeerState state = simbody.project(near);
  PeerState rest = state;
  rest.v.setZero();
  const int at = simbody.add_state(state), at_rest = simbody.add_state(rest);
  mujoco.add_state(state);
  mujoco.add_state(rest);

  simbody.forward(at);
  const VectorX<double> expected = simbody.accelerations();
  ASSERT_GT(simbody.constraint_count(), 0);
  ASSERT_LT(simbody.constraint_error(), 1e-10);
  mujoco.forward(at);
  const auto raise = [](double value, double* to) { *to = std::max(*to, value); };
  raise(difference(expected, mujoco.accelerations()), &outcome->plainly);
  mujoco.forward_exactly(at);
  ASSERT_GT(mujoco.constraint_count(), 0);
  EXPECT_LT(mujoco.constraint_error(), 1e-10);
  expect_same_poses(mujoco, simbody, state);
  raise(difference(expected, mujoco.accelerations()), &outcome->exactly);
  simbody.forward(at_rest);
  mujoco.forward(at_rest);
  raise(difference(simbody.accelerations(), mujoco.accelerations()), &outcome->plainly_at_rest);
}

void expect_agreement_on_loops(const std::function<Mechanism(unsigned)>& make, double tolerance) {
  LoopOutcome outcome;
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Mechanism mechanism = make(seed);
    const PeerState state = make_initial_state(find_spanning_tree(mechanism));
    LoopOutcome one;
    compare_on_loop(mechanism, state, &one);
    if (testing::Test::HasFatalFailure()) return;
    EXPECT_LT(one.exactly, tolerance);
    outcome.exactly = std::max(outcome.exactly, one.exactly);
    outcome.plainly = std::max(outcome.plainly, one.plainly);
    outcome.plainly_at_rest = std::max(outcome.plainly_at_rest, one.plainly_at_rest);
  }
  testing::Test::RecordProperty("corrected", concat(outcome.exactly));
  testing::Test::RecordProperty("mj_forward", concat(outcome.plainly));
  testing::Test::RecordProperty("mj_forward_at_rest", concat(outcome.plainly_at_rest));
}

class PeersOnLoops : public testing::TestWithParam<JointType> {};

TEST_P(PeersOnLoops, Agree) {
  expect_agreement_on_loops([](unsigned seed) { return make_random_loop(GetParam(), seed); }, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Closures, PeersOnLoops,
                         testing::Values(JointType::kFixed, JointType::kRevolute,
                                         JointType::kPrismatic, JointType::kScrew,
                                         JointType::kCylindrical, JointType::kUniversal,
                                         JointType::kPlanar, JointType::kSpherical),
                         [](const auto& type) { return std::string(to_text(type.param)); });

TEST(Peers, AgreeOnRods) { expect_agreement_on_loops(make_rod_loop, 1e-9); }
TEST(Peers, AgreeOnCouplers) { expect_agreement_on_loops(make_coupled_loop, 1e-9); }

/// The ladder with its cranks turned and all joints moving; speeds that fit come by projection.
PeerState make_ladder_state(const SpanningTree& tree, double turn) {
  PeerState state = make_initial_state(tree);
  for (int i = 0; i < tree.nq; ++i) {
    state.q[i] += turn * std::sin(1.0 + i);
    state.v[i] = std::cos(0.7 * i);
  }
  return state;
}

TEST(Peers, AgreeOnFourBarLadders) {
  for (const int n : {1, 2, 4, 8, 16}) {
    for (const auto pin : {multibody::LadderPin::kSpherical, multibody::LadderPin::kRevolute}) {
      SCOPED_TRACE(testing::Message() << n << " loops");
      const Mechanism ladder = multibody::make_four_bar_ladder(n, pin);
      LoopOutcome outcome;
      compare_on_loop(ladder, make_ladder_state(find_spanning_tree(ladder), 0.05), &outcome);
      EXPECT_LT(outcome.exactly, 1e-10);
      // The farther from the ground, the softer.
      EXPECT_LT(outcome.plainly_at_rest, 2e-4 * n * n);
    }
  }
}

// Why forward_exactly() is there: mj_forward leaves out Jdot v. Should a later MuJoCo put it in,
// its own accelerations can be compared.
TEST(Peers, DisagreeOnMovingLoopsWithoutTheCorrection) {
  const Mechanism loop = make_random_loop(JointType::kSpherical, 3);
  LoopOutcome outcome;
  compare_on_loop(loop, make_initial_state(find_spanning_tree(loop)), &outcome);
  EXPECT_LT(outcome.plainly_at_rest, 1e-3);
  EXPECT_GT(outcome.plainly, 1e-2);
  EXPECT_LT(outcome.exactly, 1e-10);
}

// Crank and rod in a plane that is no one's xy; the slider is carried by the prismatic joint, and
// the pin between rod and slider closes the loop.
TEST(Peers, AgreeOnASliderCrank) {
  const double crank = 0.31, rod = 0.83, angle = 0.6;
  const Mechanism bodies = make_random_tree(5, {.bodies = 3});
  Mechanism mechanism;
  mechanism.bodies = bodies.bodies;
  mechanism.gravity = bodies.gravity;
  RandomStream random(6);
  const Isometry3 X_WE = random_pose(&random);
  const auto at = [](double x) {
    Isometry3 X = Isometry3::Identity();
    X.translation() = Vector3(x, 0, 0);
    return X;
  };
  const double swing = -std::asin(crank * std::sin(angle) / rod);
  const double reach = crank * std::cos(angle) + rod * std::cos(swing);
  Isometry3 along_x = Isometry3::Identity();  // its z is x
  along_x.linear() << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  const auto add = [&](JointType type, int parent, int child, const Isometry3& X_PF,
                       const Isometry3& X_BM, std::vector<double> q0) {
    Joint joint;
    joint.name = concat("joint", mechanism.joints.size());
    joint.type = type;
    joint.parent = BodyIndex(parent);
    joint.child = BodyIndex(child);
    joint.X_PF = X_PF;
    joint.X_BM = X_BM;
    joint.q0 = std::move(q0);
    if (!joint.q0.empty()) joint.v0 = {2.0};
    mechanism.add(joint);
  };
  add(JointType::kRevolute, 0, 1, X_WE, at(0), {angle});
  add(JointType::kRevolute, 1, 2, at(crank), at(0), {swing - angle});
  add(JointType::kPrismatic, 0, 3, X_WE * along_x, along_x, {reach});
  add(JointType::kRevolute, 3, 2, at(0), at(rod), {});
  LoopOutcome outcome;
  compare_on_loop(mechanism, make_initial_state(find_spanning_tree(mechanism)), &outcome);
  EXPECT_LT(outcome.exactly, 1e-9);
}

}  // namespace
}  // namespace camber::bench
