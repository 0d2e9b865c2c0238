#include "camber/multibody/udwadia_kalaba.h"

#include <cmath>

#include <Eigen/Eigenvalues>

#include "camber/core/require.h"

namespace camber::multibody {
namespace {

constexpr double kRankThreshold = 1e-12;

using Symmetric = Eigen::SelfAdjointEigenSolver<MatrixX<double>>;

/// f of the eigenvalues, those that are rounding errors taken for zero.
template <class Function>
MatrixX<double> map_eigenvalues(const MatrixX<double>& S, Function f) {
  const Symmetric eigen(S);
  VectorX<double> values = eigen.eigenvalues();
  const double least = 1e-14 * std::max(values.cwiseAbs().maxCoeff(), 1e-300);
  for (double& value : values) value = value > least ? f(value) : 0.0;
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

MatrixX<double> root(const MatrixX<double>& S) {
  return map_eigenvalues(S, [](double x) { return std::sqrt(x); });
}
MatrixX<double> inverse_root(const MatrixX<double>& S) {
  return map_eigenvalues(S, [](double x) { return 1 / std::sqrt(x); });
}

MatrixX<double> pseudo_inverse(const MatrixX<double>& A) {
  Eigen::CompleteOrthogonalDecomposition<MatrixX<double>> cod;
  cod.setThreshold(kRankThreshold);
  cod.compute(A);
  return cod.pseudoInverse();
}

void check_sizes(const MatrixX<double>& A, const MatrixX<double>& N, const MatrixX<double>& M) {
  require(N.rows() == A.rows() && N.cols() == A.rows(), "weighted inverse: N is ", N.rows(), " x ",
          N.cols(), ", A has ", A.rows(), " rows");
  require(M.rows() == A.cols() && M.cols() == A.cols(), "weighted inverse: M is ", M.rows(), " x ",
          M.cols(), ", A has ", A.cols(), " columns");
}

}  // namespace

bool UdwadiaKalaba::factor(const MatrixX<double>& M, const MatrixX<double>& A) {
  mass_.compute(M);
  if (mass_.info() != Eigen::Success) return false;
  B_.noalias() = A;
  mass_.matrixU().template solveInPlace<Eigen::OnTheRight>(B_);  // B L^T = A
  inverse_.setThreshold(kRankThreshold);
  inverse_.compute(B_);
  return true;
}

MatrixX<double> UdwadiaKalaba::to_plain(const MatrixX<double>& forces) const {
  return mass_.matrixL().solve(forces);
}

MatrixX<double> UdwadiaKalaba::from_plain(const MatrixX<double>& y) const {
  return mass_.matrixU().solve(y);
}

MatrixX<double> UdwadiaKalaba::plain_inverse(const MatrixX<double>& x) const {
  if (B_.rows() == 0) return MatrixX<double>::Zero(B_.cols(), x.cols());
  return inverse_.solve(x);
}

MatrixX<double> UdwadiaKalaba::plain_transposed_inverse(const MatrixX<double>& y) const {
  if (B_.rows() == 0) return MatrixX<double>::Zero(0, y.cols());
  return inverse_.transpose().solve(y);
}

MatrixX<double> UdwadiaKalaba::apply_inverse(const MatrixX<double>& x) const {
  return from_plain(plain_inverse(x));
}

VectorX<double> UdwadiaKalaba::solve(const VectorX<double>& Q, const VectorX<double>& b) {
  const VectorX<double> free = to_plain(Q);
  const VectorX<double> correction = plain_inverse(b - B_ * free);
  multipliers_ = plain_transposed_inverse(correction);
  return from_plain(free + correction);
}

MatrixX<double> weighted_inverse(const MatrixX<double>& A, const MatrixX<double>& N,
                                 const MatrixX<double>& M) {
  check_sizes(A, N, M);
  const MatrixX<double> M_ = inverse_root(M), N_ = root(N);
  return M_ * pseudo_inverse(N_ * A * M_) * N_;
}

MatrixX<double> relaxed_inverse(const MatrixX<double>& A, const MatrixX<double>& N,
                                const MatrixX<double>& M) {
  check_sizes(A, N, M);
  const MatrixX<double> M_ = inverse_root(M);
  return M_ * pseudo_inverse(inverse_root(N) * A * M_) * root(N);
}

bool is_positive_semidefinite(const MatrixX<double>& N) {
  if (!N.allFinite() || !N.isApprox(N.transpose(), 1e-12)) return N.size() == 0;
  const VectorX<double> values = Symmetric(N, Eigen::EigenvaluesOnly).eigenvalues();
  return values.minCoeff() >= -1e-12 * values.cwiseAbs().maxCoeff();
}

}  // namespace camber::multibody
