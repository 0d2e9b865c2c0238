#pragma once

#include <optional>
#include <string>
#include <vector>

#include "camber/multibody/mechanism.h"
#include "camber/multibody/model.h"

namespace camber::multibody {

/// A constraint that relaxes; it is not part of any loop.
struct RelaxedConstraint {
  std::string name;  // "rolling \"front\""
  Relaxation relaxation;
  std::vector<ConstraintRow<double>> rows = {};
  // For rolling: where its normal force is found, as the multiplier of a row in Model::rows or as
  // one of Model::contacts.
  int normal_row = -1, contact = -1;
};

/// A mechanism as a tree of links with cut loops, ready for the algorithms, with the names that its
/// author used.
struct MechanismTree {
  struct JointPlace {
    bool in_tree = false;  // false: it closes a loop
    int q_start = 0, v_start = 0;
    std::vector<int> rows;  // of a joint that closes a loop: indices in Model::rows
  };

  /// The author's mechanism, with free joints added for bodies that no joint reaches.
  Mechanism mechanism;
  Model<double> model;
  std::vector<JointPlace> joints;  // of each Mechanism::joints
  std::vector<RelaxedConstraint> relaxed;
  std::vector<std::string> q_names, v_names;
  VectorX<double> q0, v0;           // the author's initial guess
  std::vector<bool> is_quaternion;  // of each speed: whether it rotates a quaternion
  /// The given motion of each speed as a function of t.
  std::vector<std::optional<symbolic::Expr>> motions;
};

enum class TreeKind {
  kSpanning,  // the first joint to reach a body is in the tree, the others close loops
  kAugmented  // every body is free, every joint is a set of equations
};

/// Joints that relax but carry their child instead of closing a loop, in an otherwise valid
/// mechanism: compile() rejects them.
std::vector<int> find_relaxed_carriers(const Mechanism& mechanism);

/// Chooses the tree breadth first from the world along the joints, parent to child, in their order;
/// a joint with `cut` only if no other reaches its child. A body that no joint reaches gets a free
/// joint on the world, named after it. Throws std::invalid_argument listing all problems.
MechanismTree compile(const Mechanism& mechanism, TreeKind kind = TreeKind::kSpanning);

}  // namespace camber::multibody
