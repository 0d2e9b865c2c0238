// The solution v', lambda, F of
//   M v' - Q = A^T lambda + A_r^T F,   A v' = b,   F_i = law_i(needed_i, slip_i, limit_i)
// is differentiated directly: the residual of the first two equations for a change of q and v at a
// fixed solution is removed by the same solver, and that of the laws by their slopes
// (relaxed_system.cc). With Y the accelerations and Lambda the multipliers by unit forces along the
// rows a_j of A_r, W = A_r Y,
//   dW_jk = da_j Y_k + da_k Y_j - Y_j^T dM Y_k + Y_j^T dA^T Lambda_k + Lambda_j^T dA Y_k. (1)
#include <algorithm>

#include "camber/multibody/constraint_row.h"
#include "camber/multibody/relaxed_dual.h"
#include "camber/multibody/relaxed_dynamics.h"

namespace camber::multibody {

internal::RelaxedDual::RelaxedDual(const Model<double>& real)
    : model(cast_model<Dual>(real)), pos(model), vel(model), forces(model) {}

/// W_ij of each block in dual numbers; only the derivatives are used.
void RelaxedDynamics::differentiate_own(internal::RelaxedDual* d) const {
  const auto n = static_cast<int>(free_.size());
  const auto relaxed = static_cast<Eigen::Index>(constraint_count() - held_);
  d->W.resize(relaxed, relaxed);
  d->W.setConstant(Dual(0));
  const auto form = [&](int j, int k) {  // (1)
    Dual sum(0);
    for (int i = 0; i < n; ++i) {
      Dual along = d->A(held_ + k, free_[i]);
      for (int r = 0; r < held_; ++r) along += d->A(r, free_[i]) * system_.normal_by(r, k);
      for (int l = 0; l < n; ++l) along -= d->M(free_[i], free_[l]) * response_(l, k);
      sum += along * response_(i, j);
      Dual across = d->A(held_ + j, free_[i]);
      for (int r = 0; r < held_; ++r) across += d->A(r, free_[i]) * system_.normal_by(r, j);
      sum += across * response_(i, k);
    }
    return sum;
  };
  for (std::size_t i = 0; i < system_.blocks.size(); ++i) {
    const RelaxedBlock& block = system_.blocks[i];
    // A block that gets the force it needs depends on the other blocks only.
    const auto F_i = forces_.F.segment(block.first, block.size);
    if ((relaxed_solver_.needed(i) - F_i).norm() <= 1e-13 * F_i.norm()) continue;
    for (int j = block.first; j < block.first + block.size; ++j) {
      for (int k = block.first; k <= j; ++k) d->W(j, k) = d->W(k, j) = form(j, k);
    }
  }
}

/// Evaluates everything that changes with q and v at fixed v', lambda and F.
void RelaxedDynamics::evaluate_dual(internal::RelaxedDual* d) const {
  calc_position_kinematics(d->model, d->q, &d->pos);
  calc_velocity_kinematics(d->model, d->pos, d->v, &d->v_dot, &d->vel);
  calc_forces(d->model, d->pos, d->vel, d->q, d->v, &d->forces);
  calc_inverse_dynamics(d->model, d->pos, d->vel, d->forces, &d->carried, &d->tau);
  internal::calc_row_matrix(d->model, is_above_, d->pos, d->q, &d->A, &d->F);
  internal::calc_row_lack(d->model, rates_, d->F, d->pos, d->vel, d->q, d->v, &d->v_dot, &d->lack);
  for (const int k : free_) {
    for (int r = 0; r < constraint_count(); ++r) d->tau[k] -= d->A(r, k) * d->all_forces[r];
  }
  if (relaxed_.empty()) return;
  calc_mass_matrix(d->model, d->pos, &d->composites, &d->M);
  differentiate_own(d);
  d->slip.resize(constraint_count() - held_);
  for (int i = 0; i < d->slip.size(); ++i) {
    const auto r = static_cast<std::size_t>(held_) + static_cast<std::size_t>(i);
    d->slip[i] = calc_row_rate(d->model.rows[r], d->vel, d->v, d->F[r]);
  }
  d->normal.resize(static_cast<Eigen::Index>(relaxed_.size()));
  for (std::size_t i = 0; i < relaxed_.size(); ++i) {
    Spatial<Dual> F;
    d->normal[static_cast<int>(i)] = relaxed_[i].contact < 0
                                         ? Dual(0)
                                         : calc_normal_force(d->model.contacts[relaxed_[i].contact],
                                                             d->pos, d->vel, d->q, d->v, &F);
  }
}

/// The right sides of F = law(...) in one direction of the last evaluation, which is that of column
/// `column` of [q; v]; acceleration_ and solver_.multipliers() are those of the rigid constraints.
void RelaxedDynamics::differentiate_laws(int direction, int column,
                                         internal::RelaxedDual* d) const {
  const auto of_function = [&](std::size_t f) {
    double sum = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const int place = inputs_[i].is_speed ? model_.nq + inputs_[i].place : inputs_[i].place;
      if (place == column) sum += function_values_[(i + 1) * function_count_ + f];
    }
    return sum;
  };
  const auto rows = A_free_.bottomRows(constraint_count() - held_);
  std::size_t f = 0;  // the next function
  d->known.resize(rows.rows());
  for (std::size_t i = 0; i < relaxed_.size(); ++i) {
    const RelaxedBlock& block = system_.blocks[i];
    const BlockSlopes& slopes = relaxed_solver_.slopes(i);
    const BlockVector& needed = relaxed_solver_.needed(i);
    const int first = block.first, n = block.size;
    BlockVector lack(n), slip(n);
    BlockMatrix W(n, n);
    for (int k = 0; k < n; ++k) {
      lack[k] = d->lack[held_ + first + k].partial(direction);
      slip[k] = d->slip[first + k].partial(direction);
      for (int j = 0; j < n; ++j) W(k, j) = d->W(first + k, first + j).partial(direction);
    }
    lack.noalias() -= rows.middleRows(first, n) * acceleration_;
    lack.noalias() -= W * (needed - forces_.F.segment(first, n));
    BlockVector change = slopes.by_needed * relaxed_solver_.apply_own(i, lack);
    const Relaxation& relaxation = relaxed_[i].relaxation;
    if (relaxation.weight.size() == 1) {
      change += of_function(f++) * needed;
    } else if (!relaxation.weight.empty()) {
      for (int k = 0; k < n * n; ++k) change[k / n] += of_function(f++) * needed[k % n];
    } else {
      const double normal = relaxed_solver_.normal_force(i);
      double normal_change = d->normal[static_cast<int>(i)].partial(direction);
      if (block.normal >= 0 && normal > 0) normal_change = solver_.multipliers()[block.normal];
      change += slopes.by_slip * slip;
      change += slopes.by_limit * (of_function(f++) * normal + block.friction * normal_change);
    }
    d->known.segment(first, n) = change;
  }
}

EvaluationStatus RelaxedDynamics::calc_jacobian(double t, const VectorX<double>& q,
                                                const VectorX<double>& v,
                                                const VectorX<double>* v_dot_driven,
                                                const std::vector<bool>& is_driven,
                                                std::span<double> J) {
  if (!dual_) dual_ = std::make_unique<internal::RelaxedDual>(model_);
  internal::RelaxedDual& d = *dual_;
  const EvaluationStatus status = calc_accelerations(t, q, v, v_dot_driven, &d.v_dot_now);
  if (status != EvaluationStatus::kOk) return status;
  if (!relaxed_.empty()) relaxed_solver_.linearize(system_, forces_);
  d.v_dot = d.v_dot_now.cast<Dual>();
  d.all_forces.resize(constraint_count());
  d.all_forces.head(held_) = multipliers_;
  if (!relaxed_.empty()) d.all_forces.tail(constraint_count() - held_) = forces_.F;
  const int nv = model_.nv, columns = model_.nq + nv;
  std::ranges::fill(J, 0.0);
  for (int first = 0; first < columns; first += kDirections) {
    const int count = std::min(kDirections, columns - first);
    d.q = q.cast<Dual>();
    d.v = v.cast<Dual>();
    for (int k = 0; k < count; ++k) {
      const int column = first + k;
      if (is_driven[static_cast<std::size_t>(column)]) continue;
      (column < model_.nq ? d.q[column] : d.v[column - model_.nq]).set_partial(k, 1);
    }
    evaluate_dual(&d);
    d.own_lack.resize(held_);
    for (int k = 0; k < count; ++k) {
      const int column = first + k;
      if (is_driven[static_cast<std::size_t>(column)]) continue;
      for (std::size_t i = 0; i < free_.size(); ++i)
        Q_[static_cast<int>(i)] = -d.tau[free_[i]].partial(k);
      for (int r = 0; r < held_; ++r) d.own_lack[r] = d.lack[r].partial(k);
      acceleration_ = solver_.solve(Q_, d.own_lack);
      if (!relaxed_.empty()) {
        differentiate_laws(k, column, &d);
        relaxed_solver_.differentiate(d.known, &d.F_change);
        acceleration_.noalias() += response_ * d.F_change;
      }
      for (std::size_t i = 0; i < free_.size(); ++i)
        J[static_cast<std::size_t>(column) * nv + free_[i]] = acceleration_[static_cast<int>(i)];
    }
  }
  return EvaluationStatus::kOk;
}

}  // namespace camber::multibody
