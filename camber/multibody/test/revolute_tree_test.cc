// Trees of revolute joints in lanes, against the general recursion in double: no formula and no
// axes in common.

#include "camber/multibody/revolute_tree.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/test/allocation_count.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/library.h"
#include "camber/multibody/partition.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {
namespace {

Vector3 random_vector(double size, RandomStream* random) {
  return {random->uniform(-size, size), random->uniform(-size, size), random->uniform(-size, size)};
}

Matrix3 random_rotation(RandomStream* random) {
  const Vector3 axis = random_vector(1, random);
  return Eigen::AngleAxisd(random->uniform(-3, 3), axis.normalized()).toRotationMatrix();
}

// Axes that are parallel, opposite or in general directions; joints in one point; centers of mass
// on the axis; inertias with equal moments.
Mechanism make_awkward_tree(std::uint64_t seed) {
  RandomStream random = RandomStream(seed).substream("tree");
  Mechanism mechanism;
  mechanism.name = "tree";
  const int n = 1 + static_cast<int>(random.uniform(0, 20));
  for (int i = 1; i <= n; ++i) {
    Body body;
    body.name = "body" + std::to_string(i);
    body.mass = random.uniform(0.5, 2);
    Matrix3 turn = random_rotation(&random);
    Vector3 moments(random.uniform(0.1, 0.2), random.uniform(0.1, 0.2), random.uniform(0.1, 0.2));
    const int shape = static_cast<int>(random.uniform(0, 4));
    if (shape >= 1) moments[1] = moments[0];
    if (shape >= 2) turn = Matrix3::Identity();
    if (shape >= 3) moments[2] = moments[0];
    body.I_BBcm_B = turn * moments.asDiagonal() * turn.transpose();
    body.p_BoBcm_B = random_vector(0.3, &random);
    if (random.uniform(0, 1) < 0.2) body.p_BoBcm_B = Vector3(0, 0, 0.1);
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::kRevolute;
    joint.parent = BodyIndex(static_cast<int>(random.uniform(0, i)));
    joint.child = mechanism.add(std::move(body));
    const double kind = random.uniform(0, 1);
    if (kind < 0.6) {
      joint.X_PF.linear() = random_rotation(&random);
    } else if (kind < 0.8) {
      joint.X_PF.linear() =
          Eigen::AngleAxisd(random.uniform(-3, 3), Vector3::UnitZ()).toRotationMatrix();
    } else {
      joint.X_PF.linear() = (Eigen::AngleAxisd(std::numbers::pi, Vector3::UnitY()) *
                             Eigen::AngleAxisd(random.uniform(-3, 3), Vector3::UnitZ()))
                                .toRotationMatrix();
    }
    if (random.uniform(0, 1) < 0.8) joint.X_PF.translation() = random_vector(0.4, &random);
    if (random.uniform(0, 1) < 0.5) joint.X_BM.translation() = random_vector(0.1, &random);
    joint.axes.resize(1);
    if (random.uniform(0, 1) < 0.5) {
      joint.axes[0].stiffness = random.uniform(1, 5);
      joint.axes[0].damping = random.uniform(0.1, 0.5);
      joint.axes[0].force = random.uniform(-1, 1);
    }
    mechanism.add(std::move(joint));
  }
  return mechanism;
}

struct LaneStates {
  std::vector<VectorX<double>> qs, vs;
  VectorX<Lanes> q, v;
};

LaneStates make_states(const Model<double>& model, std::uint64_t seed) {
  LaneStates states{{}, {}, VectorX<Lanes>(model.nq), VectorX<Lanes>(model.nv)};
  RandomStream random = RandomStream(seed).substream("state");
  for (int lane = 0; lane < Lanes::kLanes; ++lane) {
    states.qs.emplace_back(model.nq);
    states.vs.emplace_back(model.nv);
    for (int i = 0; i < model.nv; ++i) {
      states.qs[lane][i] = random.uniform(-4, 4);
      states.vs[lane][i] = random.uniform(-3, 3);
      states.q[i].set_lane(lane, states.qs[lane][i]);
      states.v[i].set_lane(lane, states.vs[lane][i]);
    }
  }
  return states;
}

void compare_with_double(const Mechanism& mechanism, std::uint64_t seed, double tolerance) {
  const MechanismTree compiled = compile(mechanism);
  const Partition partition = choose_partition(compiled, compiled.q0, {});
  const Model<Lanes> model = cast_model<Lanes>(compiled.model);
  EmbeddedWork<Lanes> work(model, partition);
  ASSERT_TRUE(work.revolute_tree.has_value());
  EmbeddedWork<double> scalar(compiled.model, partition);
  LaneStates states = make_states(compiled.model, seed);
  VectorX<Lanes> v_dot = VectorX<Lanes>::Constant(model.nv, Lanes(0));
  // Another state before: nothing of its sums may be left.
  LaneStates others = make_states(compiled.model, seed + 1000);
  calc_embedded_dynamics(model, partition, static_cast<const VectorX<Lanes>*>(nullptr), &work,
                         &others.q, &others.v, &v_dot);
  const long before = allocation_count();
  ASSERT_TRUE(calc_embedded_dynamics(model, partition, static_cast<const VectorX<Lanes>*>(nullptr),
                                     &work, &states.q, &states.v, &v_dot)
                  .ok());
  EXPECT_EQ(allocation_count(), before);
  VectorX<double> expected = VectorX<double>::Zero(model.nv);
  for (int lane = 0; lane < Lanes::kLanes; ++lane) {
    ASSERT_TRUE(calc_embedded_dynamics(compiled.model, partition,
                                       static_cast<const VectorX<double>*>(nullptr), &scalar,
                                       &states.qs[lane], &states.vs[lane], &expected)
                    .ok());
    for (int i = 0; i < model.nv; ++i)
      EXPECT_NEAR(v_dot[i].lane(lane), expected[i], tolerance * (1 + expected.norm()));
  }
}

TEST(RevoluteTree, GivesTheAccelerationsOfTheGeneralRecursion) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    compare_with_double(make_awkward_tree(seed), seed, 1e-11);
  }
}

// Errors that grew from link to link would be large here.
TEST(RevoluteTree, IsExactForLongChainsAndDeepTrees) {
  compare_with_double(make_chain(200, 7), 7, 1e-10);
  compare_with_double(make_binary_tree(255, 8), 8, 1e-10);
}

TEST(RevoluteTree, IsForTreesOfPinsAlone) {
  const auto fits = [](const Mechanism& mechanism) {
    return RevoluteTree<Lanes>::fits(cast_model<Lanes>(compile(mechanism).model));
  };
  EXPECT_TRUE(fits(make_chain(3, 1)));
  Mechanism prismatic = make_chain(3, 1);
  prismatic.joints[1].type = JointType::kPrismatic;
  EXPECT_FALSE(fits(prismatic));
  Mechanism pushed = make_chain(3, 1);
  pushed.wrenches.push_back({});
  pushed.wrenches[0].name = "push";
  pushed.wrenches[0].body = BodyIndex(1);
  EXPECT_FALSE(fits(pushed));
  EXPECT_FALSE(fits(make_four_bar_ladder(1, LadderPin::kRevolute)));
}

TEST(RevoluteTree, RefusesWhatIsNoNumber) {
  const MechanismTree compiled = compile(make_chain(4, 1));
  const Model<Lanes> model = cast_model<Lanes>(compiled.model);
  RevoluteTree<Lanes> tree(model);
  LaneStates states = make_states(compiled.model, 1);
  const VectorX<Lanes> tau = VectorX<Lanes>::Constant(model.nv, Lanes(0));
  VectorX<Lanes> v_dot = tau;
  ASSERT_TRUE(tree.calc_accelerations(states.q, states.v, tau, &v_dot));
  states.q[0].set_lane(2, std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(tree.calc_accelerations(states.q, states.v, tau, &v_dot));
}

}  // namespace
}  // namespace camber::multibody
