// docs/theory/rolling-wheel.md, section 4, (16). With own_i = W_ii^+ and r_i = F_i -
// law_i(needed_i) Newton's matrix is, in the rows of block i,
//   J = 1 - dlaw/dneeded own_i (W_ii - W_i.) - dlaw/dlimit friction_i normal_by_i. (1)
// and the change of the solution with anything else that the laws depend on comes from the same J.
#include "camber/multibody/relaxed_system.h"

#include <algorithm>
#include <cmath>

#include "camber/math/dense.h"
#include "camber/math/dual.h"
#include "camber/math/friction_law.h"

namespace camber::multibody {
namespace {

constexpr int kMaxIterations = 100, kQuick = 8;
constexpr double kConverged = 1e-13;  // change of the forces, of all of them
constexpr double kAlmost = 1e-9;      // good enough after so many iterations

// Contacts of one body may push against each other with hardly any effect, like the left and right
// tires of an axle. Such forces are kept small: a direction in which forces together have less than
// this fraction of their individual effects is followed slowly.
constexpr double kDamping = 1e-3;

double largest_of(const BlockVector& x) {
  double largest = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

BlockMatrix invert(const BlockMatrix& W) {
  const auto eigen = math::calc_symmetric_eigen(W);
  BlockVector values = eigen.values;
  const double least = 1e-12 * largest_of(values);
  for (double& value : values) value = value > least ? 1 / value : 0.0;
  return eigen.vectors * values.asDiagonal() * eigen.vectors.transpose();
}

/// The force of a block, and its s^2.
BlockVector relax(const RelaxedBlock& block, const BlockVector& needed, double limit,
                  double* weight) {
  BlockVector force(block.size);
  if (block.weight.size() > 0) {
    *weight = block.weight.trace() / block.size;
    force.noalias() = block.weight * needed;
  } else if (block.size == 1) {
    const auto f = math::relax_friction(needed[0], block.slip[0], limit, block.slip_speed);
    force[0] = f.force;
    *weight = f.weight;
  } else {
    const auto f = math::relax_plane_friction(needed[0], needed[1], block.slip[0], block.slip[1],
                                              limit, block.slip_speed);
    force << f.x, f.y;
    *weight = f.weight;
  }
  return force;
}

BlockSlopes calc_slopes(const RelaxedBlock& block, const BlockVector& needed, double limit) {
  const int n = block.size;
  BlockSlopes slopes{BlockMatrix::Zero(n, n), BlockMatrix::Zero(n, n), BlockVector::Zero(n)};
  const auto fill = [&slopes](int row, const auto& force, int count) {
    for (int k = 0; k < count; ++k) {
      slopes.by_needed(row, k) = force.partial(k);
      slopes.by_slip(row, k) = force.partial(count + k);
    }
    slopes.by_limit[row] = force.partial(2 * count);
  };
  if (block.weight.size() > 0) {
    slopes.by_needed = block.weight;
  } else if (n == 1) {
    using D = math::Dual<3>;
    fill(0,
         math::relax_friction(D::variable(needed[0], 0), D::variable(block.slip[0], 1),
                              D::variable(limit, 2), block.slip_speed)
             .force,
         1);
  } else {
    using D = math::Dual<5>;
    const auto f = math::relax_plane_friction(
        D::variable(needed[0], 0), D::variable(needed[1], 1), D::variable(block.slip[0], 2),
        D::variable(block.slip[1], 3), D::variable(limit, 4), block.slip_speed);
    fill(0, f.x, 2);
    fill(1, f.y, 2);
  }
  return slopes;
}

}  // namespace

void RelaxedSolver::prepare(const RelaxedSystem& system) {
  const std::size_t blocks = system.blocks.size();
  own_.resize(blocks);
  needed_.resize(blocks);
  normal_.resize(blocks);
  slopes_.resize(blocks);
  const auto n = system.target.size();
  residual_.resize(2 * n);
  residual_.setZero();
  step_.resize(n);
  trial_.resize(n);
  J_.resize(2 * n, n);
  for (std::size_t i = 0; i < blocks; ++i) {
    const RelaxedBlock& block = system.blocks[i];
    own_[i] = invert(system.W.block(block.first, block.first, block.size, block.size));
  }
}

void RelaxedSolver::calc_needed(const RelaxedSystem& system, std::size_t i,
                                const VectorX<double>& F) {
  const RelaxedBlock& block = system.blocks[i];
  const int first = block.first, n = block.size;
  BlockVector lack = system.target.segment(first, n);
  lack.noalias() -= system.W.middleRows(first, n) * F;
  lack.noalias() += system.W.block(first, first, n, n) * F.segment(first, n);
  needed_[i].noalias() = own_[i] * lack;
  normal_[i] = block.load;
  if (block.normal < 0) return;
  const double normal = system.normal[block.normal] + system.normal_by.row(block.normal).dot(F);
  normal_[i] = std::max(normal, 0.0);  // a lifted wheel transmits no force
}

void RelaxedSolver::sweep(const RelaxedSystem& system, RelaxedForces* forces) {
  for (std::size_t i = 0; i < system.blocks.size(); ++i) {
    const RelaxedBlock& block = system.blocks[i];
    auto F_i = forces->F.segment(block.first, block.size);
    calc_needed(system, i, forces->F);
    const BlockVector fresh =
        relax(block, needed_[i], block.friction * normal_[i], &forces->weight[static_cast<int>(i)]);
    F_i = fresh;
  }
}

/// Computes residual_ and returns its length.
double RelaxedSolver::calc_residual(const RelaxedSystem& system, const VectorX<double>& F) {
  double weight = 0;
  for (std::size_t i = 0; i < system.blocks.size(); ++i) {
    const RelaxedBlock& block = system.blocks[i];
    calc_needed(system, i, F);
    const BlockVector force = relax(block, needed_[i], block.friction * normal_[i], &weight);
    residual_.segment(block.first, block.size) = F.segment(block.first, block.size) - force;
  }
  return residual_.norm();
}

void RelaxedSolver::linearize(const RelaxedSystem& system, const RelaxedForces& forces) {
  const auto size = system.target.size();
  J_.setZero();
  J_.topRows(size).setIdentity();
  J_.bottomRows(size).diagonal().setConstant(kDamping);
  for (std::size_t i = 0; i < system.blocks.size(); ++i) {
    const RelaxedBlock& block = system.blocks[i];
    const int first = block.first, n = block.size;
    calc_needed(system, i, forces.F);
    slopes_[i] = calc_slopes(block, needed_[i], block.friction * normal_[i]);
    const BlockMatrix gain = slopes_[i].by_needed * own_[i];
    auto rows = J_.middleRows(first, n);  // (1)
    rows.noalias() += gain * system.W.middleRows(first, n);
    rows.middleCols(first, n).noalias() -= gain * system.W.block(first, first, n, n);
    if (block.normal >= 0 && normal_[i] > 0) {
      rows.noalias() -= (block.friction * slopes_[i].by_limit) * system.normal_by.row(block.normal);
    }
  }
  inverse_.factor(J_);
}

void RelaxedSolver::differentiate(const VectorX<double>& known, VectorX<double>* F_change) {
  const auto n = known.size();
  F_change->setZero(n);
  residual_.setZero();
  residual_.head(n) = known;
  for (int round = 0; round < 3; ++round) {  // each removes the error that damping leaves
    inverse_.apply(residual_, step_);
    *F_change += step_;
    residual_.head(n) = known;
    residual_.head(n).noalias() -= J_.topRows(n) * *F_change;
  }
}

/// The forces with which all blocks stick.
void RelaxedSolver::hold(const RelaxedSystem& system, VectorX<double>* F) {
  const auto size = system.target.size();
  J_.setZero();
  J_.bottomRows(size).diagonal().setConstant(kDamping);
  for (std::size_t i = 0; i < system.blocks.size(); ++i) {
    const int first = system.blocks[i].first, n = system.blocks[i].size;
    J_.middleRows(first, n).noalias() = own_[i] * system.W.middleRows(first, n);
    residual_.segment(first, n).noalias() = own_[i] * system.target.segment(first, n);
  }
  inverse_.factor(J_);
  inverse_.apply(residual_, *F);
}

void RelaxedSolver::solve(const RelaxedSystem& system, RelaxedForces* forces) {
  prepare(system);
  forces->F.resize(system.target.size());
  forces->F.setZero();
  forces->weight.resize(static_cast<Eigen::Index>(system.blocks.size()));
  forces->converged = true;
  forces->iterations = 1;
  const bool is_alone = system.blocks.size() == 1 && system.blocks[0].normal < 0;
  if (is_alone) {
    sweep(system, forces);
    return;
  }
  hold(system, &forces->F);
  double residual = calc_residual(system, forces->F), change = 0;
  for (; forces->iterations < kMaxIterations; ++forces->iterations) {
    linearize(system, *forces);
    inverse_.apply(residual_, step_);
    trial_ = forces->F - step_;
    // If rows are dependent, a part of their target cannot be reached: it stays in the residual,
    // and the iteration ends when no step reduces it.
    change = step_.norm() / std::max(trial_.norm(), 1e-300);
    if (change <= (forces->iterations < kQuick ? kConverged : kAlmost)) break;
    const double after = calc_residual(system, trial_);
    if (after <= residual) {
      forces->F = trial_;
      residual = after;
    } else {
      sweep(system, forces);
      residual = calc_residual(system, forces->F);
    }
  }
  forces->converged = change <= kAlmost;
  for (std::size_t i = 0; i < system.blocks.size(); ++i) {
    calc_needed(system, i, forces->F);
    relax(system.blocks[i], needed_[i], system.blocks[i].friction * normal_[i],
          &forces->weight[static_cast<int>(i)]);
  }
}

}  // namespace camber::multibody
