#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace camber::symbolic {

/// Where a symmetric matrix has entries, diagonal included. A bit per entry: the systems that are
/// worth straight-line code have hundreds of rows, not hundreds of thousands.
class SymmetricPattern {
 public:
  explicit SymmetricPattern(int size);

  int size() const { return size_; }
  bool has(int i, int j) const { return (row(i)[word(j)] >> bit(j) & 1) != 0; }
  /// Sets (i, j) and (j, i).
  void add(int i, int j);
  /// The columns of row i, diagonal left out, ascending.
  std::vector<int> neighbors(int i) const;
  int degree(int i) const;  // how many these are

  /// Gaussian elimination of unknown k: its neighbors become neighbors of each other, and k is
  /// gone.
  void eliminate(int k);
  /// How many pairs eliminate(k) would add.
  int fill_of(int k) const;

 private:
  static std::size_t word(int j) { return static_cast<std::size_t>(j) / 64; }
  static int bit(int j) { return j % 64; }
  std::span<const std::uint64_t> row(int i) const;
  std::span<std::uint64_t> row(int i);

  int size_;
  std::size_t words_;  // per row
  std::vector<std::uint64_t> bits_;
};

/// An elimination order that keeps fill small: it always chooses the unknown whose elimination adds
/// the fewest entries, among these the one with the fewest neighbors, then the first. `after[i]`,
/// where given, lists unknowns that must be eliminated before i. order[k] is the k-th unknown to be
/// eliminated. There is no fill where that is possible, as for the mass matrix of any tree of
/// bodies.
std::vector<int> minimum_fill_order(SymmetricPattern pattern,
                                    const std::vector<std::vector<int>>& after = {});

/// Operation counts of an LDL^T factorization that leaves out all operations on zeros.
struct FactorizationCost {
  int entries = 0;  // of L, below its diagonal
  int fill = 0;     // of these, where the matrix itself has none
  std::int64_t additions = 0;
  std::int64_t multiplications = 0;
  std::int64_t divisions = 0;  // one reciprocal per pivot that has something below it

  friend bool operator==(const FactorizationCost&, const FactorizationCost&) = default;
};
FactorizationCost count_factorization(SymmetricPattern pattern, std::span<const int> order);
/// The counts for a matrix of this size without zeros.
FactorizationCost count_dense_factorization(int size);

/// Rows that cannot be linearly independent whatever their values, because together they touch
/// fewer columns than there are rows. `rows[i]` lists the columns of row i. Empty if there are
/// none.
std::vector<int> find_structurally_dependent_rows(const std::vector<std::vector<int>>& rows,
                                                  int columns);

}  // namespace camber::symbolic
