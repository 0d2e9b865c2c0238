// Minimum (local) fill, the second of the two greedy rules of [Tinney, Walker 1967, Proc. IEEE 55,
// schemes 2 and 3]. Against minimum degree, which is cheaper to run on very large matrices: a
// chordal pattern always has an unknown whose elimination adds nothing, this rule chooses it, and
// the rest is chordal again [Rose 1970], so it finds every ordering without fill that exists. The
// mass matrix of a tree of bodies is chordal: a body is coupled with its ancestors and its
// descendants.
//
// Structural dependence is Hall's theorem: rows have a matching to columns of their own unless some
// k of them touch fewer than k columns. Augmenting paths [Kuhn 1955]; when none starts at a row,
// the rows reached in the search are such a set.
#include "camber/symbolic/ordering.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "camber/core/require.h"

namespace camber::symbolic {

SymmetricPattern::SymmetricPattern(int size)
    : size_(size), words_((static_cast<std::size_t>(std::max(size, 0)) + 63) / 64) {
  require(size >= 0, "SymmetricPattern: size must be >= 0, got ", size);
  bits_.resize(static_cast<std::size_t>(size) * words_);
}

std::span<const std::uint64_t> SymmetricPattern::row(int i) const {
  return std::span(bits_).subspan(static_cast<std::size_t>(i) * words_, words_);
}

std::span<std::uint64_t> SymmetricPattern::row(int i) {
  return std::span(bits_).subspan(static_cast<std::size_t>(i) * words_, words_);
}

void SymmetricPattern::add(int i, int j) {
  require(0 <= i && i < size_ && 0 <= j && j < size_, "SymmetricPattern::add: entry (", i, ", ", j,
          ") of a pattern of size ", size_);
  row(i)[word(j)] |= std::uint64_t{1} << bit(j);
  row(j)[word(i)] |= std::uint64_t{1} << bit(i);
}

std::vector<int> SymmetricPattern::neighbors(int i) const {
  std::vector<int> columns;
  const auto bits = row(i);
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
      const int j = static_cast<int>(64 * w) + std::countr_zero(rest);
      if (j != i) {
        columns.push_back(j);
      }
    }
  }
  return columns;
}

int SymmetricPattern::degree(int i) const {
  int entries = 0;
  for (const std::uint64_t bits : row(i)) {
    entries += std::popcount(bits);
  }
  return entries - (has(i, i) ? 1 : 0);
}

void SymmetricPattern::eliminate(int k) {
  const std::vector<int> around = neighbors(k);
  for (const int i : around) {
    for (const int j : around) {
      row(i)[word(j)] |= std::uint64_t{1}
                         << bit(j);  // i == j: the pivot's square lands on the diagonal
    }
    row(i)[word(k)] &= ~(std::uint64_t{1} << bit(k));
  }
  std::ranges::fill(row(k), 0);
}

int SymmetricPattern::fill_of(int k) const {
  int missing = 0;
  const auto of_k = row(k);
  for (const int i : neighbors(k)) {
    const auto of_i = row(i);
    for (std::size_t w = 0; w < words_; ++w) {
      missing += std::popcount(of_k[w] & ~of_i[w]);
    }
    missing -= has(i, i) ? 0 : 1;  // (i, i) is not a pair
  }
  return missing / 2;
}

namespace {

/// The rule's bookkeeping: which unknowns remain, which may be eliminated now, and how much fill
/// each would add.
class Elimination {
 public:
  Elimination(SymmetricPattern pattern, const std::vector<std::vector<int>>& after)
      : left_(std::move(pattern)),
        fill_(static_cast<std::size_t>(left_.size())),
        waits_for_(fill_.size()),
        followers_(fill_.size()),
        gone_(fill_.size()) {
    for (int i = 0; i < left_.size(); ++i) {
      fill_[i] = left_.fill_of(i);
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
      waits_for_[i] = static_cast<int>(after[i].size());
      for (const int before : after[i]) {
        require(0 <= before && before < left_.size(), "minimum_fill_order: ", i,
                " must come after ", before, ", which is not one of ", left_.size(), " unknowns");
        followers_[before].push_back(static_cast<int>(i));
      }
    }
  }

  int pick() const {
    int best = -1;
    std::tuple<int, int> best_cost;
    for (int i = 0; i < left_.size(); ++i) {
      if (gone_[i] || waits_for_[i] > 0) {
        continue;
      }
      const std::tuple cost(fill_[i], left_.degree(i));
      if (best < 0 || cost < best_cost) {
        best = i;
        best_cost = cost;
      }
    }
    require(best >= 0, "minimum_fill_order: unknowns wait for each other in a circle");
    return best;
  }

  void eliminate(int k) {
    const std::vector<int> around = left_.neighbors(k);
    left_.eliminate(k);
    gone_[k] = true;
    for (const int i : followers_[k]) {
      --waits_for_[i];
    }
    // New pairs are between neighbors of k: only these and their neighbors are counted again.
    std::vector<bool> changed(fill_.size());
    for (const int i : around) {
      changed[i] = true;
      for (const int j : left_.neighbors(i)) {
        changed[j] = true;
      }
    }
    for (int i = 0; i < left_.size(); ++i) {
      if (changed[i]) {
        fill_[i] = left_.fill_of(i);
      }
    }
  }

 private:
  SymmetricPattern left_;
  std::vector<int> fill_;
  std::vector<int> waits_for_;
  std::vector<std::vector<int>> followers_;
  std::vector<bool> gone_;
};

}  // namespace

std::vector<int> minimum_fill_order(SymmetricPattern pattern,
                                    const std::vector<std::vector<int>>& after) {
  const int size = pattern.size();
  require(after.empty() || after.size() == static_cast<std::size_t>(size),
          "minimum_fill_order: `after` has ", after.size(), " lists for ", size, " unknowns");
  Elimination elimination(std::move(pattern), after);
  std::vector<int> order;
  for (int step = 0; step < size; ++step) {
    order.push_back(elimination.pick());
    elimination.eliminate(order.back());
  }
  return order;
}

FactorizationCost count_factorization(SymmetricPattern pattern, std::span<const int> order) {
  require(order.size() == static_cast<std::size_t>(pattern.size()),
          "count_factorization: order has ", order.size(), " unknowns, the pattern ",
          pattern.size());
  FactorizationCost cost;
  for (const int k : order) {
    const std::vector<int> below = pattern.neighbors(k);
    const auto n = static_cast<std::int64_t>(below.size());
    const int new_pairs = pattern.fill_of(k);
    const auto new_diagonals =
        std::ranges::count_if(below, [&](int i) { return !pattern.has(i, i); });
    cost.entries += static_cast<int>(n);
    cost.fill += new_pairs;
    // l = u / d for each entry; l u for each pair of them and each square, subtracted from what is
    // there.
    cost.divisions += n > 0 ? 1 : 0;
    cost.multiplications += n + n * (n + 1) / 2;
    cost.additions += n * (n + 1) / 2 - new_pairs - new_diagonals;
    pattern.eliminate(k);
  }
  return cost;
}

FactorizationCost count_dense_factorization(int size) {
  require(size >= 0, "count_dense_factorization: size must be >= 0, got ", size);
  FactorizationCost cost;
  for (std::int64_t n = size - 1; n > 0; --n) {
    cost.entries += static_cast<int>(n);
    cost.divisions += 1;
    cost.multiplications += n + n * (n + 1) / 2;
    cost.additions += n * (n + 1) / 2;
  }
  return cost;
}

namespace {

/// A maximum matching of rows to columns, grown one row at a time.
class Matching {
 public:
  Matching(const std::vector<std::vector<int>>& rows, int columns)
      : rows_(rows), row_of_(static_cast<std::size_t>(columns), -1) {}

  /// Finds a column for `row`, moving others where needed. If it fails, reached() is a dependent
  /// set.
  bool place(int row) {
    reached_.assign(rows_.size(), false);
    return augment(row);
  }
  std::vector<int> reached() const {
    std::vector<int> rows;
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      if (reached_[i]) {
        rows.push_back(static_cast<int>(i));
      }
    }
    return rows;
  }

 private:
  // Recursion is as deep as there are rows at most: each is reached once.
  bool augment(int row) {
    reached_[row] = true;
    for (const int column : rows_[row]) {
      const int owner = row_of_[column];
      if (owner < 0 || (!reached_[owner] && augment(owner))) {
        row_of_[column] = row;
        return true;
      }
    }
    return false;
  }

  const std::vector<std::vector<int>>& rows_;
  std::vector<int> row_of_;
  std::vector<bool> reached_;
};

}  // namespace

std::vector<int> find_structurally_dependent_rows(const std::vector<std::vector<int>>& rows,
                                                  int columns) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const int column : rows[i]) {
      require(0 <= column && column < columns, "find_structurally_dependent_rows: row ", i,
              " names column ", column, " of ", columns);
    }
  }
  Matching matching(rows, columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!matching.place(static_cast<int>(i))) {
      return matching.reached();
    }
  }
  return {};
}

}  // namespace camber::symbolic
