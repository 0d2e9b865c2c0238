#pragma once

#include <limits>

#include <Eigen/Cholesky>

#include "camber/math/dense.h"
#include "camber/math/types.h"

namespace camber::multibody {

/// Matrices for the rows of one constraint, without allocation: a joint has at most six.
using BlockMatrix = math::UpTo6Matrix;
using BlockVector = math::UpTo6Vector;

/// The Moore-Penrose inverse of a matrix whose rows may follow from each other. There is nothing to
/// tune: a combination of rows below 1e-12 of the largest one counts as zero, which is far above
/// rounding and far below the distance of a mechanism from a dead point during a whole step. Rows
/// that are dependent only if loops are closed are no longer dependent within a step: then the
/// caller gives the known rank as the maximum. Allocates only if the size of the matrix changes.
class GeneralizedInverse {
 public:
  using In = Eigen::Ref<const MatrixX<double>>;
  using Out = Eigen::Ref<MatrixX<double>>;

  void factor(const In& B, int largest_rank = std::numeric_limits<int>::max());
  int rank() const { return rank_; }

  /// y = B^+ x, column by column: x has B's rows, y its columns.
  void apply(const In& x, Out y);
  /// x = (B^T)^+ y.
  void apply_transposed(const In& y, Out x);

 private:
  // B = Z T Q^T: Z and Q with orthonormal columns, T upper triangular, rank x rank.
  MatrixX<double> Z_, T_, Q_;
  MatrixX<double> columns_, R_, left_;  // while it is being made
  VectorX<double> part_;
  int rank_ = 0;
};

/// Accelerations of M v' = Q + Q_c under A v' = b by the weighted generalized inverse
/// [Udwadia, Kalaba 1992; Ikoki 2021 eq. 2-13]:
///   v' = a + A_M^+ (b - A a),   a = M^-1 Q,   A_M^+ = M^-1/2 (A M^-1/2)^+.
/// Rows may follow from each other or contradict each other: dependent rows are harmless; for
/// contradictory rows the sum of squared residuals is minimal. Allocates only if sizes change.
class UdwadiaKalaba {
 public:
  using In = GeneralizedInverse::In;
  using Out = GeneralizedInverse::Out;

  /// Returns false if M is not positive definite.
  bool factor(const In& M, const In& A, int largest_rank = std::numeric_limits<int>::max());

  int rank() const { return inverse_.rank(); }

  /// v' for the forces Q and right sides b; valid until the next call.
  const VectorX<double>& solve(const In& Q, const In& b);
  /// The multipliers of smallest norm that give Q_c = A^T lambda in the last solve().
  const VectorX<double>& multipliers() const { return multipliers_; }

  /// A_M^+ x: from right sides to speeds, shortest in the norm of M.
  void apply_inverse(const In& x, Out v);

  /// For each column f of `forces`: the accelerations that it causes under A v' = 0 and, in
  /// `multipliers`, the multipliers.
  void respond(const In& forces, MatrixX<double>* accelerations, MatrixX<double>* multipliers);

 private:
  // With M = L L^T, y = L^T v' and B = A L^-T, this is an ordinary least squares problem.
  Eigen::LLT<MatrixX<double>> mass_;
  MatrixX<double> B_;
  GeneralizedInverse inverse_;
  VectorX<double> y_, correction_, lack_, multipliers_;
  MatrixX<double> rows_, moved_;
};

/// The weighted Moore-Penrose inverse of A (eq. 13), N and M positive definite: least squares in
/// the norm of N, shortest in that of M.
MatrixX<double> weighted_inverse(const MatrixX<double>& A, const MatrixX<double>& N,
                                 const MatrixX<double>& M);

/// Eq. 18, the paper's relaxed inverse, N positive semi-definite:
///   X = M^-1/2 ((N^1/2)^+ A M^-1/2)^+ N^1/2.
/// For rows of full rank and N positive definite it is A_M^+ N. docs/theory/rolling-wheel.md,
/// section 1, lists which of its properties hold.
MatrixX<double> relaxed_inverse(const MatrixX<double>& A, const MatrixX<double>& N,
                                const MatrixX<double>& M);

/// Whether a symmetric matrix is positive semi-definite, up to rounding.
bool is_positive_semidefinite(const BlockMatrix& N);

}  // namespace camber::multibody
