#pragma once

#include <string>
#include <vector>

#include "camber/symbolic/derivative.h"
#include "camber/symbolic/expr.h"
#include "camber/symbolic/matrix.h"
#include "camber/symbolic/ordering.h"

namespace camber::symbolic {

struct LdltOptions {
  /// Names of the unknowns, in the order of the rows; they appear in the names of pivots (d_NAME)
  /// and entries of L (l_ROW_COLUMN). "1", "2", ... when empty.
  std::vector<std::string> names = {};
  /// Prefix of those names, to distinguish several factorizations in one program.
  std::string prefix = {};
  /// A pivot must be larger than this fraction of the terms whose difference it is; otherwise the
  /// matrix is singular to double precision. See Ldlt::Pivot::guard.
  double tolerance = 1e-12;
};

/// A symmetric matrix A as P^T L D L^T P, written as expressions: the elimination order P keeps L
/// sparse, and no operation is spent on a zero.
///
/// Pivots and entries of L are named quantities, so that generated code is the elimination as
/// written; entries that are numbers or leaves stay unnamed.
class Ldlt {
 public:
  /// One per unknown, in elimination order.
  struct Pivot {
    int unknown = 0;   // row in A
    std::string name;  // "d_NAME"
    Expr value;        // the entry of D
    /// Positive while the factorization is reliable; to be checked at run time.
    Expr guard;
  };

  int size() const { return static_cast<int>(order_.size()); }
  /// order()[k] is the k-th unknown to be eliminated.
  const std::vector<int>& order() const { return order_; }
  /// L below its diagonal of ones, column by column, in elimination order: entry (k, j) couples
  /// order()[k] with order()[j].
  const std::vector<std::vector<Entry>>& L_columns() const { return L_columns_; }
  const std::vector<Pivot>& pivots() const { return pivots_; }
  /// Operation counts, from the pattern: of this matrix and, for comparison, of a dense one of this
  /// size.
  const FactorizationCost& cost() const { return cost_; }
  FactorizationCost dense_cost() const { return count_dense_factorization(size()); }

  /// x with A x = b.
  VectorX solve(const VectorX& b) const;
  /// X with A X = B.
  MatrixX apply_inverse(const MatrixX& B) const;

 private:
  friend class LdltBuilder;
  VectorX solve(const VectorX& b, const std::string& suffix) const;

  std::vector<int> order_;
  std::vector<std::vector<Entry>> L_columns_;
  std::vector<Pivot> pivots_;
  FactorizationCost cost_;
  std::vector<std::string> names_;  // of the unknowns
  std::string prefix_;
};

/// Factors a symmetric positive definite matrix, such as a mass matrix. Throws
/// std::invalid_argument when A is not square or not symmetric, SingularSystemError when it is
/// singular for all values of its symbols.
Ldlt factor_symmetric(const MatrixX& A, const LdltOptions& options = {});

/// Factors [M B^T; B 0], M symmetric positive definite with n rows: the first n unknowns are
/// accelerations, the others multipliers with M qdd + B^T lambda = F. A multiplier is eliminated
/// after all unknowns that its constraint touches, so every pivot is nonzero as long as the
/// constraints are independent. Constraints that are always dependent throw SingularSystemError;
/// those that become dependent for some values fail a guard there.
Ldlt factor_kkt(const MatrixX& M, const MatrixX& B, const LdltOptions& options = {});

}  // namespace camber::symbolic
