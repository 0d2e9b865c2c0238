#pragma once

// What the adapters to other engines have in common, written apart from camber's own algorithms so
// that a test may compare those with it: the spanning tree of a mechanism, and where its bodies
// are.

#include <vector>

#include "camber/math/types.h"
#include "camber/multibody/mechanism.h"

namespace camber::bench {

/// A body and the joint that carries it.
struct TreeNode {
  multibody::BodyIndex body;
  multibody::JointIndex index;  // in the mechanism; invalid for a free joint that nobody wrote
  multibody::Joint joint;
  int q_start = 0, v_start = 0;
};

/// Breadth first from the world along joints parent -> child in the order of the mechanism. The
/// first joint that reaches a body carries it; others, and those with `cut` where another reaches
/// the body, close loops. A body that none reaches gets a free joint to the world.
struct SpanningTree {
  std::vector<TreeNode> nodes;                   // a parent before its children
  std::vector<multibody::JointIndex> closures;   // in the mechanism's order
  std::vector<int> node_of_body, node_of_joint;  // -1: none
  int nq = 0, nv = 0;
};
SpanningTree find_spanning_tree(const multibody::Mechanism& mechanism);

/// Joint by joint in the order of SpanningTree::nodes, in camber's coordinates.
struct PeerState {
  VectorX<double> q, v;
};

/// q0 and v0 of the joints, zeros and the identity where they are empty.
PeerState make_initial_state(const SpanningTree& tree);

/// Pose of M in F.
Isometry3 calc_joint_pose(const multibody::Joint& joint, const double* q);
/// [w; v] of M in F at Mo, expressed in F.
Vector6 calc_joint_velocity(const multibody::Joint& joint, const double* q, const double* v);
/// The coordinates and speeds of a joint that stands and moves like this; what the joint does not
/// allow is left out.
void find_joint_state(const multibody::Joint& joint, const Isometry3& X_FM, const Vector6& V_FM_F,
                      double* q, double* v);

/// Where the bodies are and how they move, by body.
struct BodyMotions {
  std::vector<Isometry3> X_WB;
  std::vector<Vector6> V_WB;  // at Bo, expressed in W
};
BodyMotions calc_body_motions(const SpanningTree& tree, const PeerState& state);

/// The same mechanism with loops that close only by joints for which `keep` holds. Where another
/// closes one, its child is split: a new body with a share of the mass hangs on the joint and is
/// fixed to the rest of the child. Joints that a coupler names come into the tree this way, too.
class SplitMechanism {
 public:
  SplitMechanism(const multibody::Mechanism& mechanism, bool (*keep)(multibody::JointType));

  const multibody::Mechanism& mechanism() const { return mechanism_; }
  const SpanningTree& tree() const { return tree_; }
  const SpanningTree& original_tree() const { return original_tree_; }

  /// The state of all parts, from that of the original mechanism.
  PeerState split(const PeerState& original) const;
  /// The entries of the original's joints, from those of all parts.
  VectorX<double> join_speeds(const VectorX<double>& v) const;
  PeerState join(const PeerState& parts) const;

 private:
  multibody::Mechanism mechanism_;
  SpanningTree original_tree_, tree_;
  std::vector<multibody::BodyIndex> part_of_;  // by body: itself, or whose part it is
};

}  // namespace camber::bench
