// [004] eq. 5-6: G M^-1 G^T lambda = -(c'' of the open tree), v' = v'_open + M^-1 G^T lambda. Each
// column of M^-1 G^T comes from the recursion of forward_dynamics.cc, whose articulated inertias
// are already known: only forces are passed inward and accelerations outward.
#include "camber/multibody/tree_augmented.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "camber/multibody/constraint_row.h"
#include "camber/multibody/mass_matrix.h"

namespace camber::multibody {

Model<double> open_loops(const Model<double>& model) {
  Model<double> open = model;
  open.clusters.clear();
  open.cluster_of.assign(open.links.size(), -1);
  mark_branches(&open);
  return open;
}

bool RowChoice::is_due(const SchurPivots& pivots) {
  constexpr double kWorse =
      1e-2;  // over the best pivot since the choice; tenfold in a row's direction
  if (!has_others_) return false;
  const double now = pivots.smallest > 0 ? pivots.smallest / pivots.largest : 0;
  if (now <= kWorse * best_) return true;
  best_ = std::max(best_, now);
  return false;
}

bool is_last_step(const Model<double>& model, const PositionKinematics<double>& pos,
                  const VectorX<double>& step) {
  constexpr double kSmall = 1e-9, kRounding = 1e-15;
  // Poses of free bodies are only as accurate as their distance from W's origin allows.
  const double small = kSmall + kRounding * std::sqrt(dot(pos.p_WO, pos.p_WO)) / model.length;
  for (int k = 0; k < step.size(); ++k) {
    if (!(std::abs(step[k]) < small * model.speed_units[k])) return false;
  }
  return true;
}

std::vector<int> choose_rows(MatrixX<double> schur, int count) {
  std::vector<int> rows;
  for (int i = 0; i < count; ++i) {
    Eigen::Index r = 0;
    const double pivot = schur.diagonal().maxCoeff(&r);
    rows.push_back(static_cast<int>(r));
    const VectorX<double> column = schur.col(r);
    schur.noalias() -= column * column.transpose() / pivot;
    schur.row(r).setZero();
    schur.col(r).setZero();
    schur(r, r) = -1;  // taken
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

namespace {

Partition make_open_partition(const Model<double>& model) {
  Partition partition;
  partition.y_of_link.assign(model.links.size(), -1);
  for (std::size_t l = 1; l < model.links.size(); ++l) {
    const Link<double>& link = model.links[l];
    if (link.is_driven) continue;
    partition.y_of_link[l] = partition.ny();
    for (int k = 0; k < link.nv; ++k) partition.v_of_y.push_back(link.v_start + k);
  }
  return partition;
}

std::vector<int> find_independent_rows(const MechanismTree& mechanism, const VectorX<double>& q) {
  std::vector<int> rows;
  for (const Partition::Part& part : choose_partition(mechanism, q, {}).parts) {
    rows.insert(rows.end(), part.rows.begin(), part.rows.end());
  }
  return rows;
}

}  // namespace

TreeAugmented::TreeAugmented(const MechanismTree& mechanism, const VectorX<double>& q,
                             const Stabilization& stabilization)
    : TreeAugmented(mechanism, find_independent_rows(mechanism, q), stabilization) {}

TreeAugmented::TreeAugmented(const MechanismTree& mechanism, std::vector<int> rows,
                             const Stabilization& stabilization)
    : model_(open_loops(mechanism.model)),
      partition_(make_open_partition(model_)),
      stabilization_(stabilization),
      work_(model_, partition_),
      free_v_dot_(VectorX<double>::Zero(model_.nv)),
      Z_(model_.links.size()),
      A_(model_.links.size()),
      u_(static_cast<std::size_t>(partition_.ny())) {
  use_rows(std::move(rows));
  choice_ = RowChoice(rows_.size() < model_.rows.size());
}

void TreeAugmented::use_rows(std::vector<int> rows) {
  rows_ = std::move(rows);
  const int n = constraint_count();
  row_force_.resize(rows_.size());
  response_.resize(model_.nv, n);
  schur_.resize(n, n);
  lambda_ = error_ = VectorX<double>::Zero(n);
  factor_.compute(MatrixX<double>::Identity(n, n));  // allocates its memory now
}

// M^-1 times the force along row r, into its column of response_.
void TreeAugmented::calc_row_response(int r) {
  const ConstraintRow<double>& row = model_.rows[rows_[r]];
  for (auto& Z : Z_) Z = Spatial<double>();
  std::fill(u_.begin(), u_.end(), 0.0);
  if (row.kind == RowKind::kCoupler) {
    for (const CouplerTerm<double>& term : row.terms) {
      for (int y = 0; y < partition_.ny(); ++y) {
        if (partition_.v_of_y[y] == term.v) u_[y] += term.factor;
      }
    }
  } else {
    Z_[row.b] -= row_force_[r];
    Z_[row.a] += row_force_[r];
  }
  respond(response_.col(r).data());
}

void TreeAugmented::respond(double* v_dot) {
  const ArticulatedBodies<double>& bodies = work_.bodies;
  const int n = static_cast<int>(model_.links.size());
  for (int l = n - 1; l > 0; --l) {
    const Link<double>& link = model_.links[l];
    const int y = partition_.y_of_link[l];
    if (y >= 0) {
      for (int k = link.nv - 1; k >= 0; --k) {
        u_[y + k] -= dot(work_.pos.H[link.v_start + k], Z_[l]);
        Z_[l] += bodies.K[y + k] * u_[y + k];
      }
    }
    Z_[link.parent] += Z_[l];
  }
  A_[0] = Spatial<double>();
  for (int l = 1; l < n; ++l) {
    const Link<double>& link = model_.links[l];
    const int y = partition_.y_of_link[l];
    A_[l] = A_[link.parent];
    for (int k = 0; k < link.nv; ++k) {
      double a = 0;
      if (y >= 0) {
        a = u_[y + k] * bodies.D_inverse[y + k] - dot(bodies.K[y + k], A_[l]);
        A_[l] += work_.pos.H[link.v_start + k] * a;
      }
      v_dot[link.v_start + k] = a;
    }
  }
}

// G M^-1 G^T at the configuration in work_.pos, whose articulated inertias are in work_.bodies.
void TreeAugmented::calc_schur(const VectorX<double>& q) {
  const int n = constraint_count();
  for (int r = 0; r < n; ++r) row_force_[r] = calc_row(model_.rows[rows_[r]], work_.pos, q).F;
  for (int r = 0; r < n; ++r) {
    calc_row_response(r);
    for (int s = 0; s < n; ++s) {
      const ConstraintRow<double>& row = model_.rows[rows_[s]];
      if (row.kind == RowKind::kCoupler) {
        schur_(s, r) = 0;
        for (const CouplerTerm<double>& term : row.terms)
          schur_(s, r) += term.factor * response_(term.v, r);
      } else {
        schur_(s, r) = dot(row_force_[s], A_[row.b] - A_[row.a]);
      }
    }
  }
}

SchurPivots TreeAugmented::factor_schur() {
  SchurPivots pivots;
  factor_.compute(schur_);
  const bool is_factored = factor_.info() == Eigen::Success;
  for (int r = 0; r < schur_.rows(); ++r) {
    const double root = is_factored ? factor_.matrixLLT()(r, r) : 0;
    pivots.note(root * root, schur_(r, r), model_.rows[rows_[r]].unit);
  }
  return pivots;
}

bool TreeAugmented::factor_rows(const VectorX<double>& q) {
  calc_schur(q);
  SchurPivots pivots = factor_schur();
  if (choice_.is_due(pivots)) {
    const int count = constraint_count();
    std::vector<int> all(model_.rows.size());
    std::iota(all.begin(), all.end(), 0);
    use_rows(std::move(all));
    calc_schur(q);
    for (int c = 0; c < schur_.cols(); ++c) {
      for (int r = 0; r < schur_.rows(); ++r)
        schur_(r, c) /= model_.rows[rows_[r]].unit * model_.rows[rows_[c]].unit;
    }
    use_rows(choose_rows(schur_, count));
    calc_schur(q);
    pivots = factor_schur();
    choice_.begin();
  }
  return pivots.least_share > kLostPivot;
}

EvaluationStatus TreeAugmented::calc_accelerations(const VectorX<double>& q,
                                                   const VectorX<double>& v,
                                                   const VectorX<double>* v_dot_driven,
                                                   VectorX<double>* v_dot) {
  if (!q.allFinite() || !v.allFinite()) return EvaluationStatus::kNotFinite;
  if (v_dot_driven != nullptr) work_.loops.g = *v_dot_driven;
  calc_position_kinematics(model_, q, &work_.pos);
  calc_velocity_kinematics(model_, work_.pos, v, v_dot_driven, &work_.vel);
  calc_forces(model_, work_.pos, work_.vel, q, v, &work_.forces);
  if (!calc_forward_dynamics(model_, partition_, work_.pos, work_.loops, work_.vel, work_.forces,
                             &work_.bodies, &work_.y_dot, &free_v_dot_)) {
    return EvaluationStatus::kNoInertia;
  }
  *v_dot = free_v_dot_;
  if (constraint_count() == 0)
    return v_dot->allFinite() ? EvaluationStatus::kOk : EvaluationStatus::kNotFinite;
  if (!factor_rows(q)) return EvaluationStatus::kSingular;

  calc_velocity_kinematics(model_, work_.pos, v, &free_v_dot_, &work_.vel);
  for (int r = 0; r < constraint_count(); ++r) {
    error_[r] = calc_row_residual(model_.rows[rows_[r]], work_.pos, work_.vel, q, v, &free_v_dot_,
                                  row_force_[r], stabilization_.rate_in_equations());
  }
  lambda_ = -error_;
  factor_.solveInPlace(lambda_);
  v_dot->noalias() += response_ * lambda_;
  return v_dot->allFinite() ? EvaluationStatus::kOk : EvaluationStatus::kNotFinite;
}

void TreeAugmented::solve(const VectorX<double>& Q, const VectorX<double>& b, VectorX<double>* x) {
  for (auto& Z : Z_) Z = Spatial<double>();
  for (int y = 0; y < partition_.ny(); ++y) u_[y] = Q[partition_.v_of_y[y]];
  respond(x->data());
  if (constraint_count() == 0) return;
  mu_ = b;  // minus G M^-1 Q, M being symmetric
  mu_.noalias() -= response_.transpose() * Q;
  factor_.solveInPlace(mu_);
  x->noalias() += response_ * mu_;
}

EvaluationStatus TreeAugmented::calc_jacobian(const VectorX<double>& q, const VectorX<double>& v,
                                              const VectorX<double>* v_dot_driven,
                                              const std::vector<bool>& is_driven,
                                              std::span<double> J) {
  const EvaluationStatus status = calc_accelerations(q, v, v_dot_driven, &v_dot_);
  if (status != EvaluationStatus::kOk) return status;
  if (!jacobian_) jacobian_ = std::make_unique<AugmentedJacobian>(model_);
  const auto solver = [this](const VectorX<double>& Q, const VectorX<double>& b,
                             VectorX<double>* x) { solve(Q, b, x); };
  jacobian_->calc({.rows = rows_, .rate = stabilization_.rate_in_equations()},
                  {q, v, v_dot_, lambda_}, is_driven, solver, J);
  return EvaluationStatus::kOk;
}

bool TreeAugmented::project(VectorX<double>* q, VectorX<double>* v) {
  if (constraint_count() == 0) return true;
  for (int iteration = 0;; ++iteration) {
    calc_position_kinematics(model_, *q, &work_.pos);
    // Articulated inertias only: velocities and forces are not needed here.
    for (auto& V : work_.vel.V) V = Spatial<double>();
    for (auto& A : work_.vel.A) A = Spatial<double>();
    work_.forces.clear();
    if (!calc_forward_dynamics(model_, partition_, work_.pos, work_.loops, work_.vel, work_.forces,
                               &work_.bodies, &work_.y_dot, &free_v_dot_)) {
      return false;
    }
    if (!factor_rows(*q)) return false;
    double size = 0;
    for (int r = 0; r < constraint_count(); ++r) {
      const ConstraintRow<double>& row = model_.rows[rows_[r]];
      error_[r] = calc_row(row, work_.pos, *q).error;
      size = std::max(size, std::abs(error_[r]) / row.unit);
    }
    if (!error_.allFinite()) return false;
    if (size < kClosedRow) break;
    if (iteration == 20) return false;
    lambda_ = -error_;
    factor_.solveInPlace(lambda_);
    free_v_dot_.noalias() = response_ * lambda_;
    move_positions(model_, free_v_dot_, q);
    if (is_last_step(model_, work_.pos, free_v_dot_)) {
      calc_position_kinematics(model_, *q, &work_.pos);
      break;
    }
  }
  calc_velocity_kinematics(model_, work_.pos, *v, static_cast<const VectorX<double>*>(nullptr),
                           &work_.vel);
  for (int r = 0; r < constraint_count(); ++r) {
    error_[r] = calc_row_rate(model_.rows[rows_[r]], work_.vel, *v, row_force_[r]);
  }
  lambda_ = -error_;
  factor_.solveInPlace(lambda_);
  correction_ = {calc_kinetic_energy(model_, work_.pos, work_.vel), -0.5 * lambda_.dot(error_)};
  v->noalias() += response_ * lambda_;
  return v->allFinite();
}

}  // namespace camber::multibody
