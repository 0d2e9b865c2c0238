#pragma once

#include <Eigen/Core>

/// A = L D L^T of symmetric positive definite matrices, and solutions with it, for any scalar: no
/// pivots, no comparisons, so lanes and expressions pass where Eigen's ldlt() and llt() branch.
/// Meant for the small blocks of a recursion.
namespace camber::math {

/// Reads the lower triangle of `A`; leaves L below the diagonal and the inverse of D on it. The
/// upper triangle keeps what was there. n^3/6 multiplications, n divisions.
template <class Derived>
void factor_ldlt(Eigen::MatrixBase<Derived>* A) {
  using T = typename Derived::Scalar;
  Derived& a = A->derived();
  const Eigen::Index n = a.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    a(j, j) = T(1) / a(j, j);
    for (Eigen::Index k = j + 1; k < n; ++k) {  // what is left without column j: a - (l d) l^T
      const T l = a(k, j) * a(j, j);
      for (Eigen::Index i = k; i < n; ++i) a(i, k) -= a(i, j) * l;
      a(k, j) = l;  // used up: rows below k need their own l d, not this one's
    }
  }
}

/// X with A X = B in place of `B`, from what factor_ldlt() left of A.
template <class Factors, class Derived>
void solve_ldlt(const Eigen::MatrixBase<Factors>& LD, Eigen::MatrixBase<Derived>* B) {
  Derived& b = B->derived();
  const Eigen::Index n = LD.rows();
  for (Eigen::Index c = 0; c < b.cols(); ++c) {
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = j + 1; i < n; ++i) b(i, c) -= LD(i, j) * b(j, c);
    for (Eigen::Index j = n - 1; j >= 0; --j) {
      b(j, c) *= LD(j, j);
      for (Eigen::Index i = j + 1; i < n; ++i) b(j, c) -= LD(i, j) * b(i, c);
    }
  }
}

}  // namespace camber::math
