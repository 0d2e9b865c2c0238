#pragma once

// Linear algebra of dense matrices: systems of equations, least squares, ranks and eigenvalues.
// These functions call Eigen's decompositions, which are compiled once, in dense*.cc: a
// decomposition takes the compiler several seconds in each file that uses it. Include this header
// instead of <Eigen/QR>, <Eigen/LU> or <Eigen/Eigenvalues>.
//
// `threshold` is relative: a pivot below `threshold` times the largest pivot counts as zero.
// Without it Eigen's default applies, about the size of the matrix times the rounding unit.

#include <complex>
#include <optional>
#include <vector>

#include "camber/math/types.h"

namespace camber::math {

using Threshold = std::optional<double>;

// ---- Systems of equations with a square matrix

/// x of A x = b by LU with partial pivoting. A must be regular: the result is not checked.
VectorX<double> solve_square(const MatrixX<double>& A, const VectorX<double>& b);
VectorX<std::complex<double>> solve_square(const MatrixX<std::complex<double>>& A,
                                           const VectorX<std::complex<double>>& b);
/// x of A^T x = b, the same way.
VectorX<double> solve_transposed(const MatrixX<double>& A, const VectorX<double>& b);
/// x of A^H x = b, the same way.
VectorX<std::complex<double>> solve_adjoint(const MatrixX<std::complex<double>>& A,
                                            const VectorX<std::complex<double>>& b);

/// A solution of A x = b by LU with full pivoting, also where A is singular or not square; if there
/// is no solution, the result solves only the equations of the pivots.
VectorX<double> solve_with_full_pivoting(const MatrixX<double>& A, const VectorX<double>& b);
MatrixX<double> solve_with_full_pivoting(const MatrixX<double>& A, const MatrixX<double>& B);
/// A solution of A^T x = b, the same way.
VectorX<double> solve_transposed_with_full_pivoting(const MatrixX<double>& A,
                                                    const VectorX<double>& b);

/// x of A x = b, or nothing if A is singular.
std::optional<VectorX<double>> solve_if_regular(const MatrixX<double>& A, const VectorX<double>& b,
                                                Threshold threshold = {});
std::optional<MatrixX<double>> solve_if_regular(const MatrixX<double>& A, const MatrixX<double>& B,
                                                Threshold threshold = {});

/// X of A X = B by Cholesky's L L^T; A must be symmetric and positive definite.
MatrixX<double> solve_positive_definite(const MatrixX<double>& A, const MatrixX<double>& B);
/// x of A x = b by L D L^T with pivoting; A must be symmetric and semidefinite.
VectorX<double> solve_symmetric(const MatrixX<double>& A, const VectorX<double>& b);

// ---- Least squares

/// x that minimizes |A x - b|, by QR with column pivoting. Columns beyond the rank get x = 0.
VectorX<double> solve_least_squares(const MatrixX<double>& A, const VectorX<double>& b,
                                    Threshold threshold = {});
Vector3 solve_least_squares(const Matrix3& A, const Vector3& b);
/// The shortest of all x that minimize |A x - b|.
VectorX<double> solve_shortest(const MatrixX<double>& A, const VectorX<double>& b,
                               Threshold threshold = {});
/// The Moore-Penrose inverse.
MatrixX<double> calc_pseudo_inverse(const MatrixX<double>& A);
MatrixX<std::complex<double>> calc_pseudo_inverse(const MatrixX<std::complex<double>>& A);

// ---- Ranks and the spaces that belong to them

/// The number of independent rows, by LU with full pivoting.
int calc_rank(const MatrixX<double>& A, Threshold threshold = {});
/// A basis of all x with A x = 0, as columns; one column of zeros if there is only x = 0.
MatrixX<double> find_null_space(const MatrixX<double>& A, Threshold threshold = {});

/// The columns of a matrix in the order in which QR with column pivoting takes them; the first
/// `rank` of them are independent.
struct ColumnOrder {
  std::vector<int> columns;
  int rank = 0;
};
ColumnOrder order_columns(const MatrixX<double>& A, Threshold threshold = {});

/// Orthonormal columns; the first `rank` span what the columns of the matrix span.
struct ColumnSpace {
  MatrixX<double> Q;  // square
  int rank = 0;
};
ColumnSpace find_column_space(const MatrixX<double>& A, Threshold threshold = {});

// ---- Eigenvalues

/// Eigenvalues of a symmetric matrix in increasing order, and orthonormal eigenvectors as columns.
/// The lower triangle is read. Values are NaN where an entry is NaN.
struct SymmetricEigen {
  VectorX<double> values;
  MatrixX<double> vectors;
};
SymmetricEigen calc_symmetric_eigen(const MatrixX<double>& A);

/// The same for a 3 x 3 matrix, such as principal moments and axes of an inertia.
struct SymmetricEigen3 {
  Vector3 values;
  Matrix3 vectors;
};
SymmetricEigen3 calc_symmetric_eigen(const Matrix3& A);
/// The eigenvalues alone, in increasing order.
Vector3 calc_symmetric_eigenvalues(const Matrix3& A);
Vector6 calc_symmetric_eigenvalues(const Matrix6& A);

/// A matrix of at most 6 x 6, without allocation: a joint has at most six constraints.
using UpTo6Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
using UpTo6Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
struct SymmetricEigenUpTo6 {
  UpTo6Vector values;
  UpTo6Matrix vectors;
};
SymmetricEigenUpTo6 calc_symmetric_eigen(const UpTo6Matrix& A);
UpTo6Vector calc_symmetric_eigenvalues(const UpTo6Matrix& A);

/// Values and vectors of A x = lambda B x, with x^T B x = 1: A symmetric, B symmetric and positive
/// definite. Nothing if an entry is NaN or the iteration does not converge.
std::optional<SymmetricEigen> calc_generalized_symmetric_eigen(const MatrixX<double>& A,
                                                               const MatrixX<double>& B);

/// Eigenvalues and eigenvectors (columns) of any square matrix.
struct Eigensystem {
  VectorX<std::complex<double>> values;
  MatrixX<std::complex<double>> vectors;
};
Eigensystem calc_eigen(const MatrixX<double>& A);

}  // namespace camber::math
