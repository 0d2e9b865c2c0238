#pragma once

#include <optional>
#include <vector>

#include "camber/math/types.h"
#include "camber/symbolic/expr.h"

namespace camber::multibody {

/// How a constraint gives way: [Ikoki 2021] eq. 14-18 with what docs/theory/rolling-wheel.md,
/// section 4, mends. Functions of t, and of coordinates and their speeds as variable(name).
struct Relaxation {
  /// N: how much of the force that the constraint needs it exerts. One entry for all of its rows,
  /// or n * n, row by row, of its n rows: positive semi-definite. 1 is the constraint itself.
  std::vector<symbolic::Expr> weight = {};
  /// It slips when it needs more than this: a coefficient of the normal force for rolling, a force
  /// or torque [N], [N m] for a rod or a coupler.
  std::optional<symbolic::Expr> friction = {};
  /// The slip that takes as much force to stop at once as there is: how sharp friction is [m/s],
  /// of a coupler in its own unit per second.
  double slip_speed = 0.02;

  bool is_given() const { return !weight.empty() || friction.has_value(); }
};

/// One relaxed constraint at one moment, as rows [first, first + size) of all relaxed rows.
struct RelaxedBlock {
  int first = 0, size = 0;
  MatrixX<double> weight = {};  // size x size, or empty: friction
  double friction = 0;          // force, or coefficient of the normal force
  int normal = -1;              // the multiplier that is the normal force, or none
  VectorX<double> slip = {};    // rates of the rows
  double slip_speed = 1;
};

/// What a relaxed system is made of: the force F_i that block i exerts follows from the one that it
/// needs to bring its rows to `target`, given the forces of all others:
///   W_ii needed_i = target_i - sum of W_ij F_j,   F_i = N_i needed_i  or friction's law.
struct RelaxedSystem {
  MatrixX<double> W;          // rows' accelerations by unit forces along them
  VectorX<double> target;     // accelerations that the rows lack without forces
  VectorX<double> normal;     // multipliers of the rows that do not relax, without forces
  MatrixX<double> normal_by;  // and what unit forces add to them
  std::vector<RelaxedBlock> blocks;
};

struct RelaxedForces {
  VectorX<double> F;       // along the rows
  VectorX<double> weight;  // s^2 of each block
  int sweeps = 0;
  bool converged = true;
};

/// By sweeps over the blocks, each with the newest forces of the others, until nothing changes.
/// Without friction the matrix is positive semi-definite, and with it the problem is one of
/// bounded least squares: the sweeps converge.
RelaxedForces solve_relaxed(const RelaxedSystem& system);

}  // namespace camber::multibody
