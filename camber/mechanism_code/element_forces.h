#pragma once

#include <vector>

#include "camber/mechanism_code/motion.h"

namespace camber::mechanism_code {

/// Pose and velocity of the base, for elements between base and world: the axes of its joint on the
/// world in its own axes, the joint's origin, and the velocity of the base's origin.
template <class T>
struct BasePose {
  Mat<T> R_BF;
  Vec<T> p_BF, velocity;
};
template <class T>
BasePose<T> base_pose();

/// Force and moment of the world on the vehicle as a whole, about the base's origin and in its
/// axes.
template <class T>
struct OutsideForce {
  Vec<T> force, moment;
};

/// Adds the generalized forces of a group's springs, bushings and wrenches on its columns to
/// `force`; w is the base's angular velocity.
template <class T>
OutsideForce<T> add_element_forces(const Sketch& sketch, const Group& group, const Vec<T>& w,
                                   const BasePose<T>& pose, MotionTracer<T>* motion,
                                   std::vector<T>* force);

}  // namespace camber::mechanism_code
