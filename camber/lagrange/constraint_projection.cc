// [Hairer, Wanner 1996] section VII.2, projection: q moves by the least squares step of Newton's
// method until f(q) = 0, u by one such step, as B u + b is linear in u.
#include "camber/lagrange/constraint_projection.h"

#include <algorithm>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/symbolic/derivative.h"

namespace camber::lagrange {
namespace {

codegen::Program make_program(const AccelerationEquations& a, const std::vector<Expr>& es,
                              const std::vector<Expr>& xs) {
  codegen::ProgramBuilder builder = start_program(a, "constraints");
  std::vector<Expr> values = es;
  std::vector<Expr> columns(es.size() * xs.size());
  for (const auto& entry : symbolic::jacobian(es, xs)) {
    columns[entry.row + es.size() * entry.col] = entry.value;
  }
  values.insert(values.end(), columns.begin(), columns.end());
  if (!values.empty()) builder.add_output("values", values);
  return builder.build();
}

void split(const std::vector<double>& values, int rows, int cols, Eigen::VectorXd* f,
           Eigen::MatrixXd* J) {
  *f = Eigen::Map<const Eigen::VectorXd>(values.data(), rows);
  *J = Eigen::Map<const Eigen::MatrixXd>(values.data() + rows, rows, cols);
}

}  // namespace

ConstraintProjection::ConstraintProjection(const AccelerationEquations& a)
    : nq_(static_cast<int>(a.coordinates.size())),
      nu_(static_cast<int>(a.speeds.size())),
      n_positions_(static_cast<int>(a.position_constraints.size())),
      n_velocities_(static_cast<int>(a.velocity_constraints.size())),
      positions_(make_program(a, a.position_constraints, a.coordinates)),
      velocities_(make_program(a, a.velocity_constraints, a.speeds)),
      position_values_(positions_.output_size()),
      velocity_values_(velocities_.output_size()) {}

void ConstraintProjection::calc_positions(std::span<const double> known, Eigen::VectorXd* f,
                                          Eigen::MatrixXd* df_dq) {
  positions_.run(known, position_values_);
  split(position_values_, n_positions_, nq_, f, df_dq);
}

void ConstraintProjection::calc_velocities(std::span<const double> known, Eigen::VectorXd* v,
                                           Eigen::MatrixXd* B) {
  velocities_.run(known, velocity_values_);
  split(velocity_values_, n_velocities_, nu_, v, B);
}

bool ConstraintProjection::project(std::span<double> known) {
  constexpr int kMaxIterations = 8;
  constexpr double kRounding = 1e-14;
  Eigen::Map<Eigen::VectorXd> q(known.data() + 1, nq_), u(known.data() + 1 + nq_, nu_);
  bool converged = n_positions_ == 0;
  for (int i = 0; i < kMaxIterations && !converged; ++i) {
    calc_positions(known, &f_, &C_);
    if (!f_.allFinite() || !C_.allFinite()) return false;
    const Eigen::VectorXd step = math::solve_shortest(C_, f_);
    q -= step;
    converged = step.norm() <= kRounding * (1 + q.norm());
  }
  if (!converged) {  // rounding may keep the steps above their bound: f decides
    calc_positions(known, &f_, &C_);
    converged = f_.cwiseAbs().maxCoeff() < 1e-11 * (1 + q.cwiseAbs().maxCoeff());
  }
  if (n_velocities_ > 0 && converged) {
    calc_velocities(known, &v_, &B_);
    if (!v_.allFinite() || !B_.allFinite()) return false;
    u -= math::solve_shortest(B_, v_);
  }
  return converged;
}

double ConstraintProjection::error(std::span<const double> known) {
  double worst = 0;
  if (n_positions_ > 0) {
    calc_positions(known, &f_, &C_);
    worst = f_.cwiseAbs().maxCoeff();
  }
  if (n_velocities_ > 0) {
    calc_velocities(known, &v_, &B_);
    worst = std::max(worst, v_.cwiseAbs().maxCoeff());
  }
  return worst;
}

}  // namespace camber::lagrange
