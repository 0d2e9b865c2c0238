// Complex matrices, and eigenvalues that may be complex.
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include "camber/math/dense.h"

namespace camber::math {
namespace {

using Complex = std::complex<double>;

}  // namespace

VectorX<Complex> solve_square(const MatrixX<Complex>& A, const VectorX<Complex>& b) {
  return A.partialPivLu().solve(b);
}

VectorX<Complex> solve_adjoint(const MatrixX<Complex>& A, const VectorX<Complex>& b) {
  return A.adjoint().partialPivLu().solve(b);
}

MatrixX<Complex> calc_pseudo_inverse(const MatrixX<Complex>& A) {
  return A.completeOrthogonalDecomposition().pseudoInverse();
}

Eigensystem calc_eigen(const MatrixX<double>& A) {
  const Eigen::EigenSolver<MatrixX<double>> solver(A);
  return {.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
}

}  // namespace camber::math
