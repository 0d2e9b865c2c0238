#pragma once

#include <optional>

#include "camber/multibody/compile.h"
#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

/// What passes through joints, rods and drives in a motion.
struct Reactions {
  /// On the joint's child, at the origin of the joint's frame on the child, in W. It has all that
  /// the joint passes on: constraint forces, its spring, friction, stops and drive.
  struct Wrench {
    Vector3 force = Vector3::Zero();   // [N]
    Vector3 torque = Vector3::Zero();  // [N m]
  };
  std::vector<std::optional<Wrench>> joints;  // of each joint; none for one that welds two bodies
  /// Of each equation of the loops (Model::rows): force [N] or torque [N m] on b along the row.
  /// Redundant equations carry nothing: of the ways to share a force this is the one that the
  /// equations in use allow.
  VectorX<double> multipliers;
  VectorX<double> drives;  // of each speed: force [N] or torque [N m] of a drive, zero elsewhere
};

/// The forces that the motion q, v, v' of the tree's coordinates needs, which may come from any
/// formulation: Newton's and Euler's equations from tip to base, with the loops' multipliers from
/// their dependent speeds' equations.
Reactions calc_reactions(const MechanismTree& mechanism, const Partition& partition,
                         const VectorX<double>& q, const VectorX<double>& v,
                         const VectorX<double>& v_dot);

}  // namespace camber::multibody
