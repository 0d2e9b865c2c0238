#pragma once

#include <vector>

#include "camber/mechanism_code/motion.h"

namespace camber::mechanism_code {

/// Pose and velocity of the base, for elements between base and world: the axes of its joint on the
/// world in its own axes, the joint's origin, and the velocity of the base's origin.
struct BasePose {
  Mat R_BF;
  Vec p_BF, velocity;
};
BasePose base_pose();

/// Force and moment of the world on the vehicle as a whole, about the base's origin and in its
/// axes.
struct OutsideForce {
  Vec force, moment;
};

/// Adds the generalized forces of a group's springs, bushings and wrenches on its columns to
/// `force`; w is the base's angular velocity.
OutsideForce add_element_forces(const Sketch& sketch, const Group& group, const Vec& w,
                                const BasePose& pose, MotionTracer* motion,
                                std::vector<Expr>* force);

}  // namespace camber::mechanism_code
