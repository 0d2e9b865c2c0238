#pragma once

#include <vector>

#include "camber/multibody/kinematics.h"

namespace camber::multibody {

/// A constraint row c(q) = 0 at one configuration. Its rate is c' = F . (V_b - V_a), for a coupler
/// the sum of factor * v, and F is also the direction of the force that a multiplier exerts on b,
/// and its opposite on a.
template <class T>
struct RowGeometry {
  T error;       // c [m], for directions [1]; zero for a nonholonomic row
  Spatial<T> F;  // about O
};

template <class T>
RowGeometry<T> calc_row(const ConstraintRow<T>& row, const PositionKinematics<T>& pos,
                        const VectorX<T>& q);

/// c'' for the accelerations in vel.A; F of the same configuration.
template <class T>
T calc_row_acceleration(const ConstraintRow<T>& row, const PositionKinematics<T>& pos,
                        const VelocityKinematics<T>& vel, const Spatial<T>& F);

/// c' for the velocities in vel.V.
template <class T>
T calc_row_rate(const ConstraintRow<T>& row, const VelocityKinematics<T>& vel, const VectorX<T>& v,
                const Spatial<T>& F);

/// c'' + 2 rate c' + rate^2 c, which is zero if an error decays as exp(-rate t) [1/s]; with a rate
/// of 0 it is c''. For the v' in v_dot (null: 0), whose accelerations are in vel.A.
template <class T>
T calc_row_residual(const ConstraintRow<T>& row, const PositionKinematics<T>& pos,
                    const VelocityKinematics<T>& vel, const VectorX<T>& q, const VectorX<T>& v,
                    const VectorX<T>* v_dot, const Spatial<T>& F, double rate);

}  // namespace camber::multibody
