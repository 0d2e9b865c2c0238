// Complex matrices, and eigenvalues that may be complex. A complex matrix A = R + i I is taken as the
// real one of twice the size
//   [R -I]
//   [I  R],
// for which sums, products, inverses and pseudo-inverses are those of A: one kind of decomposition
// less to compile, which took half a minute.
#include <Eigen/Eigenvalues>

#include "camber/math/dense.h"

namespace camber::math {
namespace {

using Complex = std::complex<double>;

MatrixX<double> to_real(const MatrixX<Complex>& A) {
  MatrixX<double> real(2 * A.rows(), 2 * A.cols());
  real << A.real(), -A.imag(), A.imag(), A.real();
  return real;
}

VectorX<double> to_real(const VectorX<Complex>& x) {
  VectorX<double> real(2 * x.size());
  real << x.real(), x.imag();
  return real;
}

VectorX<Complex> to_complex(const VectorX<double>& real) {
  const Eigen::Index n = real.size() / 2;
  VectorX<Complex> x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = {real[i], real[n + i]};
  return x;
}

}  // namespace

VectorX<Complex> solve_square(const MatrixX<Complex>& A, const VectorX<Complex>& b) {
  return to_complex(solve_square(to_real(A), to_real(b)));
}

VectorX<Complex> solve_adjoint(const MatrixX<Complex>& A, const VectorX<Complex>& b) {
  return to_complex(solve_transposed(to_real(A), to_real(b)));
}

MatrixX<Complex> calc_pseudo_inverse(const MatrixX<Complex>& A) {
  const MatrixX<double> P = calc_pseudo_inverse(to_real(A));
  const Eigen::Index rows = A.cols(), columns = A.rows();
  MatrixX<Complex> inverse(rows, columns);
  inverse.real() = P.topLeftCorner(rows, columns);
  inverse.imag() = P.bottomLeftCorner(rows, columns);
  return inverse;
}

Eigensystem calc_eigen(const MatrixX<double>& A) {
  const Eigen::EigenSolver<MatrixX<double>> solver(A);
  return {.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
}

}  // namespace camber::math
