#pragma once

#include <string>
#include <vector>

#include "camber/symbolic/derivative.h"
#include "camber/symbolic/expr.h"
#include "camber/symbolic/matrix.h"
#include "camber/symbolic/ordering.h"

namespace camber::symbolic {

struct LdltOptions {
  /// Of the unknowns, in the order of the rows; they appear in the names of pivots (d_NAME) and
  /// entries of L (l_ROW_COLUMN). "1", "2", ... when empty.
  std::vector<std::string> names = {};
  /// Put before those names, to tell several factorizations in one program apart.
  std::string prefix = {};
  /// A pivot must be larger than this part of the terms that it is the difference of; with less,
  /// the matrix is singular as far as double can tell. See Ldlt::Pivot::guard.
  double tolerance = 1e-12;
};

/// A symmetric matrix A as P^T L D L^T P, written as expressions: the elimination order P keeps L
/// sparse, and no operation is spent on a zero.
///
/// Pivots and entries of L are named quantities, so that generated code is the elimination as
/// written; entries that are numbers or leaves stay what they are.
class Ldlt {
 public:
  /// One per unknown, in elimination order.
  struct Pivot {
    int unknown = 0;   // row in A
    std::string name;  // "d_NAME"
    Expr value;        // the entry of D
    /// Positive while the factorization can be trusted: to be checked where the program runs.
    Expr guard;
  };

  int size() const { return static_cast<int>(order_.size()); }
  /// order()[k] is the unknown that is eliminated as the k-th.
  const std::vector<int>& order() const { return order_; }
  /// L below its diagonal of ones, column by column, in elimination order: entry (k, j) couples
  /// order()[k] with order()[j].
  const std::vector<std::vector<Entry>>& L_columns() const { return L_columns_; }
  const std::vector<Pivot>& pivots() const { return pivots_; }
  /// Counted from the pattern. Of this matrix, and of one this size without zeros, to compare with.
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

/// Of a symmetric positive definite matrix, such as a mass matrix. Throws std::invalid_argument
/// when A is not square or not symmetric, SingularSystemError when it is singular for all values of
/// its symbols.
Ldlt factor_symmetric(const MatrixX& A, const LdltOptions& options = {});

/// Of [M B^T; B 0], M symmetric positive definite with n rows: the first n unknowns are
/// accelerations, the others multipliers with M qdd + B^T lambda = F. A multiplier is eliminated
/// after all unknowns that its constraint touches, so every pivot is nonzero as long as constraints
/// are independent. Constraints that never are throw SingularSystemError; those that become
/// dependent at some values fail a guard there.
Ldlt factor_kkt(const MatrixX& M, const MatrixX& B, const LdltOptions& options = {});

}  // namespace camber::symbolic
