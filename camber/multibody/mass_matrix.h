#pragma once

#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

/// The mass matrix of the tree's speeds, both triangles. O(links * depth). K holds the composite
/// inertias of the links; repeated calls do not allocate.
template <class T>
void calc_mass_matrix(const Model<T>& model, const PositionKinematics<T>& pos,
                      std::vector<SymMat6<T>>* K, MatrixX<T>* M);
template <class T>
void calc_mass_matrix(const Model<T>& model, const PositionKinematics<T>& pos, MatrixX<T>* M) {
  std::vector<SymMat6<T>> K;
  calc_mass_matrix(model, pos, &K, M);
}

/// dV/dv of a body's point Q (from its origin, in its axes): 6 x nv, [w; v of Q], in W.
template <class T>
void calc_jacobian(const Model<T>& model, const PositionKinematics<T>& pos, BodyIndex body,
                   const Vec3<T>& p_BQ_B, MatrixX<T>* J);

/// Sums over all bodies.
template <class T>
struct Momentum {
  Vec3<T> linear;               // [kg m/s] in W
  Vec3<T> angular;              // about the center of mass [kg m^2/s] in W
  Vec3<T> angular_about_world;  // about the origin of W
};

template <class T>
struct MassCenter {
  T mass;        // [kg]
  Vec3<T> p_WC;  // [m]
};

template <class T>
MassCenter<T> calc_mass_center(const Model<T>& model, const PositionKinematics<T>& pos);
template <class T>
Momentum<T> calc_momentum(const Model<T>& model, const PositionKinematics<T>& pos,
                          const VelocityKinematics<T>& vel);
template <class T>
T calc_kinetic_energy(const Model<T>& model, const PositionKinematics<T>& pos,
                      const VelocityKinematics<T>& vel);
/// Potential energy of gravity, zero if the center of mass is at the origin of W.
template <class T>
T calc_gravity_energy(const Model<T>& model, const PositionKinematics<T>& pos);

}  // namespace camber::multibody
