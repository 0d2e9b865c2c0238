// docs/theory/simulation.md (1)-(3): r(t, x, y) = 0 as a whole, by Newton's method. The rank of
// dr/dy is determined after scaling rows and columns; a null vector shows what is missing: parts in
// u' are directions without inertia or constraint, parts in multipliers alone are constraints that
// depend on each other.
#include "camber/lagrange/implicit_accelerations.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/symbolic/derivative.h"

namespace camber::lagrange {
namespace {

using codegen::Program;
using codegen::ProgramBuilder;

/// A row counts as dependent if its pivot is below this fraction of the largest pivot of the scaled
/// matrix.
constexpr double kRankTolerance = 1e-11;

symbolic::MatrixX dense(std::span<const Expr> es, std::span<const Expr> xs) {
  symbolic::MatrixX J = symbolic::MatrixX::Zero(static_cast<Eigen::Index>(es.size()),
                                                static_cast<Eigen::Index>(xs.size()));
  for (const auto& entry : symbolic::jacobian(es, xs)) J(entry.row, entry.col) = entry.value;
  return J;
}

ProgramBuilder& add_matrix(ProgramBuilder* builder, const char* name, const symbolic::MatrixX& J) {
  return builder->add_output(name, static_cast<int>(J.rows()), static_cast<int>(J.cols()),
                             std::span(J.data(), static_cast<std::size_t>(J.size())));
}

Program make_residual_program(const AccelerationEquations& a) {
  const auto residuals = a.residuals();
  ProgramBuilder builder = start_program(a, "residual");
  builder.add_input("unknowns", a.unknowns());
  builder.add_output("r", residuals);
  return add_matrix(&builder, "dr_dy", dense(residuals, a.unknowns())).build();
}

Program make_sensitivity_program(const AccelerationEquations& a) {
  ProgramBuilder builder = start_program(a, "sensitivity");
  builder.add_input("unknowns", a.unknowns());
  return add_matrix(&builder, "dr_dx", dense(a.residuals(), a.state())).build();
}

bool is_linear(const AccelerationEquations& a) {
  const auto unknowns = a.unknowns();
  for (const auto& entry : symbolic::jacobian(a.residuals(), unknowns)) {
    for (const Expr& y : unknowns) {
      if (entry.value.depends_on(y)) return false;
    }
  }
  return true;
}

}  // namespace

ImplicitAccelerations::ImplicitAccelerations(const AccelerationEquations& a)
    : n_(static_cast<int>(a.unknowns().size())),
      n_accelerations_(static_cast<int>(a.accelerations.size())),
      n_multipliers_(static_cast<int>(a.multipliers.size())),
      n_state_(static_cast<int>(a.state().size())),
      linear_(is_linear(a)),
      constraint_names_(a.constraint_names),
      residual_(make_residual_program(a)),
      sensitivity_program_(make_sensitivity_program(a)) {
  for (const Expr& y : a.unknowns()) unknown_names_.push_back(text_of(y));
  arguments_.resize(residual_.input_size());
  values_.resize(residual_.output_size());
  r_.resize(n_);
  J_.resize(n_, n_);
}

void ImplicitAccelerations::evaluate(std::span<const double> known, std::span<const double> y) {
  require(known.size() + y.size() == arguments_.size(), "ImplicitAccelerations: got ",
          known.size() + y.size(), " values, needs ", arguments_.size());
  std::ranges::copy(y, std::ranges::copy(known, arguments_.begin()).out);
  residual_.run(arguments_, values_);
  r_ = Eigen::Map<const Eigen::VectorXd>(values_.data(), n_);
  J_ = Eigen::Map<const Eigen::MatrixXd>(values_.data() + n_, n_, n_);
  // Scales rows and columns to a common size, since masses and lever arms differ; the rank refers
  // to the scaled matrix.
  row_scale_ = J_.cwiseAbs().rowwise().maxCoeff();
  row_scale_ = (row_scale_.array() > 0).select(row_scale_.cwiseInverse(), 1.0);
  scaled_ = row_scale_.asDiagonal() * J_;
  column_scale_ = scaled_.cwiseAbs().colwise().maxCoeff().transpose();
  column_scale_ = (column_scale_.array() > 0).select(column_scale_.cwiseInverse(), 1.0);
  scaled_ = scaled_ * column_scale_.asDiagonal();
}

bool ImplicitAccelerations::solve(std::span<const double> known, std::span<double> y) {
  constexpr int kMaxIterations = 30;
  if (linear_) std::ranges::fill(y, 0.0);
  Eigen::Map<Eigen::VectorXd> Y(y.data(), n_);
  for (int i = 0; i < kMaxIterations; ++i) {
    evaluate(known, y);
    if (!r_.allFinite() || !scaled_.allFinite()) {
      why_ = "the equations have no value";
      return false;
    }
    const auto scaled_step = math::solve_if_regular(
        scaled_, Eigen::VectorXd(row_scale_.asDiagonal() * r_), kRankTolerance);
    if (!scaled_step) {
      why_ = diagnose(known, y);
      return false;
    }
    const Eigen::VectorXd step = column_scale_.asDiagonal() * *scaled_step;
    Y -= step;
    const double size =
        step.cwiseAbs().cwiseQuotient((Y.cwiseAbs().array() + 1e-6).matrix()).maxCoeff();
    if (linear_ || size < 1e-12) return true;
  }
  why_ = "Newton's method did not converge for the algebraic equations";
  return false;
}

std::string ImplicitAccelerations::describe_null_vector(const Eigen::VectorXd& v) const {
  std::vector<std::string> accelerations, constraints, others;
  const double threshold = 1e-6 * v.cwiseAbs().maxCoeff();
  for (int i = 0; i < n_; ++i) {
    if (std::abs(v[i]) <= threshold) continue;
    const int k = i - n_accelerations_;
    if (k < 0) {
      accelerations.push_back(unknown_names_[i]);
    } else if (k < n_multipliers_) {
      constraints.push_back('"' + constraint_names_[k] + '"');
    } else {
      others.push_back(unknown_names_[i]);
    }
  }
  if (!accelerations.empty()) {
    return concat("singular mass matrix: no inertia and no constraint determines ",
                  list_names(accelerations));
  }
  if (!constraints.empty()) {
    return concat(constraints.size() == 1 ? "constraint " : "constraints ", list_names(constraints),
                  constraints.size() == 1 ? " demands nothing" : " are redundant");
  }
  return concat("the extra equations do not determine ", list_names(others));
}

std::string ImplicitAccelerations::diagnose(std::span<const double> known,
                                            std::span<const double> y) {
  evaluate(known, y);
  if (math::calc_rank(scaled_, kRankTolerance) == n_) return "";
  // All null vectors together: the space has no preferred basis.
  const Eigen::MatrixXd kernel =
      column_scale_.asDiagonal() * math::find_null_space(scaled_, kRankTolerance);
  return describe_null_vector(kernel.cwiseAbs().rowwise().maxCoeff());
}

const Eigen::MatrixXd& ImplicitAccelerations::jacobian(std::span<const double> known,
                                                       std::span<const double> y) {
  evaluate(known, y);
  return J_;
}

bool ImplicitAccelerations::solve_sensitivity(std::span<const double> known,
                                              std::span<const double> y, Eigen::MatrixXd* dy_dx) {
  if (!sensitivity_) {
    sensitivity_.emplace(sensitivity_program_);
    state_columns_.resize(sensitivity_->output_size());
  }
  evaluate(known, y);
  if (!scaled_.allFinite()) return false;
  sensitivity_->run(arguments_, state_columns_);
  const Eigen::Map<const Eigen::MatrixXd> dr_dx(state_columns_.data(), n_, n_state_);
  const auto scaled = math::solve_if_regular(
      scaled_, Eigen::MatrixXd(-(row_scale_.asDiagonal() * dr_dx)), kRankTolerance);
  if (!scaled) return false;
  *dy_dx = column_scale_.asDiagonal() * *scaled;
  return true;
}

}  // namespace camber::lagrange
