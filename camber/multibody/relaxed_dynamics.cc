// docs/theory/rolling-wheel.md, section 4. With M = L L^T, B = A L^-T of the rows that hold, B_r of
// those that relax, and P = 1 - B^+ B:
//   y_h = y_0 + B^+ (b - B y_0),  y_0 = L^-1 Q          without the relaxed ones      (13)
//   W = B_r P B_r^T,  target = b_r - B_r y_h            what they meet                (14)
//   v' = L^-T (y_h + P B_r^T F)                         with their forces F           (15)
#include "camber/multibody/relaxed_dynamics.h"

#include <algorithm>
#include <cmath>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/multibody/assembly.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/inverse_dynamics.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/relaxed_dual.h"
#include "camber/symbolic/derivative.h"

namespace camber::multibody {
namespace {

using symbolic::Expr;

std::vector<bool> find_carriers(const Model<double>& model) {
  const std::size_t n = model.links.size();
  std::vector<bool> is_above(n * n, false);
  for (std::size_t l = 1; l < n; ++l) {
    for (int k = static_cast<int>(l); k > 0; k = model.links[k].parent) {
      is_above[static_cast<std::size_t>(k) * n + l] = true;
    }
  }
  return is_above;
}

int count_needed_rows(const MechanismTree& mechanism, const VectorX<double>& q) {
  std::size_t count = 0;
  for (const Partition::Part& part : choose_partition(mechanism, q, {}).parts)
    count += part.rows.size();
  return static_cast<int>(count);
}

// The rank at q with closed loops, and at a nearby configuration: a mechanism that starts at a dead
// point has more independent rows as soon as it has left it.
int find_largest_rank(const MechanismTree& mechanism, const VectorX<double>& q) {
  constexpr double kBeside = 1e-3;  // of a radian, or of the mechanism's length
  if (mechanism.model.clusters.empty()) return 0;
  const int rank = count_needed_rows(mechanism, q);
  RandomStream random(1);
  VectorX<double> step(mechanism.model.nv), beside = q;
  for (int k = 0; k < step.size(); ++k) {
    const double size = kBeside * mechanism.model.speed_units[k] * random.uniform(-1, 1);
    step[k] = mechanism.motions[k] ? 0 : size;
  }
  move_positions(mechanism.model, step, &beside);
  if (!assemble(mechanism, {}, &beside).assembled) return rank;
  return std::max(rank, count_needed_rows(mechanism, beside));
}

}  // namespace

namespace internal {

template <class T>
void calc_row_matrix(const Model<T>& model, const std::vector<bool>& is_above,
                     const PositionKinematics<T>& pos, const VectorX<T>& q, MatrixX<T>* A,
                     std::vector<Spatial<T>>* F) {
  const std::size_t n = model.links.size();
  A->resize(static_cast<int>(model.rows.size()), model.nv);
  A->setConstant(T(0));
  F->resize(model.rows.size());
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    const ConstraintRow<T>& row = model.rows[r];
    const auto i = static_cast<int>(r);
    (*F)[r] = calc_row(row, pos, q).F;
    for (const CouplerTerm<T>& term : row.terms) (*A)(i, term.v) += term.factor;
    if (row.kind == RowKind::kCoupler) continue;
    for (std::size_t l = 1; l < n; ++l) {
      const int sign = static_cast<int>(is_above[l * n + static_cast<std::size_t>(row.b)]) -
                       static_cast<int>(is_above[l * n + static_cast<std::size_t>(row.a)]);
      if (sign == 0) continue;
      const Link<T>& link = model.links[l];
      for (int k = link.v_start; k < link.v_start + link.nv; ++k) {
        (*A)(i, k) = static_cast<double>(sign) * dot((*F)[r], pos.H[k]);
      }
    }
  }
}

template <class T>
void calc_row_lack(const Model<T>& model, const std::vector<double>& rates,
                   const std::vector<Spatial<T>>& F, const PositionKinematics<T>& pos,
                   const VelocityKinematics<T>& vel, const VectorX<T>& q, const VectorX<T>& v,
                   const VectorX<T>* v_dot, VectorX<T>* b) {
  b->resize(static_cast<int>(model.rows.size()));
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    (*b)[static_cast<int>(r)] =
        -calc_row_residual(model.rows[r], pos, vel, q, v, v_dot, F[r], rates[r]);
  }
}

#define CAMBER_INSTANTIATE(T)                                                                     \
  template void calc_row_matrix(const Model<T>&, const std::vector<bool>&,                        \
                                const PositionKinematics<T>&, const VectorX<T>&, MatrixX<T>*,     \
                                std::vector<Spatial<T>>*);                                        \
  template void calc_row_lack(const Model<T>&, const std::vector<double>&,                        \
                              const std::vector<Spatial<T>>&, const PositionKinematics<T>&,       \
                              const VelocityKinematics<T>&, const VectorX<T>&, const VectorX<T>&, \
                              const VectorX<T>*, VectorX<T>*);
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(Dual)
#undef CAMBER_INSTANTIATE

}  // namespace internal

bool has_relaxation(const Mechanism& mechanism) {
  const auto relaxes = [](const auto& constraint) { return constraint.relaxation.is_given(); };
  return std::ranges::any_of(mechanism.joints, relaxes) ||
         std::ranges::any_of(mechanism.rods, relaxes) ||
         std::ranges::any_of(mechanism.couplers, relaxes) ||
         std::ranges::any_of(mechanism.rollings, relaxes);
}

RelaxedDynamics::~RelaxedDynamics() = default;

RelaxedDynamics::RelaxedDynamics(const MechanismTree& mechanism, const VectorX<double>& q,
                                 const Stabilization& stabilization)
    : model_(open_loops(mechanism.model)),
      held_(static_cast<int>(model_.rows.size())),
      largest_rank_(find_largest_rank(mechanism, q)),
      relaxed_(mechanism.relaxed),
      is_above_(find_carriers(model_)),
      pos_(model_),
      vel_(model_),
      force_elements_(model_) {
  const bool uses_rate = stabilization.kind == Stabilization::Kind::kBaumgarte;
  rates_.assign(model_.rows.size(), uses_rate ? stabilization.rate : 0);
  for (const RelaxedConstraint& constraint : relaxed_) {
    model_.rows.insert(model_.rows.end(), constraint.rows.begin(), constraint.rows.end());
    // A weight of 1 is the constraint itself, whose drift is corrected; friction does not remember
    // a position.
    const bool is_held = !constraint.relaxation.weight.empty();
    rates_.resize(model_.rows.size(), is_held ? stabilization.rate : 0);
  }
  for (std::size_t l = 1; l < model_.links.size(); ++l) {
    const Link<double>& link = model_.links[l];
    for (int k = 0; k < link.nv && !link.is_driven; ++k) free_.push_back(link.v_start + k);
  }
  const int n = static_cast<int>(free_.size()), m = constraint_count();
  M_free_.resize(n, n);
  A_free_.resize(m, n);
  forces_of_rows_.resize(n, m - held_);
  Q_.resize(n);
  acceleration_.resize(n);
  step_ = VectorX<double>::Zero(model_.nv);
  error_.resize(held_);
  collect_functions(mechanism);
}

void RelaxedDynamics::set_wrench(int wrench, const Vec3<double>& force,
                                 const Vec3<double>& torque) {
  multibody::set_wrench(wrench, force, torque, &model_);
  if (dual_) multibody::set_wrench(wrench, force, torque, &dual_->model);
}

void RelaxedDynamics::collect_functions(const MechanismTree& mechanism) {
  std::vector<Expr> functions;
  for (const RelaxedConstraint& constraint : relaxed_) {
    const Relaxation& relaxation = constraint.relaxation;
    functions.insert(functions.end(), relaxation.weight.begin(), relaxation.weight.end());
    if (relaxation.friction) functions.push_back(*relaxation.friction);
  }
  function_count_ = functions.size();
  if (functions.empty()) return;
  const Expr t = symbolic::symbol("t");
  std::vector<Expr> leaves = {t};
  const auto add_if_used = [&](const Expr& leaf, Input input) {
    const auto uses = [&](const Expr& f) {
      return std::ranges::find(f.leaves(), leaf) != f.leaves().end();
    };
    if (std::none_of(functions.begin(), functions.begin() + static_cast<long>(function_count_),
                     uses))
      return;
    leaves.push_back(leaf);
    inputs_.push_back(input);
    for (std::size_t i = 0; i < function_count_; ++i)
      functions.push_back(symbolic::diff(functions[i], leaf));
  };
  for (int k = 0; k < model_.nq; ++k) {
    add_if_used(symbolic::variable(mechanism.q_names[k]), {false, k});
  }
  for (int k = 0; k < model_.nv; ++k) {
    const Expr position = symbolic::variable(mechanism.v_names[k]);
    add_if_used(symbolic::time_derivative(position), {true, k});
  }
  codegen::ProgramBuilder program("relaxation");
  program.add_input("x", std::span<const Expr>(leaves));
  program.add_output("values", std::span<const Expr>(functions));
  functions_.emplace(program.build());
  input_values_.resize(leaves.size());
  function_values_.resize(functions.size());
}

/// The blocks' weights and friction; returns false if one of them is invalid.
bool RelaxedDynamics::evaluate_functions(double t, const VectorX<double>& q,
                                         const VectorX<double>& v) {
  why_.clear();
  input_values_[0] = t;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    input_values_[i + 1] = (inputs_[i].is_speed ? v : q)[inputs_[i].place];
  }
  functions_->run(input_values_, function_values_);
  system_.blocks.resize(relaxed_.size());
  const double* value = function_values_.data();
  int first = 0;
  for (std::size_t i = 0; i < relaxed_.size(); ++i) {
    const Relaxation& relaxation = relaxed_[i].relaxation;
    const int n = static_cast<int>(relaxed_[i].rows.size());
    RelaxedBlock& block = system_.blocks[i];
    block.first = first;
    block.size = n;
    block.normal = relaxed_[i].normal_row;
    block.slip_speed = relaxation.slip_speed;
    first += n;
    if (relaxation.weight.size() == 1) {
      block.weight = *value++ * BlockMatrix::Identity(n, n);
    } else if (!relaxation.weight.empty()) {
      block.weight = Eigen::Map<const MatrixX<double>>(value, n, n);
      value += n * n;
    }
    if (block.weight.size() > 0 && !is_positive_semidefinite(block.weight)) {
      why_ = concat(relaxed_[i].name, ": relax is not positive semi-definite");
    }
    if (relaxation.friction) block.friction = *value++;
    if (!(block.friction >= 0)) {
      why_ = concat(relaxed_[i].name, ": friction must be >= 0, it is ", block.friction);
    }
  }
  return why_.empty();
}

/// Slips, and the normal forces of wheels pressed against a plane.
void RelaxedDynamics::fill_blocks(const VectorX<double>& q, const VectorX<double>& v) {
  for (std::size_t i = 0; i < relaxed_.size(); ++i) {
    RelaxedBlock& block = system_.blocks[i];
    block.slip.resize(block.size);
    for (int k = 0; k < block.size; ++k) {
      const auto r = static_cast<std::size_t>(held_ + block.first + k);
      block.slip[k] = calc_row_rate(model_.rows[r], vel_, v, F_[r]);
    }
    if (relaxed_[i].contact < 0) continue;
    Spatial<double> F;
    block.load = calc_normal_force(model_.contacts[relaxed_[i].contact], pos_, vel_, q, v, &F);
  }
}

/// Mass matrix and rows at the configuration in pos_.
bool RelaxedDynamics::factor_rows(const VectorX<double>& q) {
  calc_mass_matrix(model_, pos_, &composites_, &M_);
  internal::calc_row_matrix(model_, is_above_, pos_, q, &A_, &F_);
  // Loops, since Eigen's indexed views copy their indices.
  for (int j = 0; j < M_free_.cols(); ++j) {
    for (int i = 0; i < M_free_.rows(); ++i) M_free_(i, j) = M_(free_[i], free_[j]);
    A_free_.col(j) = A_.col(free_[j]);
  }
  return solver_.factor(M_free_, A_free_.topRows(held_), largest_rank_);
}

/// Computes the relaxed constraints' forces and adds their effect to acceleration_ and
/// multipliers_.
void RelaxedDynamics::add_relaxed(const VectorX<double>& q, const VectorX<double>& v) {
  fill_blocks(q, v);
  const auto rows = A_free_.bottomRows(constraint_count() - held_);
  forces_of_rows_ = rows.transpose();
  solver_.respond(forces_of_rows_, &response_, &system_.normal_by);
  system_.W.resize(rows.rows(), rows.rows());
  system_.W.noalias() = rows * response_;  // (14)
  system_.target = b_.tail(rows.rows());
  system_.target.noalias() -= rows * acceleration_;
  system_.normal = multipliers_;
  relaxed_solver_.solve(system_, &forces_);
  acceleration_.noalias() += response_ * forces_.F;  // (15)
  multipliers_.noalias() += system_.normal_by * forces_.F;
}

EvaluationStatus RelaxedDynamics::calc_accelerations(double t, const VectorX<double>& q,
                                                     const VectorX<double>& v,
                                                     const VectorX<double>* v_dot_driven,
                                                     VectorX<double>* v_dot) {
  if (!q.allFinite() || !v.allFinite()) return EvaluationStatus::kNotFinite;
  calc_position_kinematics(model_, q, &pos_);
  calc_velocity_kinematics(model_, pos_, v, v_dot_driven, &vel_);
  calc_forces(model_, pos_, vel_, q, v, &force_elements_);
  calc_inverse_dynamics(model_, pos_, vel_, force_elements_, &carried_, &tau_);
  if (!factor_rows(q)) return EvaluationStatus::kNoInertia;
  internal::calc_row_lack(model_, rates_, F_, pos_, vel_, q, v, v_dot_driven, &b_);
  for (int i = 0; i < Q_.size(); ++i) Q_[i] = -tau_[free_[i]];
  acceleration_ = solver_.solve(Q_, b_.head(held_));
  multipliers_ = solver_.multipliers();
  if (!relaxed_.empty()) {
    if (!evaluate_functions(t, q, v)) return EvaluationStatus::kNotFinite;
    add_relaxed(q, v);
  }
  if (v_dot_driven != nullptr) {
    *v_dot = *v_dot_driven;
  } else {
    v_dot->setZero(model_.nv);
  }
  for (int i = 0; i < acceleration_.size(); ++i) (*v_dot)[free_[i]] = acceleration_[i];
  return v_dot->allFinite() ? EvaluationStatus::kOk : EvaluationStatus::kNotFinite;
}

bool RelaxedDynamics::project(VectorX<double>* q, VectorX<double>* v) {
  why_.clear();
  if (held_ == 0) return true;
  double last = INFINITY;
  constexpr int kMaxIterations = 20;
  for (int iteration = 0;; ++iteration) {
    calc_position_kinematics(model_, *q, &pos_);
    if (!factor_rows(*q)) return false;
    int worst = 0;
    double size = 0;  // over its unit
    for (int r = 0; r < held_; ++r) {
      error_[r] = -calc_row(model_.rows[r], pos_, *q).error;
      const double share = std::abs(error_[r]) / model_.rows[r].unit;
      if (!(share > size)) continue;
      size = share;
      worst = r;
    }
    if (!error_.allFinite()) return false;
    if (size < kClosedRow) break;
    if (size > 0.9 * last || iteration == kMaxIterations) {  // no further progress
      if (size <= kLargestRowError) break;
      why_ = concat("a loop cannot be closed: ", model_.rows[worst].name, " stays open by ",
                    std::abs(error_[worst]));
      return false;
    }
    last = size;
    solver_.apply_inverse(error_, acceleration_);
    for (int i = 0; i < acceleration_.size(); ++i) step_[free_[i]] = acceleration_[i];
    move_positions(model_, step_, q);
  }
  calc_velocity_kinematics(model_, pos_, *v, static_cast<const VectorX<double>*>(nullptr), &vel_);
  for (int r = 0; r < held_; ++r) error_[r] = -calc_row_rate(model_.rows[r], vel_, *v, F_[r]);
  solver_.apply_inverse(error_, acceleration_);
  correction_.energy = calc_kinetic_energy(model_, pos_, vel_);
  correction_.taken = 0;  // half the square of the change in the norm of the mass matrix
  for (int j = 0; j < M_free_.cols(); ++j)
    correction_.taken += 0.5 * acceleration_[j] * M_free_.col(j).dot(acceleration_);
  for (int i = 0; i < acceleration_.size(); ++i) (*v)[free_[i]] += acceleration_[i];
  return v->allFinite();
}

}  // namespace camber::multibody
