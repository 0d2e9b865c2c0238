#pragma once

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "camber/math/types.h"

namespace camber::multibody {

/// Accelerations of M v' = Q + Q_c under A v' = b by the weighted generalized inverse
/// [Udwadia, Kalaba 1992; Ikoki 2021 eq. 2-13]:
///   v' = a + A_M^+ (b - A a),   a = M^-1 Q,   A_M^+ = M^-1/2 (A M^-1/2)^+.
/// Rows may follow from each other or contradict each other: the first do no harm, of the second
/// the squares of what cannot be met are least. Nothing is to be tuned: a combination of rows whose
/// part in A M^-1/2 is below 1e-12 of the largest one counts as none, which is far above rounding
/// and far below what a mechanism keeps away from a dead point for a whole step.
class UdwadiaKalaba {
 public:
  /// False where M is not positive definite.
  bool factor(const MatrixX<double>& M, const MatrixX<double>& A);

  int rank() const { return static_cast<int>(inverse_.rank()); }

  /// v' for the forces Q and right sides b.
  VectorX<double> solve(const VectorX<double>& Q, const VectorX<double>& b);
  /// The multipliers of smallest norm that give Q_c = A^T lambda in the last solve().
  const VectorX<double>& multipliers() const { return multipliers_; }

  /// A_M^+ x: from right sides to speeds, shortest in the norm of M.
  MatrixX<double> apply_inverse(const MatrixX<double>& x) const;

  // With M = L L^T and B = A L^-T all of this is plain geometry: relaxed_rows.h works there.
  /// L^-1 f of forces f.
  MatrixX<double> to_plain(const MatrixX<double>& forces) const;
  /// L^-T y of plain accelerations y.
  MatrixX<double> from_plain(const MatrixX<double>& y) const;
  /// B^+ x, and (B^T)^+ y.
  MatrixX<double> plain_inverse(const MatrixX<double>& x) const;
  MatrixX<double> plain_transposed_inverse(const MatrixX<double>& y) const;
  const MatrixX<double>& B() const { return B_; }

 private:
  Eigen::LLT<MatrixX<double>> mass_;
  MatrixX<double> B_;
  Eigen::CompleteOrthogonalDecomposition<MatrixX<double>> inverse_;
  VectorX<double> multipliers_;
};

/// The weighted Moore-Penrose inverse of A (eq. 13), N and M positive definite: least squares in
/// the norm of N, shortest in that of M.
MatrixX<double> weighted_inverse(const MatrixX<double>& A, const MatrixX<double>& N,
                                 const MatrixX<double>& M);

/// Eq. 18, the paper's relaxed inverse, N positive semi-definite:
///   X = M^-1/2 ((N^1/2)^+ A M^-1/2)^+ N^1/2.
/// For rows of full rank and N positive definite it is A_M^+ N. docs/theory/rolling-wheel.md,
/// section 1, says which of its properties hold.
MatrixX<double> relaxed_inverse(const MatrixX<double>& A, const MatrixX<double>& N,
                                const MatrixX<double>& M);

/// Whether a symmetric matrix is, up to rounding.
bool is_positive_semidefinite(const MatrixX<double>& N);

}  // namespace camber::multibody
