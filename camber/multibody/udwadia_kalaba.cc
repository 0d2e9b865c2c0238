#include "camber/multibody/udwadia_kalaba.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/math/dense.h"

namespace camber::multibody {
namespace {

constexpr double kRankThreshold = 1e-12;

/// The first `count` columns of C = Q R by Gram-Schmidt, each orthogonalized twice, which is enough
/// [Giraud, Langou, Rozloznik 2005]. C is overwritten.
void orthogonalize(int count, MatrixX<double>* C, MatrixX<double>* Q, MatrixX<double>* R) {
  R->setZero();
  for (int k = 0; k < count; ++k) {
    auto q = Q->col(k);
    q = C->col(k);
    for (int j = 0; j < k; ++j) q -= Q->col(j).dot(q) * Q->col(j);
    q /= q.norm();
    for (int j = k; j < count; ++j) {
      (*R)(k, j) = q.dot(C->col(j));
      C->col(j) -= (*R)(k, j) * q;
    }
  }
}

/// The same for at most `most` columns, the longest remaining one first, until only rounding error
/// remains: the rank.
int orthogonalize_longest_first(int most, MatrixX<double>* C, MatrixX<double>* Q,
                                MatrixX<double>* R) {
  R->setZero();
  double first = 0;
  for (int k = 0; k < most; ++k) {
    Eigen::Index next = 0;
    const double length = std::sqrt(C->colwise().squaredNorm().maxCoeff(&next));
    if (k == 0) first = length;
    if (!(length > kRankThreshold * first)) return k;
    auto q = Q->col(k);
    q = C->col(next);
    for (int j = 0; j < k; ++j) q -= Q->col(j).dot(q) * Q->col(j);
    q /= q.norm();
    for (Eigen::Index j = 0; j < C->cols(); ++j) {
      const double share = q.dot(C->col(j));
      (*R)(k, j) = share;
      C->col(j) -= share * q;
    }
    C->col(next).setZero();
  }
  return most;
}

MatrixX<double> pseudo_inverse(const MatrixX<double>& A) {
  GeneralizedInverse inverse;
  inverse.factor(A);
  MatrixX<double> result(A.cols(), A.rows());
  inverse.apply(MatrixX<double>::Identity(A.rows(), A.rows()), result);
  return result;
}

/// f of the eigenvalues; eigenvalues that are rounding errors count as zero.
template <class Function>
MatrixX<double> map_eigenvalues(const MatrixX<double>& S, Function f) {
  const auto eigen = math::calc_symmetric_eigen(S);
  VectorX<double> values = eigen.values;
  const double least = 1e-14 * std::max(values.cwiseAbs().maxCoeff(), 1e-300);
  for (double& value : values) value = value > least ? f(value) : 0.0;
  return eigen.vectors * values.asDiagonal() * eigen.vectors.transpose();
}

MatrixX<double> root(const MatrixX<double>& S) {
  return map_eigenvalues(S, [](double x) { return std::sqrt(x); });
}
MatrixX<double> inverse_root(const MatrixX<double>& S) {
  return map_eigenvalues(S, [](double x) { return 1 / std::sqrt(x); });
}

void check_sizes(const MatrixX<double>& A, const MatrixX<double>& N, const MatrixX<double>& M) {
  require(N.rows() == A.rows() && N.cols() == A.rows(), "weighted inverse: N is ", N.rows(), " x ",
          N.cols(), ", A has ", A.rows(), " rows");
  require(M.rows() == A.cols() && M.cols() == A.cols(), "weighted inverse: M is ", M.rows(), " x ",
          M.cols(), ", A has ", A.cols(), " columns");
}

}  // namespace

void GeneralizedInverse::factor(const In& B, int largest_rank) {
  const auto rows = B.rows(), cols = B.cols(), most = std::min(rows, cols);
  columns_.resize(cols, rows);
  R_.resize(most, rows);
  left_.resize(rows, most);
  Q_.resize(cols, most);
  Z_.resize(rows, most);
  T_.resize(most, most);
  part_.resize(most);
  rank_ = 0;
  if (most == 0) return;
  columns_ = B.transpose();
  rank_ = orthogonalize_longest_first(std::min(static_cast<int>(most), largest_rank), &columns_,
                                      &Q_, &R_);  // B^T = Q R
  left_ = R_.transpose();
  orthogonalize(rank_, &left_, &Z_, &T_);  // R^T = Z T
}

void GeneralizedInverse::apply(const In& x, Out y) {
  if (rank_ == 0) {
    y.setZero();
    return;
  }
  const auto T = T_.topLeftCorner(rank_, rank_);
  auto part = part_.head(rank_);
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    part.noalias() = Z_.leftCols(rank_).transpose() * x.col(j);
    T.triangularView<Eigen::Upper>().solveInPlace(part);
    y.col(j).noalias() = Q_.leftCols(rank_) * part;
  }
}

void GeneralizedInverse::apply_transposed(const In& y, Out x) {
  if (rank_ == 0) {
    x.setZero();
    return;
  }
  const auto T = T_.topLeftCorner(rank_, rank_);
  auto part = part_.head(rank_);
  for (Eigen::Index j = 0; j < y.cols(); ++j) {
    part.noalias() = Q_.leftCols(rank_).transpose() * y.col(j);
    T.transpose().triangularView<Eigen::Lower>().solveInPlace(part);
    x.col(j).noalias() = Z_.leftCols(rank_) * part;
  }
}

bool UdwadiaKalaba::factor(const In& M, const In& A, int largest_rank) {
  mass_.compute(M);
  if (mass_.info() != Eigen::Success) return false;
  B_.resize(A.rows(), A.cols());
  B_ = A;
  if (B_.size() > 0) mass_.matrixU().solveInPlace<Eigen::OnTheRight>(B_);  // B L^T = A
  inverse_.factor(B_, largest_rank);
  y_.resize(A.cols());
  correction_.resize(A.cols());
  lack_.resize(A.rows());
  multipliers_.resize(A.rows());
  return true;
}

const VectorX<double>& UdwadiaKalaba::solve(const In& Q, const In& b) {
  y_ = Q;
  mass_.matrixL().solveInPlace(y_);
  lack_ = b;
  lack_.noalias() -= B_ * y_;
  inverse_.apply(lack_, correction_);
  inverse_.apply_transposed(correction_, multipliers_);
  y_ += correction_;
  mass_.matrixU().solveInPlace(y_);
  return y_;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): Eigen::Ref, written through
void UdwadiaKalaba::apply_inverse(const In& x, Out v) {
  inverse_.apply(x, v);
  mass_.matrixU().solveInPlace(v);
}

void UdwadiaKalaba::respond(const In& forces, MatrixX<double>* accelerations,
                            MatrixX<double>* multipliers) {
  accelerations->resize(forces.rows(), forces.cols());
  multipliers->resize(B_.rows(), forces.cols());
  rows_.resize(B_.rows(), forces.cols());
  moved_.resize(forces.rows(), forces.cols());
  *accelerations = forces;
  mass_.matrixL().solveInPlace(*accelerations);
  rows_.noalias() = -B_ * *accelerations;
  inverse_.apply(rows_, moved_);
  inverse_.apply_transposed(moved_, *multipliers);
  *accelerations += moved_;
  mass_.matrixU().solveInPlace(*accelerations);
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

bool is_positive_semidefinite(const BlockMatrix& N) {
  if (!N.allFinite() || !N.isApprox(N.transpose(), 1e-12)) return N.size() == 0;
  const BlockVector values = math::calc_symmetric_eigenvalues(N);  // increasing
  const double least = values[0], most = values[values.size() - 1];
  return least >= -1e-12 * std::max(std::abs(least), std::abs(most));
}

}  // namespace camber::multibody
