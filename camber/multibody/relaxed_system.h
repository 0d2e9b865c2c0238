#pragma once

#include <vector>

#include "camber/math/types.h"
#include "camber/multibody/udwadia_kalaba.h"

namespace camber::multibody {

/// One relaxed constraint at one moment, as rows [first, first + size) of all relaxed rows.
struct RelaxedBlock {
  int first = 0, size = 0;
  BlockMatrix weight = {};  // size x size, or empty: friction, of one or two rows
  double friction = 0;      // force, or coefficient of the normal force
  int normal = -1;          // index of the multiplier that is the normal force; -1: none
  double load = 1;          // if there is none: the normal force, or 1
  BlockVector slip = {};    // rates of the rows
  double slip_speed = 1;
};

/// A relaxed system: the force F_i of block i follows from the force that it needs to bring its
/// rows to `target`, given the forces of all others:
///   W_ii needed_i = target_i - sum of W_ij F_j,   F_i = N_i needed_i  or friction's law.
struct RelaxedSystem {
  MatrixX<double> W;          // rows' accelerations by unit forces along them
  VectorX<double> target;     // accelerations that the rows need, without forces
  VectorX<double> normal;     // multipliers of the rows that do not relax, without forces
  MatrixX<double> normal_by;  // and their change by unit forces
  std::vector<RelaxedBlock> blocks;
};

struct RelaxedForces {
  VectorX<double> F;       // along the rows
  VectorX<double> weight;  // s^2 of each block
  int iterations = 0;
  bool converged = true;
};

/// Derivatives of a block's law.
struct BlockSlopes {
  BlockMatrix by_needed, by_slip;
  BlockVector by_limit;
};

/// Solves a relaxed system: by Newton's method unless the kinks of the laws prevent it, else by
/// sweeps over the blocks, each with the newest forces of the others. Without friction the matrix
/// is positive semi-definite, with it the problem is one of bounded least squares: the sweeps
/// converge, but slowly where contacts of one rigid body share its load. Allocates if sizes change.
/// Use one per thread.
class RelaxedSolver {
 public:
  void solve(const RelaxedSystem& system, RelaxedForces* forces);

  /// Linearizes the system about its solution for differentiate().
  void linearize(const RelaxedSystem& system, const RelaxedForces& forces);
  /// The change of F for a change `known` of the right sides of F_i = law_i(...) at fixed F.
  void differentiate(const VectorX<double>& known, VectorX<double>* F_change);

  // Derivatives of block i at the solution.
  const BlockSlopes& slopes(std::size_t i) const { return slopes_[i]; }
  const BlockVector& needed(std::size_t i) const { return needed_[i]; }
  double normal_force(std::size_t i) const { return normal_[i]; }
  /// W_ii^+ x
  BlockVector apply_own(std::size_t i, const BlockVector& x) const { return own_[i] * x; }

 private:
  void prepare(const RelaxedSystem& system);
  /// What block i needs, and its normal force, for the forces F.
  void calc_needed(const RelaxedSystem& system, std::size_t i, const VectorX<double>& F);
  void sweep(const RelaxedSystem& system, RelaxedForces* forces);
  void hold(const RelaxedSystem& system, VectorX<double>* F);
  double calc_residual(const RelaxedSystem& system, const VectorX<double>& F);

  std::vector<BlockMatrix> own_;  // W_ii^+
  std::vector<BlockVector> needed_;
  std::vector<double> normal_;
  std::vector<BlockSlopes> slopes_;
  VectorX<double> residual_, step_, trial_;
  MatrixX<double> J_;
  GeneralizedInverse inverse_;
};

}  // namespace camber::multibody
