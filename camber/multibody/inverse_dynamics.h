#pragma once

#include "camber/multibody/forward_dynamics.h"

namespace camber::multibody {

/// The forces along the tree's speeds that produce v' (which is in vel.A, from
/// calc_velocity_kinematics with all of v'), in addition to `forces`. With `carried`, also the
/// spatial force (about O, in W) that each link receives from its parent through its joint. Loops
/// are ignored: see calc_reactions().
template <class T>
void calc_inverse_dynamics(const Model<T>& model, const PositionKinematics<T>& pos,
                           const VelocityKinematics<T>& vel, const Forces<T>& forces,
                           std::vector<Spatial<T>>* carried, VectorX<T>* tau);

}  // namespace camber::multibody
