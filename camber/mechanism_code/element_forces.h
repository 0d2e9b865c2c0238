#pragma once

#include <vector>

#include "camber/mechanism_code/motion.h"

namespace camber::mechanism_code {

/// How the base stands and moves, for what ties it to the world: the axes of its joint on the
/// world in its own, where the joint's origin is, and how the base's own origin moves.
struct BasePose {
  Mat R_BF;
  Vec p_BF, velocity;
};
BasePose base_pose();

/// What the world does to the vehicle as a whole, about the base's origin and in its axes.
struct OutsideForce {
  Vec force, moment;
};

/// Adds what springs, bushings and wrenches of a group exert on its columns to `force`, with w the
/// base's angular velocity.
OutsideForce add_element_forces(const Sketch& sketch, const Group& group, const Vec& w,
                                const BasePose& pose, MotionTracer* motion,
                                std::vector<Expr>* force);

}  // namespace camber::mechanism_code
