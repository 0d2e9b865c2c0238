// docs/theory/rolling-wheel.md, section 4. With M = L L^T, B = A L^-T of the rows that hold, B_r of
// those that relax, and P = 1 - B^+ B:
//   y_h = y_0 + B^+ (b - B y_0),  y_0 = L^-1 Q          without the relaxed ones      (13)
//   W = B_r P B_r^T,  target = b_r - B_r y_h            what they meet                (14)
//   v' = L^-T (y_h + P B_r^T F)                         with their forces F           (15)
#include "camber/multibody/relaxed_dynamics.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/inverse_dynamics.h"
#include "camber/multibody/mass_matrix.h"
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

}  // namespace

bool has_relaxation(const Mechanism& mechanism) {
  const auto relaxes = [](const auto& constraint) { return constraint.relaxation.is_given(); };
  return std::ranges::any_of(mechanism.joints, relaxes) ||
         std::ranges::any_of(mechanism.rods, relaxes) ||
         std::ranges::any_of(mechanism.couplers, relaxes) ||
         std::ranges::any_of(mechanism.rollings, relaxes);
}

RelaxedDynamics::RelaxedDynamics(const CompiledMechanism& mechanism,
                                 const Stabilization& stabilization)
    : model_(open_loops(mechanism.model)),
      stabilization_(stabilization),
      relaxed_(mechanism.relaxed),
      is_above_(find_carriers(model_)),
      pos_(model_),
      vel_(model_),
      force_elements_(model_) {
  for (const ConstraintRow<double>& row : model_.rows) rows_.push_back(&row);
  for (const RelaxedConstraint& constraint : relaxed_) {
    for (const ConstraintRow<double>& row : constraint.rows) relaxed_rows_.push_back(&row);
  }
  relaxed_count_ = static_cast<int>(relaxed_rows_.size());
  for (std::size_t l = 1; l < model_.links.size(); ++l) {
    const Link<double>& link = model_.links[l];
    for (int k = 0; k < link.nv && !link.is_driven; ++k) free_.push_back(link.v_start + k);
  }
  collect_functions(mechanism);
}

void RelaxedDynamics::collect_functions(const CompiledMechanism& mechanism) {
  std::vector<Expr> functions;
  for (const RelaxedConstraint& constraint : relaxed_) {
    const Relaxation& relaxation = constraint.relaxation;
    functions.insert(functions.end(), relaxation.weight.begin(), relaxation.weight.end());
    if (relaxation.friction) functions.push_back(*relaxation.friction);
  }
  if (functions.empty()) return;
  const Expr t = symbolic::symbol("t");
  std::vector<Expr> leaves = {t};
  const auto add_if_used = [&](const Expr& leaf, Input input) {
    const auto uses = [&](const Expr& f) {
      return std::ranges::find(f.leaves(), leaf) != f.leaves().end();
    };
    if (std::ranges::none_of(functions, uses)) return;
    leaves.push_back(leaf);
    inputs_.push_back(input);
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

/// The blocks' weights and friction; false where one of them cannot be.
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
      block.weight = *value++ * MatrixX<double>::Identity(n, n);
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

/// dc'/dv of rows at the configuration in pos_, for the speeds that are free.
void RelaxedDynamics::calc_matrix(std::span<const ConstraintRow<double>* const> rows,
                                  const VectorX<double>& q, MatrixX<double>* A,
                                  std::vector<Spatial<double>>* F) const {
  const std::size_t n = model_.links.size();
  A->setZero(static_cast<int>(rows.size()), model_.nv);
  F->resize(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const ConstraintRow<double>& row = *rows[r];
    const auto i = static_cast<int>(r);
    (*F)[r] = calc_row(row, pos_, q).F;
    for (const CouplerTerm<double>& term : row.terms) (*A)(i, term.v) += term.factor;
    if (row.kind == RowKind::kCoupler) continue;
    for (std::size_t l = 1; l < n; ++l) {
      const int sign = static_cast<int>(is_above_[l * n + static_cast<std::size_t>(row.b)]) -
                       static_cast<int>(is_above_[l * n + static_cast<std::size_t>(row.a)]);
      if (sign == 0) continue;
      const Link<double>& link = model_.links[l];
      for (int k = 0; k < link.nv; ++k) {
        (*A)(i, link.v_start + k) = sign * dot((*F)[r], pos_.H[link.v_start + k]);
      }
    }
  }
}

/// b: minus c'' for the accelerations that are known beforehand, which are in vel_, and for
/// errors that are to decay at `rate` (0: they stay).
void RelaxedDynamics::calc_lack(std::span<const ConstraintRow<double>* const> rows,
                                const std::vector<Spatial<double>>& F, const VectorX<double>& q,
                                const VectorX<double>& v, const VectorX<double>* v_dot, double rate,
                                VectorX<double>* b) const {
  b->resize(static_cast<int>(rows.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const ConstraintRow<double>& row = *rows[r];
    double c_ddot = 0;
    if (row.kind != RowKind::kCoupler) {
      c_ddot = calc_row_acceleration(row, pos_, vel_, F[r]);
    } else if (v_dot != nullptr) {
      for (const CouplerTerm<double>& term : row.terms) c_ddot += term.factor * (*v_dot)[term.v];
    }
    if (rate > 0) {
      c_ddot += 2 * rate * calc_row_rate(row, vel_, v, F[r]);
      c_ddot += rate * rate * calc_row(row, pos_, q).error;
    }
    (*b)[static_cast<int>(r)] = -c_ddot;
  }
}

void RelaxedDynamics::fill_blocks(const VectorX<double>& v) {
  for (RelaxedBlock& block : system_.blocks) {
    block.slip.resize(block.size);
    for (int i = 0; i < block.size; ++i) {
      const auto r = static_cast<std::size_t>(block.first + i);
      block.slip[i] = calc_row_rate(*relaxed_rows_[r], vel_, v, F_relaxed_[r]);
    }
  }
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
  calc_mass_matrix(model_, pos_, &M_);
  calc_matrix(rows_, q, &A_, &F_);
  const bool uses_rate = stabilization_.kind == Stabilization::Kind::kBaumgarte;
  calc_lack(rows_, F_, q, v, v_dot_driven, uses_rate ? stabilization_.rate : 0, &b_);
  if (!solver_.factor(M_(free_, free_), A_(Eigen::all, free_))) return EvaluationStatus::kNoInertia;
  const VectorX<double> Q = -tau_(free_);
  VectorX<double> acceleration = solver_.solve(Q, b_);
  multipliers_ = solver_.multipliers();

  if (!relaxed_.empty()) {
    if (!evaluate_functions(t, q, v)) return EvaluationStatus::kNotFinite;
    calc_matrix(relaxed_rows_, q, &A_relaxed_, &F_relaxed_);
    fill_blocks(v);
    // A weight of 1 is the constraint itself, which does not drift away; friction forgets where it
    // was.
    calc_lack(relaxed_rows_, F_relaxed_, q, v, v_dot_driven, 0, &b_relaxed_);
    for (const RelaxedBlock& block : system_.blocks) {
      if (block.weight.size() == 0) continue;
      const auto first = static_cast<std::size_t>(block.first);
      VectorX<double> held;
      calc_lack(std::span(relaxed_rows_).subspan(first, block.size),
                {F_relaxed_.begin() + block.first, F_relaxed_.begin() + block.first + block.size},
                q, v, v_dot_driven, stabilization_.rate, &held);
      b_relaxed_.segment(block.first, block.size) = held;
    }
    const MatrixX<double> forces = A_relaxed_(Eigen::all, free_).transpose();
    const MatrixX<double> B_t = solver_.to_plain(forces);                          // B_r^T
    const MatrixX<double> P_B_t = B_t - solver_.plain_inverse(solver_.B() * B_t);  // (14)
    system_.W = B_t.transpose() * P_B_t;
    system_.target = b_relaxed_ - forces.transpose() * acceleration;
    system_.normal = multipliers_;
    system_.normal_by = -solver_.plain_transposed_inverse(B_t);
    forces_ = solve_relaxed(system_);
    acceleration += solver_.from_plain(P_B_t * forces_.F);  // (15)
    multipliers_ += system_.normal_by * forces_.F;
  }
  *v_dot = v_dot_driven != nullptr ? *v_dot_driven : VectorX<double>::Zero(model_.nv);
  (*v_dot)(free_) = acceleration;
  return v_dot->allFinite() ? EvaluationStatus::kOk : EvaluationStatus::kNotFinite;
}

bool RelaxedDynamics::project(VectorX<double>* q, VectorX<double>* v) {
  if (rows_.empty()) return true;
  VectorX<double> error(static_cast<int>(rows_.size())), step = VectorX<double>::Zero(model_.nv);
  double last = INFINITY;
  for (int iteration = 0; iteration < 20; ++iteration) {
    calc_position_kinematics(model_, *q, &pos_);
    calc_mass_matrix(model_, pos_, &M_);
    calc_matrix(rows_, *q, &A_, &F_);
    if (!solver_.factor(M_(free_, free_), A_(Eigen::all, free_))) return false;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      error[static_cast<int>(r)] = calc_row(*rows_[r], pos_, *q).error;
    }
    const double size = error.cwiseAbs().maxCoeff();
    if (!std::isfinite(size)) return false;
    // Down to rounding, or to where rows that contradict each other stay apart.
    if (size < 1e-13 || size > 0.9 * last) break;
    last = size;
    step(free_) = solver_.apply_inverse(-error);
    move_positions(model_, step, q);
  }
  calc_velocity_kinematics(model_, pos_, *v, static_cast<const VectorX<double>*>(nullptr), &vel_);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    error[static_cast<int>(r)] = calc_row_rate(*rows_[r], vel_, *v, F_[r]);
  }
  const VectorX<double> correction = solver_.apply_inverse(-error);
  for (std::size_t i = 0; i < free_.size(); ++i) (*v)[free_[i]] += correction[static_cast<int>(i)];
  return v->allFinite();
}

}  // namespace camber::multibody
