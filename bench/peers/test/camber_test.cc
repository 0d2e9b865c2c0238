// camber's accelerations against those of engines that share no code with it.

#include <vector>

#include <gtest/gtest.h>

#include "bench/peers/camber_order.h"
#include "bench/peers/mujoco_mechanism.h"
#include "bench/peers/simbody_mechanism.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/library.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/partition.h"

namespace camber::bench {
namespace {

using multibody::EmbeddedWork;
using multibody::Mechanism;
using multibody::MechanismTree;
using multibody::Partition;

VectorX<double> calc_camber_accelerations(const Mechanism& mechanism, const SpanningTree& tree,
                                          const PeerState& state) {
  const MechanismTree compiled = multibody::compile(mechanism);
  const CamberOrder order(tree, compiled);
  PeerState now = order.to_camber(state);
  const Partition partition = choose_partition(compiled, now.q, mechanism.independent);
  EmbeddedWork<double> work(compiled.model, partition);
  VectorX<double> v_dot = VectorX<double>::Zero(compiled.model.nv);
  const auto evaluation = calc_embedded_dynamics(compiled.model, partition,
                                                 static_cast<const VectorX<double>*>(nullptr),
                                                 &work, &now.q, &now.v, &v_dot);
  EXPECT_TRUE(evaluation.ok()) << to_text(evaluation.status);
  return order.speeds_from_camber(v_dot);
}

void expect_agreement(const Mechanism& mechanism, double tolerance) {
  MujocoMechanism mujoco(mechanism);
  SimbodyMechanism simbody(mechanism);
  const PeerState state = simbody.project(make_initial_state(simbody.tree()));
  const VectorX<double> camber = calc_camber_accelerations(mechanism, simbody.tree(), state);
  simbody.forward(simbody.add_state(state));
  mujoco.forward_exactly(mujoco.add_state(state));
  const double bar = tolerance * (1 + camber.lpNorm<Eigen::Infinity>());
  EXPECT_LT((camber - simbody.accelerations()).lpNorm<Eigen::Infinity>(), bar) << "simbody";
  EXPECT_LT((camber - mujoco.accelerations()).lpNorm<Eigen::Infinity>(), bar) << "mujoco";
}

TEST(Camber, AgreesWithItsPeersOnRandomTrees) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_agreement(multibody::make_random_tree(seed), 1e-9);
  }
}

TEST(Camber, AgreesWithItsPeersOnChainsAndBinaryTrees) {
  for (const int n : {1, 15, 60}) {
    SCOPED_TRACE(testing::Message() << n << " bodies");
    expect_agreement(multibody::make_chain(n, 7), 1e-9);
    expect_agreement(multibody::make_binary_tree(n, 7), 1e-9);
  }
}

TEST(Camber, AgreesWithItsPeersOnFourBarLadders) {
  for (const int n : {1, 2, 5, 16}) {
    SCOPED_TRACE(testing::Message() << n << " loops");
    for (const auto pin : {multibody::LadderPin::kSpherical, multibody::LadderPin::kRevolute}) {
      Mechanism ladder = multibody::make_four_bar_ladder(n, pin);
      for (auto& joint : ladder.joints)
        if (!joint.cut) joint.v0 = {1.3};
      expect_agreement(ladder, 1e-9);
    }
  }
}

// Mechanisms of models/ with closures of every kind the peers have, in a state away from the
// initial one; what acts in them but gravity is left out, since the peers have not all of it.
TEST(Camber, AgreesWithItsPeersOnLoopMechanisms) {
  for (const char* name :
       {"bennett", "cardan-shaft", "change-point", "crank-slider", "double-wishbone",
        "excavator-arm", "five-bar", "four-bar", "planar-double-wishbone", "planetary-gear",
        "scissor-lift", "screw-jack", "shared-coupler", "six-bar", "spatial-four-bar",
        "steering-linkage", "stewart-platform", "tripod"}) {
    SCOPED_TRACE(name);
    Mechanism mechanism = multibody::load_mechanism(concat("models/", name, ".toml"));
    for (auto& joint : mechanism.joints) joint.axes.clear();
    mechanism.springs.clear();
    mechanism.bushings.clear();
    mechanism.wrenches.clear();
    multibody::MechanismDynamics ce(mechanism);
    const auto span = [](VectorX<double>& x) {
      return std::span<double>(x.data(), static_cast<std::size_t>(x.size()));
    };
    VectorX<double> q = ce.initial_q(), v = ce.initial_v(), v_dot(ce.nv());
    RandomStream random(3);
    VectorX<double> step(ce.nv());
    for (double& x : step) x = random.uniform(-0.05, 0.05);
    move_positions(ce.model(), step, &q);
    for (double& x : v) x += random.uniform(-1, 1);
    ASSERT_TRUE(ce.project(0, span(q), span(v))) << ce.why();
    ASSERT_TRUE(ce.calc_accelerations(0, span(q), span(v), span(v_dot))) << ce.why();
    MujocoMechanism mujoco(mechanism);
    SimbodyMechanism simbody(mechanism);
    const CamberOrder order(simbody.tree(), ce.tree());
    const PeerState state = order.from_camber({q, v});
    simbody.forward(simbody.add_state(state));
    mujoco.forward_exactly(mujoco.add_state(state));
    const VectorX<double> camber = order.speeds_from_camber(v_dot);
    const double bar = 1e-8 * (1 + camber.lpNorm<Eigen::Infinity>());
    EXPECT_LT((camber - simbody.accelerations()).lpNorm<Eigen::Infinity>(), bar) << "simbody";
    EXPECT_LT((camber - mujoco.accelerations()).lpNorm<Eigen::Infinity>(), bar) << "mujoco";
  }
}

}  // namespace
}  // namespace camber::bench
