// Eigenvalues of symmetric matrices.
#include <Eigen/Eigenvalues>

#include "camber/math/dense.h"

namespace camber::math {

SymmetricEigen calc_symmetric_eigen(const MatrixX<double>& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixX<double>> solver(A);
  return {.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
}

SymmetricEigen3 calc_symmetric_eigen(const Matrix3& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(A);
  return {.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
}

Vector3 calc_symmetric_eigenvalues(const Matrix3& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Vector6 calc_symmetric_eigenvalues(const Matrix6& A) {
  return calc_symmetric_eigenvalues(UpTo6Matrix(A));  // one kind of matrix less to compile
}

SymmetricEigenUpTo6 calc_symmetric_eigen(const UpTo6Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<UpTo6Matrix> solver(A);
  return {.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
}

UpTo6Vector calc_symmetric_eigenvalues(const UpTo6Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<UpTo6Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

std::optional<SymmetricEigen> calc_generalized_symmetric_eigen(const MatrixX<double>& A,
                                                               const MatrixX<double>& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX<double>> solver(A, B);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return SymmetricEigen{.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
}

}  // namespace camber::math
