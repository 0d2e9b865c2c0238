#include "camber/multibody/relaxation.h"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "camber/contact/friction_law.h"

namespace camber::multibody {
namespace {

constexpr int kMaxSweeps = 10'000;
constexpr double kConverged = 1e-14;  // change of a force in a sweep, of the largest force

double limit_of(const RelaxedSystem& system, const RelaxedBlock& block, const VectorX<double>& F) {
  if (block.normal < 0) return block.friction;
  const double normal = system.normal[block.normal] + system.normal_by.row(block.normal).dot(F);
  return block.friction * std::max(normal, 0.0);  // what has lifted off holds nothing
}

/// The force of a block that needs `needed`, and its s^2.
VectorX<double> relax(const RelaxedBlock& block, const VectorX<double>& needed, double limit,
                      double* weight) {
  if (block.weight.size() > 0) {
    *weight = block.weight.trace() / block.size;
    return block.weight * needed;
  }
  VectorX<double> force(block.size);
  if (block.size == 1) {
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

}  // namespace

RelaxedForces solve_relaxed(const RelaxedSystem& system) {
  const auto n = system.target.size();
  RelaxedForces result{.F = VectorX<double>::Zero(n),
                       .weight = VectorX<double>::Ones(static_cast<int>(system.blocks.size()))};
  using Inverse = Eigen::CompleteOrthogonalDecomposition<MatrixX<double>>;
  std::vector<Inverse> own;
  own.reserve(system.blocks.size());
  for (const RelaxedBlock& block : system.blocks) {
    own.emplace_back(system.W.block(block.first, block.first, block.size, block.size));
  }
  // Where all of them stick, this is the solution, and the first sweep finds nothing to do: sweeps
  // alone are slow where contacts of one rigid body share its load.
  if (system.blocks.size() > 1) result.F = Inverse(system.W).solve(system.target);
  for (result.sweeps = 1; result.sweeps <= kMaxSweeps; ++result.sweeps) {
    double change = 0, size = 0;
    for (std::size_t i = 0; i < system.blocks.size(); ++i) {
      const RelaxedBlock& block = system.blocks[i];
      auto F_i = result.F.segment(block.first, block.size);
      const VectorX<double> old = F_i;
      const VectorX<double> lacking =
          system.target.segment(block.first, block.size) -
          system.W.middleRows(block.first, block.size) * result.F +
          system.W.block(block.first, block.first, block.size, block.size) * old;
      const double limit = limit_of(system, block, result.F);
      F_i = relax(block, own[i].solve(lacking), limit, &result.weight[static_cast<int>(i)]);
      change = std::max(change, (F_i - old).cwiseAbs().maxCoeff());
      size = std::max(size, F_i.cwiseAbs().maxCoeff());
    }
    const bool is_alone = system.blocks.size() == 1 && system.blocks[0].normal < 0;
    if (change <= kConverged * size || is_alone) return result;
  }
  result.converged = false;
  return result;
}

}  // namespace camber::multibody
