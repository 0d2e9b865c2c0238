// Systems of equations and ranks; dense_*.cc have the rest, in files that compile at the same time.
#include "camber/math/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace camber::math {
namespace {

template <class Decomposition>
Decomposition decompose(const MatrixX<double>& A, Threshold threshold) {
  Decomposition result(A.rows(), A.cols());
  if (threshold) result.setThreshold(*threshold);
  result.compute(A);
  return result;
}

template <class Right>
std::optional<Right> solve_by_lu(const MatrixX<double>& A, const Right& b, Threshold threshold) {
  const auto lu = decompose<Eigen::FullPivLU<MatrixX<double>>>(A, threshold);
  if (!lu.isInvertible()) return std::nullopt;
  return Right(lu.solve(b));
}

}  // namespace

VectorX<double> solve_square(const MatrixX<double>& A, const VectorX<double>& b) {
  return A.partialPivLu().solve(b);
}

VectorX<double> solve_transposed(const MatrixX<double>& A, const VectorX<double>& b) {
  return A.transpose().partialPivLu().solve(b);
}

VectorX<double> solve_with_full_pivoting(const MatrixX<double>& A, const VectorX<double>& b) {
  return A.fullPivLu().solve(b);
}

MatrixX<double> solve_with_full_pivoting(const MatrixX<double>& A, const MatrixX<double>& B) {
  return A.fullPivLu().solve(B);
}

VectorX<double> solve_transposed_with_full_pivoting(const MatrixX<double>& A,
                                                    const VectorX<double>& b) {
  return A.transpose().fullPivLu().solve(b);
}

std::optional<VectorX<double>> solve_if_regular(const MatrixX<double>& A, const VectorX<double>& b,
                                                Threshold threshold) {
  return solve_by_lu(A, b, threshold);
}

std::optional<MatrixX<double>> solve_if_regular(const MatrixX<double>& A, const MatrixX<double>& B,
                                                Threshold threshold) {
  return solve_by_lu(A, B, threshold);
}

MatrixX<double> solve_positive_definite(const MatrixX<double>& A, const MatrixX<double>& B) {
  return A.llt().solve(B);
}

VectorX<double> solve_symmetric(const MatrixX<double>& A, const VectorX<double>& b) {
  return A.ldlt().solve(b);
}

int calc_rank(const MatrixX<double>& A, Threshold threshold) {
  if (A.size() == 0) return 0;
  return static_cast<int>(decompose<Eigen::FullPivLU<MatrixX<double>>>(A, threshold).rank());
}

MatrixX<double> find_null_space(const MatrixX<double>& A, Threshold threshold) {
  return decompose<Eigen::FullPivLU<MatrixX<double>>>(A, threshold).kernel();
}

}  // namespace camber::math
