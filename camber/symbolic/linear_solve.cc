#include "camber/symbolic/linear_solve.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "camber/core/require.h"
#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/gauss_elimination.h"
#include "camber/symbolic/probe.h"

namespace camber::symbolic {
namespace {

using internal::Cell;
using internal::GaussElimination;
using internal::Probed;

/// Rows ready to be eliminated: entries that vanish identically are left out.
std::vector<GaussElimination::Row> make_rows(std::span<const Entry> entries,
                                             std::span<const Expr> rhs) {
  std::vector<Expr> all;
  for (const Entry& entry : entries) {
    all.push_back(entry.value);
  }
  all.insert(all.end(), rhs.begin(), rhs.end());
  const std::optional<std::vector<Probed>> probed = internal::probe(all);
  if (!probed) {
    throw std::domain_error(
        "solve_linear: found no values of the symbols at which all coefficients are defined");
  }

  std::vector<GaussElimination::Row> rows(rhs.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Cell cell(entries[k].value, (*probed)[k]);
    if (!cell.is_zero()) {
      rows[entries[k].row].cells.emplace(entries[k].col, cell);
    }
  }
  for (std::size_t i = 0; i < rhs.size(); ++i) {
    rows[i].rhs = Cell(rhs[i], (*probed)[entries.size() + i]);
  }
  return rows;
}

/// "rows 1, 2 and 4".
std::string list_rows(std::span<const int> rows) {
  std::string text = rows.size() == 1 ? "row " : "rows ";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += i == 0 ? "" : i + 1 == rows.size() ? " and " : ", ";
    text += std::to_string(rows[i] + 1);
  }
  return text;
}

[[noreturn]] void throw_singular(const GaussElimination::Dependency& dependency) {
  const auto& rows = dependency.rows;
  throw SingularSystemError(
      concat("solve_linear: the matrix is singular: ", list_rows(rows),
             rows.size() == 1 ? " is zero" : " are linearly dependent",
             dependency.rhs.is_zero() ? "" : ", and so the right-hand sides contradict each other"),
      rows);
}

}  // namespace

LinearSolution solve_linear(std::span<const Expr> equations, std::span<const Expr> unknowns) {
  for (const Expr& x : unknowns) {
    require(x.is_leaf(), "solve_linear: unknown ", x, " is neither a symbol nor a variable");
    require(std::ranges::count(unknowns, x) == 1, "solve_linear: unknown ", x, " is given twice");
  }
  LinearForm form = linear_coefficients(equations, unknowns);
  for (Expr& rest : form.b) {
    rest = -rest;  // to the right-hand side
  }
  GaussElimination elimination(make_rows(form.A, form.b), static_cast<int>(unknowns.size()));
  elimination.run();
  LinearSolution solution;
  solution.pivots = elimination.pivots();
  for (const auto& [rows, residual] : elimination.dependencies()) {
    (residual.is_zero() ? solution.redundant : solution.contradictions).push_back({rows, residual});
  }
  if (!solution.contradictions.empty()) {
    solution.outcome = LinearSolution::Outcome::kInconsistent;
    return solution;
  }
  solution.free_unknowns = elimination.free_columns();
  if (!solution.free_unknowns.empty()) {
    solution.outcome = LinearSolution::Outcome::kUnderdetermined;
  }
  solution.values = elimination.back_substitute(unknowns);
  return solution;
}

VectorX solve_linear(const MatrixX& A, const VectorX& b, std::vector<Expr>* pivots) {
  require(A.rows() == A.cols(), "solve_linear: A is ", A.rows(), " x ", A.cols(), ", not square");
  require(b.size() == A.rows(), "solve_linear: b has ", b.size(), " entries, A ", A.rows(),
          " rows");
  const int n = static_cast<int>(A.rows());
  std::vector<Entry> entries;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (!A(i, j).is_zero()) {
        entries.push_back({i, j, A(i, j)});
      }
    }
  }
  GaussElimination elimination(make_rows(entries, std::span(b.data(), b.data() + n)), n);
  elimination.run();
  const auto dependencies = elimination.dependencies();
  if (!dependencies.empty()) {
    throw_singular(dependencies.front());
  }
  if (pivots != nullptr) {
    *pivots = elimination.pivots();
  }
  const std::vector<Expr> x = elimination.back_substitute(std::vector<Expr>(n));
  return Eigen::Map<const VectorX>(x.data(), n);
}

}  // namespace camber::symbolic
