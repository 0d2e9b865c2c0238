#pragma once

#include <optional>

#include "camber/multibody/compile.h"
#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

/// Forces transmitted by joints, rods and drives in a motion.
struct Reactions {
  /// Load on the joint's child, at the origin of the joint's frame on the child, in W. It includes
  /// all that the joint transmits: constraint forces, spring, friction, stops and drive.
  struct Wrench {
    Vector3 force = Vector3::Zero();   // [N]
    Vector3 torque = Vector3::Zero();  // [N m]
  };
  std::vector<std::optional<Wrench>> joints;  // of each joint; none for one that welds two bodies
  /// For each loop equation (Model::rows): force [N] or torque [N m] on b along the row. Redundant
  /// equations carry nothing: the equations in use take the whole force.
  VectorX<double> multipliers;
  VectorX<double> drives;  // of each speed: force [N] or torque [N m] of its drive, else zero
};

/// The forces of the motion q, v, v' of the tree's coordinates, which may come from any
/// formulation: Newton's and Euler's equations from tip to base, with the loops' multipliers from
/// their dependent speeds' equations.
Reactions calc_reactions(const MechanismTree& mechanism, const Partition& partition,
                         const VectorX<double>& q, const VectorX<double>& v,
                         const VectorX<double>& v_dot);

}  // namespace camber::multibody
