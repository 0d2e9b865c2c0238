// Sparse Gaussian elimination by the rule of [Markowitz 1957]: the pivot with the smallest (r -
// 1)(c - 1), its row and column having r and c entries. Changed for straight-line code, which
// cannot exchange rows at run time.
//
// An entry that vanishes identically, though it is not written as 0, must not become a pivot: each
// entry carries its values at the probe points through the elimination and is dropped when all of
// them vanish.
//
// Pivots that cannot vanish while the matrix is regular come first: numbers, and entries alone in
// their row or column, which are factors of the determinant.
//
// The rest falls into blocks that share no unknown. A block of up to three rows is solved by
// Cramer's rule, which divides by its determinant alone: a rotation by q is inverted for every q,
// where elimination would divide by cos(q). Only larger blocks get pivots that may vanish
// elsewhere.

#include "camber/symbolic/gauss_elimination.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include "camber/symbolic/factor.h"

namespace camber::symbolic::internal {
namespace {

constexpr std::size_t kLargestCramerBlock = 3;
// Beside an entry a thousand times its size, a pivot costs three digits.
constexpr double kSmallPivot = 1e-3;

template <class F>
Probed at_each_point(const Probed& a, const Probed& b, const F& f) {
  Probed result;
  for (std::size_t p = 0; p < kProbePoints; ++p) {
    result[p] = f(a[p], b[p]);
  }
  return result;
}

Cell operator*(const Cell& a, const Cell& b) {
  return {a.expr * b.expr,
          at_each_point(a.value, b.value, [](double x, double y) { return x * y; })};
}

Cell operator/(const Cell& a, const Cell& b) {
  return {a.expr / b.expr,
          at_each_point(a.value, b.value, [](double x, double y) { return x / y; })};
}

/// *a -= b; a difference that is small compared with its operands is rounding and becomes 0.
void subtract_from(Cell* a, const Cell& b) {
  a->expr -= b.expr;
  for (std::size_t p = 0; p < kProbePoints; ++p) {
    a->value[p] -= b.value[p];
    a->peak[p] = std::max(a->peak[p], b.peak[p]);
    if (std::abs(a->value[p]) <= kCancelled * a->peak[p]) {
      a->value[p] = 0;
    }
  }
}

Cell negative(const Cell& a) {
  Cell result;
  subtract_from(&result, a);
  return result;
}

std::vector<int> without(std::span<const int> all, std::size_t place) {
  std::vector<int> rest(all.begin(), all.end());
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(place));
  return rest;
}

}  // namespace

Cell::Cell(const Expr& e, const Probed& at) : expr(e), value(at) {
  std::ranges::transform(at, peak.begin(), [](double x) { return std::abs(x); });
}

GaussElimination::GaussElimination(std::vector<Row> rows, int columns)
    : rows_(std::move(rows)),
      combinations_(rows_.size(), std::vector<double>(rows_.size())),
      values_(static_cast<std::size_t>(columns)),
      has_pivot_(values_.size()) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    active_.insert(static_cast<int>(i));
    combinations_[i][i] = 1;
  }
}

void GaussElimination::run() {
  while (const std::optional<Position> safe = find_pivot(/*safe_only=*/true)) {
    eliminate(*safe);
  }
  while (const std::optional<Position> pivot = find_pivot(/*safe_only=*/false)) {
    if (!solve_small_block(block_of(pivot->row))) {
      eliminate(*pivot);
    }
  }
}

std::map<int, std::vector<int>> GaussElimination::active_rows_by_column() const {
  std::map<int, std::vector<int>> rows;
  for (const int i : active_) {
    for (const auto& [c, cell] : rows_[i].cells) {
      rows[c].push_back(i);
    }
  }
  return rows;
}

std::optional<GaussElimination::Position> GaussElimination::find_pivot(bool safe_only) const {
  std::optional<Position> best;
  std::tuple<bool, std::int64_t, std::size_t> best_cost;
  for (const auto& [col, rows] : active_rows_by_column()) {
    for (const int i : rows) {
      const auto& cells = rows_[i].cells;
      const Expr& entry = cells.at(col).expr;
      const bool alone = cells.size() == 1 || rows.size() == 1;
      if (safe_only && !entry.is_number() && !alone) {
        continue;
      }
      const auto fill = static_cast<std::int64_t>((cells.size() - 1) * (rows.size() - 1));
      // Among equals, a number is preferred, then the entry with the fewest leaves.
      const std::size_t intricacy = entry.is_number() ? 0 : 1 + entry.leaves().size();
      const std::tuple cost(!alone && is_small({i, col}, rows), fill, intricacy);
      if (!best || cost < best_cost) {
        best = {i, col};
        best_cost = cost;
      }
    }
  }
  return best;
}

bool GaussElimination::is_small(Position at, const std::vector<int>& rows) const {
  const Probed& own = rows_[at.row].cells.at(at.col).value;
  for (std::size_t p = 0; p < kProbePoints; ++p) {
    for (const int i : rows) {
      if (std::abs(own[p]) < kSmallPivot * std::abs(rows_[i].cells.at(at.col).value[p])) {
        return true;
      }
    }
  }
  return false;
}

void GaussElimination::add_pivot(const Expr& pivot) {
  if (!pivot.is_number()) {
    pivots_.push_back(pivot);
  }
}

void GaussElimination::eliminate(Position pivot) {
  active_.erase(pivot.row);
  steps_.push_back(pivot);
  has_pivot_[pivot.col] = true;
  const Cell divisor = rows_[pivot.row].cells.at(pivot.col);
  add_pivot(divisor.expr);
  for (const int i : active_) {
    const auto entry = rows_[i].cells.find(pivot.col);
    if (entry != rows_[i].cells.end()) {
      const Cell factor = entry->second / divisor;
      rows_[i].cells.erase(entry);
      subtract(factor, pivot.row, pivot.col, i);
    }
  }
}

/// Row `to` -= factor * row `from`, except for the eliminated column.
void GaussElimination::subtract(const Cell& factor, int from, int done, int to) {
  Row& row = rows_[to];
  for (const auto& [c, cell] : rows_[from].cells) {
    if (c == done) {
      continue;
    }
    Cell& target = row.cells[c];
    subtract_from(&target, factor * cell);
    if (target.is_zero()) {
      row.cells.erase(c);
    }
  }
  if (!rows_[from].rhs.is_zero()) {
    subtract_from(&row.rhs, factor * rows_[from].rhs);
  }
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    combinations_[to][j] -= factor.value[0] * combinations_[from][j];
  }
}

/// Everything that is connected with this row through unknowns.
GaussElimination::Block GaussElimination::block_of(int start) const {
  const auto rows_by_column = active_rows_by_column();
  std::set<int> rows = {start}, cols;
  std::vector<int> to_do = {start};
  while (!to_do.empty()) {
    const int row = to_do.back();
    to_do.pop_back();
    for (const auto& [c, cell] : rows_[row].cells) {
      cols.insert(c);
      for (const int i : rows_by_column.at(c)) {
        if (rows.insert(i).second) {
          to_do.push_back(i);
        }
      }
    }
  }
  return {{rows.begin(), rows.end()}, {cols.begin(), cols.end()}};
}

/// The determinant of these rows and columns, developed by its first row.
Cell GaussElimination::minor(std::span<const int> rows, std::span<const int> cols) const {
  if (rows.empty()) {
    Probed ones;
    ones.fill(1);
    return {Expr(1), ones};
  }
  Cell result;
  for (std::size_t j = 0; j < cols.size(); ++j) {
    const auto& cells = rows_[rows[0]].cells;
    const auto entry = cells.find(cols[j]);
    if (entry != cells.end()) {
      const Cell product = entry->second * minor(rows.subspan(1), without(cols, j));
      subtract_from(&result, j % 2 == 0 ? negative(product) : product);
    }
  }
  return result;
}

/// By Cramer's rule; false when the block is too large, not square or singular.
bool GaussElimination::solve_small_block(const Block& block) {
  const std::size_t n = block.rows.size();
  if (n != block.cols.size() || n > kLargestCramerBlock) {
    return false;
  }
  const Cell determinant = minor(block.rows, block.cols);
  if (determinant.is_zero()) {
    return false;
  }
  add_pivot(determinant.expr);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Expr> summands;
    for (std::size_t i = 0; i < n; ++i) {
      const Expr cofactor = minor(without(block.rows, i), without(block.cols, j)).expr;
      const Expr& rhs = rows_[block.rows[i]].rhs.expr;
      summands.push_back((i + j) % 2 == 0 ? cofactor * rhs : -cofactor * rhs);
    }
    // Common factors of whole rows and columns go to the numerator and denominator.
    values_[block.cols[j]] = cancel_common(sum(summands) / determinant.expr);
  }
  for (const int i : block.rows) {
    active_.erase(i);
  }
  return true;
}

std::vector<int> GaussElimination::free_columns() const {
  std::vector<int> columns;
  for (std::size_t c = 0; c < values_.size(); ++c) {
    if (!values_[c] && !has_pivot_[c]) {
      columns.push_back(static_cast<int>(c));
    }
  }
  return columns;
}

std::vector<GaussElimination::Dependency> GaussElimination::dependencies() const {
  std::vector<Dependency> found;
  for (const int i : active_) {
    Dependency dependency;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      // Row i itself has weight 1.
      if (std::abs(combinations_[i][j]) > kCancelled) {
        dependency.rows.push_back(static_cast<int>(j));
      }
    }
    dependency.rhs = rows_[i].rhs.is_zero() ? Expr(0) : rows_[i].rhs.expr;
    found.push_back(std::move(dependency));
  }
  return found;
}

std::vector<Expr> GaussElimination::back_substitute(std::span<const Expr> unknowns) {
  std::vector<Expr> x(values_.size());
  for (std::size_t c = 0; c < x.size(); ++c) {
    x[c] = values_[c].value_or(unknowns[c]);
  }
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const Row& row = rows_[step->row];
    std::vector<Expr> summands = {row.rhs.expr};
    for (const auto& [c, cell] : row.cells) {
      if (c != step->col) {
        summands.push_back(-cell.expr * x[c]);
      }
    }
    x[step->col] = sum(summands) / row.cells.at(step->col).expr;
  }
  return x;
}

}  // namespace camber::symbolic::internal
