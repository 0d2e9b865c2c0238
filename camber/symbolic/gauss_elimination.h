#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/probe.h"

namespace camber::symbolic::internal {

/// An entry of a system of equations that knows its values at the probe points, and the largest
/// they ever were.
struct Cell {
  Expr expr;
  Probed value{};
  Probed peak{};

  Cell() = default;
  Cell(const Expr& e, const Probed& at);
  bool is_zero() const { return expr.is_zero() || internal::is_zero(value); }
};

/// Linear equations sum of cells * unknown = rhs in the middle of their elimination. Rows and
/// columns are not moved; pivots and values are stored beside them.
class GaussElimination {
 public:
  struct Row {
    std::map<int, Cell> cells;  // by column, none zero
    Cell rhs;
  };

  GaussElimination(std::vector<Row> rows, int columns);

  /// Eliminates to the end: afterwards each row has determined an unknown or has no cells left.
  void run();

  /// Unknowns that the equations leave free.
  std::vector<int> free_columns() const;
  /// Rows without cells, with the given rows that they are a combination of.
  struct Dependency {
    std::vector<int> rows;
    Expr rhs;
  };
  std::vector<Dependency> dependencies() const;
  /// The value of every unknown; free ones stand for themselves, as in `unknowns`.
  std::vector<Expr> back_substitute(std::span<const Expr> unknowns);
  /// All divisors except numbers.
  const std::vector<Expr>& pivots() const { return pivots_; }

 private:
  struct Position {
    int row = 0;
    int col = 0;
  };
  struct Block {
    std::vector<int> rows;
    std::vector<int> cols;
  };

  std::map<int, std::vector<int>> active_rows_by_column() const;
  std::optional<Position> find_pivot(bool safe_only) const;
  bool is_small(Position at, const std::vector<int>& rows) const;
  void eliminate(Position pivot);
  void subtract(const Cell& factor, int from, int done, int to);
  void add_pivot(const Expr& pivot);

  Block block_of(int start) const;
  bool solve_small_block(const Block& block);
  Cell minor(std::span<const int> rows, std::span<const int> cols) const;

  std::vector<Row> rows_;
  std::vector<std::vector<double>>
      combinations_;                         // each row from the given ones, at the first point
  std::set<int> active_;                     // rows without a pivot so far
  std::vector<Position> steps_;              // pivots in the order of elimination
  std::vector<std::optional<Expr>> values_;  // of unknowns that are solved for already
  std::vector<char> has_pivot_;              // by column
  std::vector<Expr> pivots_;
};

}  // namespace camber::symbolic::internal
