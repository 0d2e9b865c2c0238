#include "camber/multibody/library.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace camber::multibody {
namespace {

// Where the bodies are when every joint that is not cut stands at q0; revolute joints only.
std::vector<Isometry3> initial_poses(const Mechanism& mechanism) {
  std::vector<Isometry3> X_WB(mechanism.bodies.size(), Isometry3::Identity());
  for (const Joint& joint : mechanism.joints) {
    if (joint.cut) continue;
    Isometry3 X_FM = Isometry3::Identity();
    X_FM.linear() = Eigen::AngleAxisd(joint.q0.at(0), Vector3::UnitZ()).toRotationMatrix();
    X_WB[joint.child.value] = X_WB[joint.parent.value] * joint.X_PF * X_FM * joint.X_BM.inverse();
  }
  return X_WB;
}

TEST(Library, TreesHaveParentsBeforeChildren) {
  const Mechanism chain = make_chain(7, 3), tree = make_binary_tree(15, 3);
  EXPECT_TRUE(find_problems(chain).empty());
  EXPECT_TRUE(find_problems(tree).empty());
  ASSERT_EQ(chain.joints.size(), 7u);
  ASSERT_EQ(tree.joints.size(), 15u);
  for (int i = 1; i <= 7; ++i) {
    EXPECT_EQ(chain.joints[i - 1].parent, BodyIndex(i - 1));
    EXPECT_EQ(tree.joints[2 * i].parent, BodyIndex(i));
    EXPECT_EQ(tree.joints[2 * i - 1].parent, BodyIndex(i));
  }
  EXPECT_EQ(tree.joints[0].parent, kWorld);
}

TEST(Library, TheSameSeedGivesTheSameTreeAndAnotherSeedAnother) {
  const Mechanism one = make_random_tree(5), again = make_random_tree(5),
                  other = make_random_tree(6);
  EXPECT_EQ(one.gravity, again.gravity);
  EXPECT_EQ(one.joints.back().q0, again.joints.back().q0);
  EXPECT_EQ(one.bodies.back().I_BBcm_B, again.bodies.back().I_BBcm_B);
  EXPECT_NE(one.gravity, other.gravity);
  EXPECT_NE(make_chain(2, 1).bodies[1].mass, make_chain(2, 2).bodies[1].mass);
}

TEST(Library, RandomTreesAreSoundAndHaveEveryJointType) {
  std::set<JointType> seen;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Mechanism tree = make_random_tree(seed, {.with_forces = seed % 2 == 1});
    const auto problems = find_problems(tree);
    EXPECT_TRUE(problems.empty()) << problems[0].key << ": " << problems[0].text;
    std::set<JointType> types;
    for (const Joint& joint : tree.joints) {
      types.insert(joint.type);
      EXPECT_LT(joint.parent, joint.child);
      EXPECT_EQ(static_cast<int>(joint.q0.size()), position_count(joint.type));
      EXPECT_EQ(static_cast<int>(joint.v0.size()), speed_count(joint.type));
    }
    EXPECT_EQ(types.size(), std::min<std::size_t>(tree.joints.size(), 9));
    seen.merge(types);
  }
  EXPECT_EQ(seen.size(), 9u);
  const Mechanism revolute =
      make_random_tree(1, {.bodies = 12, .types = {JointType::kRevolute}, .with_forces = true});
  ASSERT_EQ(revolute.joints.size(), 12u);
  for (const Joint& joint : revolute.joints) EXPECT_EQ(joint.type, JointType::kRevolute);
}

TEST(Library, LadderClosesInItsInitialConfiguration) {
  for (const LadderPin pin : {LadderPin::kRevolute, LadderPin::kSpherical}) {
    const Mechanism ladder = make_four_bar_ladder(12, pin);
    EXPECT_TRUE(find_problems(ladder).empty());
    EXPECT_EQ(ladder.bodies.size(), 1u + 36u);
    EXPECT_EQ(ladder.independent.size(), 12u);
    const std::vector<Isometry3> X_WB = initial_poses(ladder);
    int cut = 0;
    for (const Joint& joint : ladder.joints) {
      if (!joint.cut) continue;
      ++cut;
      const Isometry3 X_WF = X_WB[joint.parent.value] * joint.X_PF,
                      X_WM = X_WB[joint.child.value] * joint.X_BM;
      EXPECT_LT((X_WF.translation() - X_WM.translation()).norm(), 1e-13) << joint.name;
      const double turn =
          pin == LadderPin::kRevolute ? joint.q0[0] : 2 * std::atan2(joint.q0[3], joint.q0[0]);
      const Matrix3 expected = Eigen::AngleAxisd(turn, Vector3::UnitZ()).toRotationMatrix();
      EXPECT_LT((X_WF.linear().transpose() * X_WM.linear() - expected).norm(), 1e-13);
    }
    EXPECT_EQ(cut, 12);
  }
}

}  // namespace
}  // namespace camber::multibody
