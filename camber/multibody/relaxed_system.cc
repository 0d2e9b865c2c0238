// docs/theory/rolling-wheel.md, section 4, (16). With own_i = W_ii^+ and r_i = F_i -
// law_i(needed_i) Newton's matrix is, in the rows of block i,
//   J = 1 - dlaw/dneeded own_i (W_ii - W_i.) - dlaw/dlimit friction_i normal_by_i. (1)
// and the change of the solution with anything else that the laws depend on comes from the same J.
#include "camber/multibody/relaxed_system.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "camber/contact/friction_law.h"
#include "camber/math/dual.h"

namespace camber::multibody {
namespace {

constexpr int kMaxIterations = 10'000;
constexpr double kConverged = 1e-14;  // change of a force, of the largest force
constexpr double kAlmost = 1e-10;     // good enough where rounding stops it earlier

double largest_of(const BlockVector& x) {
  double largest = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

BlockMatrix invert(const BlockMatrix& W) {
  const Eigen::SelfAdjointEigenSolver<BlockMatrix> eigen(W);
  BlockVector values = eigen.eigenvalues();
  const double least = 1e-12 * largest_of(values);
  for (double& value : values) value = value > least ? 1 / value : 0.0;
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

/// What a block exerts, and its s^2.
BlockVector relax(const RelaxedBlock& block, const BlockVector& needed, double limit,
                  double* weight) {
  BlockVector force(block.size);
  if (block.weight.size() > 0) {
    *weight = block.weight.trace() / block.size;
    force.noalias() = block.weight * needed;
  } else if (block.size == 1) {
    const auto f = contact::relax_friction(needed[0], block.slip[0], limit, block.slip_speed);
    force[0] = f.force;
    *weight = f.weight;
  } else {
    const auto f = contact::relax_plane_friction(needed[0], needed[1], block.slip[0], block.slip[1],
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
         contact::relax_friction(D::variable(needed[0], 0), D::variable(block.slip[0], 1),
                                 D::variable(limit, 2), block.slip_speed)
             .force,
         1);
  } else {
    using D = math::Dual<5>;
    const auto f = contact::relax_plane_friction(
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
  residual_.resize(n);
  step_.resize(n);
  trial_.resize(n);
  J_.resize(n, n);
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
  normal_[i] = std::max(normal, 0.0);  // what has lifted off holds nothing
}

/// The largest change of a force, over the largest force.
double RelaxedSolver::sweep(const RelaxedSystem& system, RelaxedForces* forces) {
  double change = 0, size = 0;
  for (std::size_t i = 0; i < system.blocks.size(); ++i) {
    const RelaxedBlock& block = system.blocks[i];
    auto F_i = forces->F.segment(block.first, block.size);
    calc_needed(system, i, forces->F);
    const BlockVector fresh =
        relax(block, needed_[i], block.friction * normal_[i], &forces->weight[static_cast<int>(i)]);
    change = std::max(change, largest_of(fresh - F_i));
    size = std::max(size, largest_of(fresh));
    F_i = fresh;
  }
  return size > 0 ? change / size : 0;
}

/// Into residual_; its largest entry over the largest force.
double RelaxedSolver::calc_residual(const RelaxedSystem& system, const VectorX<double>& F) {
  double size = 0, weight = 0;
  for (std::size_t i = 0; i < system.blocks.size(); ++i) {
    const RelaxedBlock& block = system.blocks[i];
    calc_needed(system, i, F);
    const BlockVector force = relax(block, needed_[i], block.friction * normal_[i], &weight);
    residual_.segment(block.first, block.size) = F.segment(block.first, block.size) - force;
    size = std::max(size, largest_of(force));
  }
  const double largest = residual_.cwiseAbs().maxCoeff();
  return size > 0 ? largest / size : largest;
}

void RelaxedSolver::linearize(const RelaxedSystem& system, const RelaxedForces& forces) {
  J_.setIdentity();
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
  F_change->resize(known.size());
  inverse_.apply(known, *F_change);
}

void RelaxedSolver::solve(const RelaxedSystem& system, RelaxedForces* forces) {
  prepare(system);
  forces->F.resize(system.target.size());
  forces->F.setZero();
  forces->weight.resize(static_cast<Eigen::Index>(system.blocks.size()));
  forces->converged = true;
  forces->iterations = 1;
  const bool is_alone = system.blocks.size() == 1 && system.blocks[0].normal < 0;
  if (!is_alone) {  // where all of them stick, this is the solution
    inverse_.factor(system.W);
    inverse_.apply(system.target, forces->F);
  }
  double change = sweep(system, forces);
  if (is_alone) return;
  for (; forces->iterations < kMaxIterations && change > kConverged; ++forces->iterations) {
    const double residual = calc_residual(system, forces->F);
    linearize(system, *forces);
    inverse_.apply(residual_, step_);
    trial_ = forces->F - step_;
    const double after = calc_residual(system, trial_);
    const bool is_better = after < 0.5 * residual;
    if (is_better) forces->F = trial_;
    const double last = change;
    change = sweep(system, forces);
    // Rounding has the last word: neither way comes nearer.
    if (!is_better && last < kAlmost && change >= 0.5 * last) return;
  }
  forces->converged = change <= kAlmost;
}

}  // namespace camber::multibody
