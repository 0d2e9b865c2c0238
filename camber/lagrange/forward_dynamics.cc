// 003 eq. 37, [M B^T; B 0] [u'; mu] = [F; gamma], by the symbolic factors of
// camber/symbolic/ldlt.h. mu is -lambda, or lambda' where a multiplier is part of the state.
//
// The paper needs M > 0. Motorcycle wheels without mass have no inertia about two of their axes: M
// is singular, the whole is not, as constraints guide these axes. Adding W-weighted rows of the
// second equation to the first,
//   [M + B^T W B, B^T; B, 0] [u'; mu] = [F + B^T W gamma; gamma],  W = diag(w) >= 0           (1)
// changes neither u' nor mu, and M + B^T W B > 0 if v^T M v = 0 and B v = 0 together mean v = 0,
// which is when the whole is regular and B has full rank: pivots then exist in any order that
// ldlt.h takes. Only as many rows get a weight as are needed to guide the directions without
// inertia: each one causes fill.
#include "camber/lagrange/forward_dynamics.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/ldlt.h"
#include "camber/symbolic/linear_solve.h"
#include "camber/symbolic/substitute.h"

namespace camber::lagrange {
namespace {

using symbolic::MatrixX;
using symbolic::VectorX;

constexpr int kSamples = 5;

/// t, x, inputs, parameters: zero state first, then random ones.
std::vector<std::vector<double>> make_samples(const AccelerationEquations& a,
                                              std::span<const double> parameter_values) {
  std::vector<std::vector<double>> samples;
  RandomStream random(2471);
  for (int k = 0; k < kSamples; ++k) {
    std::vector<double> known(1 + a.state().size() + a.inputs.size());
    for (double& value : known) value = k == 0 ? 0.0 : random.uniform(-1.0, 1.0);
    known.insert(known.end(), parameter_values.begin(), parameter_values.end());
    samples.push_back(std::move(known));
  }
  return samples;
}

bool nearly_equal(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A.size() == 0 ||
         (A - B).cwiseAbs().maxCoeff() <= 1e-9 * (1e-300 + A.cwiseAbs().maxCoeff());
}

/// -1 if the unknown is lambda: mu = -lambda.
std::vector<int> multiplier_signs(const AccelerationEquations& a) {
  std::vector<int> signs;
  for (const Expr& y : a.multipliers) signs.push_back(y.order() == 0 ? -1 : 1);
  return signs;
}

/// Directions without inertia, as columns.
Eigen::MatrixXd find_directions_without_inertia(const Eigen::MatrixXd& M) {
  Eigen::VectorXd scale = M.diagonal().cwiseAbs().cwiseSqrt();
  scale = (scale.array() > 0).select(scale.cwiseInverse(), 1.0);
  const auto eigen =
      math::calc_symmetric_eigen(Eigen::MatrixXd(scale.asDiagonal() * M * scale.asDiagonal()));
  const auto count = (eigen.values.array() <= 1e-9).count();  // in increasing order
  return scale.asDiagonal() * eigen.vectors.leftCols(count);
}

int rank(const Eigen::MatrixXd& A) { return math::calc_rank(A, 1e-7); }

struct ExtraSolution {
  std::vector<Expr> values;  // of z' and the algebraic variables
  std::vector<Expr> pivots;
};

/// The extra unknowns, if their equations can be solved before the dynamics.
std::optional<ExtraSolution> solve_extra(const AccelerationEquations& a) {
  for (const Expr& e : a.extra) {
    for (const auto* leaves : {&a.accelerations, &a.multipliers}) {
      for (const Expr& y : *leaves) {
        if (e.depends_on(y)) return std::nullopt;
      }
    }
  }
  std::vector<Expr> unknowns = a.extra_rates;
  unknowns.insert(unknowns.end(), a.algebraic.begin(), a.algebraic.end());
  for (const auto& entry : symbolic::jacobian(a.extra, unknowns)) {
    for (const Expr& y : unknowns) {
      if (entry.value.depends_on(y)) return std::nullopt;
    }
  }
  auto solution = symbolic::solve_linear(a.extra, unknowns);
  if (solution.outcome != symbolic::LinearSolution::Outcome::kUnique) return std::nullopt;
  return ExtraSolution{std::move(solution.values), std::move(solution.pivots)};
}

/// The dynamics with the extra unknowns replaced by their values.
std::vector<Expr> put_in(const ExtraSolution& extra, const AccelerationEquations& a) {
  symbolic::Substitution known;
  for (std::size_t i = 0; i < extra.values.size(); ++i) {
    const std::size_t rates = a.extra_rates.size();
    known[i < rates ? a.extra_rates[i] : a.algebraic[i - rates]] = extra.values[i];
  }
  return symbolic::substitute(a.dynamics, known);
}

/// The matrices of (1), before the weights.
struct Kkt {
  MatrixX M, B;
  VectorX F, gamma;
};

std::optional<Kkt> make_kkt(const AccelerationEquations& a, std::span<const Expr> dynamics) {
  const auto n = static_cast<Eigen::Index>(a.speeds.size());
  const auto m = static_cast<Eigen::Index>(a.multipliers.size());
  std::vector<Expr> unknowns = a.accelerations;
  unknowns.insert(unknowns.end(), a.multipliers.begin(), a.multipliers.end());
  for (const auto& entry : symbolic::jacobian(dynamics, unknowns)) {
    for (const Expr& y : unknowns) {
      if (entry.value.depends_on(y)) return std::nullopt;
    }
  }
  const auto forces = symbolic::linear_coefficients(dynamics, unknowns);
  const auto motion = symbolic::linear_coefficients(a.acceleration_constraints, a.accelerations);
  Kkt kkt{MatrixX::Zero(n, n), MatrixX::Zero(m, n), VectorX(n), VectorX(m)};
  for (const auto& entry : forces.A) {
    if (entry.col < n) kkt.M(entry.row, entry.col) = entry.value;
  }
  for (const auto& entry : motion.A) kkt.B(entry.row, entry.col) = entry.value;
  for (Eigen::Index i = 0; i < n; ++i) kkt.F(i) = -forces.b[i];
  for (Eigen::Index i = 0; i < m; ++i) kkt.gamma(i) = -motion.b[i];
  return kkt;
}

void augment(std::span<const double> weights, Kkt* kkt) {
  for (Eigen::Index i = 0; i < kkt->B.rows(); ++i) {
    if (weights[i] == 0) continue;
    const VectorX b = kkt->B.row(i).transpose();
    kkt->M += Expr(weights[i]) * b * b.transpose();
    kkt->F += Expr(weights[i]) * kkt->gamma(i) * b;
  }
}

std::vector<std::string> elimination_names(const AccelerationEquations& a) {
  std::vector<std::string> names;
  for (const Expr& u : a.speeds) {
    std::string name(u.name());
    for (int k = 0; k < u.order(); ++k) name += "_dot";
    names.push_back(std::move(name));
  }
  for (const std::string& constraint : a.constraint_names) names.push_back("lambda_" + constraint);
  return names;
}

/// y in the order of unknowns().
std::vector<Expr> make_unknowns(const AccelerationEquations& a, const symbolic::Ldlt& ldlt,
                                const Kkt& kkt, const ExtraSolution& extra) {
  VectorX right(kkt.F.size() + kkt.gamma.size());
  right << kkt.F, kkt.gamma;
  const VectorX solution = ldlt.solve(right);
  std::vector<Expr> y(solution.data(), solution.data() + solution.size());
  const auto signs = multiplier_signs(a);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    Expr& multiplier = y[a.speeds.size() + i];
    multiplier = signs[i] * multiplier;
  }
  y.insert(y.end(), extra.values.begin(), extra.values.end());
  return y;
}

/// x' from the rates and y.
std::vector<Expr> make_state_rate(const AccelerationEquations& a, const std::vector<Expr>& y) {
  std::vector<Expr> x_dot = a.rates;
  const auto multipliers = y.begin() + static_cast<std::ptrdiff_t>(a.speeds.size());
  const auto extra = multipliers + static_cast<std::ptrdiff_t>(a.multipliers.size());
  x_dot.insert(x_dot.end(), y.begin(), multipliers);
  x_dot.insert(x_dot.end(), extra, extra + static_cast<std::ptrdiff_t>(a.extra_rates.size()));
  for (std::size_t i = 0; i < a.multipliers.size(); ++i) {
    if (a.multipliers[i].order() > 0) x_dot.push_back(multipliers[static_cast<std::ptrdiff_t>(i)]);
  }
  return x_dot;
}

/// Properties of M and B at the samples of find_augmentation().
struct Survey {
  bool symmetric = true;
  std::vector<Eigen::MatrixXd> guided;  // B times the directions without inertia, one per sample
  double inertia = 0;                   // the largest
  Eigen::MatrixXd B;                    // the largest of each entry
  int regular = 0, singular = 0;        // samples
  std::string reason;                   // what was singular
};

void add_sample(const AccelerationEquations& a, std::span<const double> known,
                ImplicitAccelerations* implicit, Survey* survey) {
  const auto n = static_cast<Eigen::Index>(a.speeds.size());
  const auto m = static_cast<Eigen::Index>(a.multipliers.size());
  const std::vector<double> y(a.unknowns().size(), 0.0);
  const Eigen::MatrixXd J = implicit->jacobian(known, y);
  const Eigen::MatrixXd M = J.topLeftCorner(n, n), B = J.block(n, 0, m, n);
  Eigen::MatrixXd forces = J.block(0, n, n, m);
  const auto signs = multiplier_signs(a);
  for (Eigen::Index i = 0; i < m; ++i) forces.col(i) *= signs[i];
  // Extra equations may have no value at rest: these three samples count.
  if (!M.allFinite() || !B.allFinite() || !forces.allFinite()) return;
  survey->symmetric =
      survey->symmetric && nearly_equal(M, M.transpose()) && nearly_equal(forces, B.transpose());
  if (!survey->symmetric) return;
  survey->guided.push_back(B * find_directions_without_inertia(M));
  survey->inertia = std::max(survey->inertia, M.diagonal().maxCoeff());
  survey->B = survey->B.cwiseMax(B.cwiseAbs());
  if (!J.allFinite()) return;
  const std::string reason = implicit->diagnose(known, y);
  ++(reason.empty() ? survey->regular : survey->singular);
  if (!reason.empty()) survey->reason = reason;
}

/// Rows of B that guide all directions without inertia in all samples, those with few entries
/// first.
std::vector<Eigen::Index> choose_rows(const Survey& survey) {
  std::vector<Eigen::Index> candidates, chosen;
  for (Eigen::Index i = 0; i < survey.B.rows(); ++i) candidates.push_back(i);
  std::ranges::stable_sort(candidates, {},
                           [&](Eigen::Index i) { return (survey.B.row(i).array() > 0).count(); });
  for (const Eigen::Index row : candidates) {
    auto with_row = chosen;
    with_row.push_back(row);
    const bool helps = std::ranges::any_of(survey.guided, [&](const Eigen::MatrixXd& D) {
      return rank(D(with_row, Eigen::all)) > rank(D(chosen, Eigen::all));
    });
    if (helps) chosen = with_row;
  }
  return chosen;
}

}  // namespace

std::optional<std::vector<double>> find_augmentation(const AccelerationEquations& a,
                                                     std::span<const double> parameter_values,
                                                     ImplicitAccelerations* implicit) {
  const auto n = static_cast<Eigen::Index>(a.speeds.size());
  const auto m = static_cast<Eigen::Index>(a.multipliers.size());
  Survey survey;
  survey.B = Eigen::MatrixXd::Zero(m, n);
  for (const auto& known : make_samples(a, parameter_values)) {
    add_sample(a, known, implicit, &survey);
  }
  require(survey.regular > 0 || survey.singular == 0, "model \"", a.name, "\": ", survey.reason);
  if (!survey.symmetric || survey.regular == 0) return std::nullopt;

  std::vector<double> weights(a.multipliers.size(), 0.0);
  for (const Eigen::Index i : choose_rows(survey)) {
    const double size = survey.B.row(i).maxCoeff();
    weights[i] = survey.inertia / (size * size);
  }
  return weights;
}

std::optional<ForwardDynamics> make_forward_dynamics(const AccelerationEquations& a,
                                                     std::span<const double> weights) {
  require(weights.size() == a.multipliers.size(), "make_forward_dynamics: ", weights.size(),
          " weights for ", a.multipliers.size(), " constraints");
  const auto extra = solve_extra(a);
  if (!extra) return std::nullopt;
  auto kkt = make_kkt(a, put_in(*extra, a));
  if (!kkt) return std::nullopt;
  augment(weights, &*kkt);
  auto ldlt = symbolic::factor_kkt(kkt->M, kkt->B, {.names = elimination_names(a)});
  std::vector<Expr> y = make_unknowns(a, ldlt, *kkt, *extra);

  codegen::ProgramBuilder builder = start_program(a, "forward_dynamics");
  builder.set_recipe(concat("accelerations of \"", a.name, "\" by LDL^T"));
  builder.add_output("state_rate", make_state_rate(a, y)).add_output("unknowns", y);
  for (const auto& pivot : ldlt.pivots()) {
    builder.add_guard(pivot.guard, pivot.name, codegen::Guard::kPositive);
  }
  for (std::size_t i = 0; i < extra->pivots.size(); ++i) {
    builder.add_guard(extra->pivots[i], concat("extra_", i + 1), codegen::Guard::kNonzero);
  }
  codegen::Program program = builder.build();
  return ForwardDynamics{std::move(kkt->M),     std::move(kkt->B), std::move(kkt->F),
                         std::move(kkt->gamma), std::move(ldlt),   std::move(y),
                         std::move(program)};
}

}  // namespace camber::lagrange
