// Orthogonal decompositions.
#include <Eigen/QR>

#include "camber/math/dense.h"

namespace camber::math {
namespace {

template <class Decomposition>
Decomposition decompose(const MatrixX<double>& A, Threshold threshold) {
  Decomposition result(A.rows(), A.cols());
  if (threshold) result.setThreshold(*threshold);
  result.compute(A);
  return result;
}

}  // namespace

VectorX<double> solve_least_squares(const MatrixX<double>& A, const VectorX<double>& b,
                                    Threshold threshold) {
  return decompose<Eigen::ColPivHouseholderQR<MatrixX<double>>>(A, threshold).solve(b);
}

Vector3 solve_least_squares(const Matrix3& A, const Vector3& b) {
  return A.colPivHouseholderQr().solve(b);
}

VectorX<double> solve_shortest(const MatrixX<double>& A, const VectorX<double>& b,
                               Threshold threshold) {
  return decompose<Eigen::CompleteOrthogonalDecomposition<MatrixX<double>>>(A, threshold).solve(b);
}

MatrixX<double> calc_pseudo_inverse(const MatrixX<double>& A) {
  return A.completeOrthogonalDecomposition().pseudoInverse();
}

ColumnOrder order_columns(const MatrixX<double>& A, Threshold threshold) {
  const auto qr = decompose<Eigen::ColPivHouseholderQR<MatrixX<double>>>(A, threshold);
  const auto& order = qr.colsPermutation().indices();
  return {.columns = {order.begin(), order.end()}, .rank = static_cast<int>(qr.rank())};
}

ColumnSpace find_column_space(const MatrixX<double>& A, Threshold threshold) {
  const auto qr = decompose<Eigen::FullPivHouseholderQR<MatrixX<double>>>(A, threshold);
  return {.Q = qr.matrixQ(), .rank = static_cast<int>(qr.rank())};
}

}  // namespace camber::math
