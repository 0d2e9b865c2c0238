#pragma once

// The parts of RelaxedDynamics in dual numbers, for its Jacobian.

#include "camber/multibody/inverse_dynamics.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody::internal {

struct RelaxedDual {
  explicit RelaxedDual(const Model<double>& real);

  Model<Dual> model;
  PositionKinematics<Dual> pos;
  VelocityKinematics<Dual> vel;
  Forces<Dual> forces;
  std::vector<Spatial<Dual>> carried, F;
  std::vector<SymMat6<Dual>> composites;
  MatrixX<Dual> M, A;
  VectorX<Dual> q, v, v_dot, tau, lack;
  MatrixX<Dual> W;             // of the relaxed rows: derivatives within each block, zero elsewhere
  VectorX<Dual> slip, normal;  // of the relaxed rows; of the blocks pressed against a plane
  VectorX<double> v_dot_now, all_forces, own_lack, known, F_change;
};

}  // namespace camber::multibody::internal
