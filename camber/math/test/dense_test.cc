#include "camber/math/dense.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace camber::math {
namespace {

// The expected side of these tests is the definition of what is computed: residuals, orthogonality,
// invariants of the matrix.

MatrixX<double> random_matrix(int rows, int cols, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> entry(-2, 3);
  MatrixX<double> A(rows, cols);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) A(i, j) = entry(random);
  }
  return A;
}

MatrixX<std::complex<double>> random_complex(int rows, int cols, unsigned seed) {
  return random_matrix(rows, cols, seed).cast<std::complex<double>>() +
         std::complex<double>(0, 1) * random_matrix(rows, cols, seed + 1000);
}

// Six rows, of rank four.
MatrixX<double> deficient_matrix(unsigned seed) {
  return random_matrix(6, 4, seed) * random_matrix(4, 5, seed + 1);
}

class Dense : public testing::TestWithParam<unsigned> {};

TEST_P(Dense, SolvesSquareSystems) {
  const MatrixX<double> A = random_matrix(7, 7, GetParam());
  const VectorX<double> b = random_matrix(7, 1, GetParam() + 1);
  const MatrixX<double> B = random_matrix(7, 3, GetParam() + 2);
  const double bound = 1e-10;
  EXPECT_LT((A * solve_square(A, b) - b).norm(), bound);
  EXPECT_LT((A.transpose() * solve_transposed(A, b) - b).norm(), bound);
  EXPECT_LT((A * solve_with_full_pivoting(A, b) - b).norm(), bound);
  EXPECT_LT((A * solve_with_full_pivoting(A, B) - B).norm(), bound);
  EXPECT_LT((A.transpose() * solve_transposed_with_full_pivoting(A, b) - b).norm(), bound);
  EXPECT_LT((A * solve_if_regular(A, b).value() - b).norm(), bound);
  EXPECT_LT((A * solve_if_regular(A, B).value() - B).norm(), bound);
}

TEST_P(Dense, SolvesComplexSystems) {
  const MatrixX<std::complex<double>> A = random_complex(5, 5, GetParam());
  const VectorX<std::complex<double>> b = random_complex(5, 1, GetParam() + 1);
  EXPECT_LT((A * solve_square(A, b) - b).norm(), 1e-10);
  EXPECT_LT((A.adjoint() * solve_adjoint(A, b) - b).norm(), 1e-10);
}

TEST_P(Dense, SolvesSymmetricSystems) {
  const MatrixX<double> C = random_matrix(8, 6, GetParam());
  const MatrixX<double> A = C.transpose() * C, B = random_matrix(6, 2, GetParam() + 1);
  const VectorX<double> b = B.col(0);
  EXPECT_LT((A * solve_positive_definite(A, B) - B).norm(), 1e-9);
  EXPECT_LT((A * solve_symmetric(A, b) - b).norm(), 1e-9);
}

// At the minimum of |A x - b| the residual is orthogonal to all columns.
TEST_P(Dense, LeavesLeastSquaresResidualsOrthogonalToTheColumns) {
  const MatrixX<double> tall = random_matrix(9, 4, GetParam()), flat = deficient_matrix(GetParam());
  const VectorX<double> b9 = random_matrix(9, 1, GetParam() + 1),
                        b6 = random_matrix(6, 1, GetParam() + 2);
  EXPECT_LT((tall.transpose() * (tall * solve_least_squares(tall, b9) - b9)).norm(), 1e-10);
  EXPECT_LT((flat.transpose() * (flat * solve_least_squares(flat, b6, 1e-10) - b6)).norm(), 1e-9);
  const VectorX<double> shortest = solve_shortest(flat, b6, 1e-10);
  EXPECT_LT((flat.transpose() * (flat * shortest - b6)).norm(), 1e-9);
  // The shortest solution has no part in the null space.
  EXPECT_LT((find_null_space(flat, 1e-10).transpose() * shortest).norm(), 1e-9);
  EXPECT_LE(shortest.norm(), solve_least_squares(flat, b6, 1e-10).norm() * (1 + 1e-12));

  const Matrix3 A3 = random_matrix(3, 3, GetParam());
  const Vector3 b3 = random_matrix(3, 1, GetParam() + 1);
  EXPECT_LT((A3 * solve_least_squares(A3, b3) - b3).norm(), 1e-11);
}

// The four conditions of Penrose.
TEST_P(Dense, GivesTheMoorePenroseInverse) {
  const MatrixX<std::complex<double>> A = random_complex(5, 3, GetParam());
  const MatrixX<std::complex<double>> P = calc_pseudo_inverse(A);
  EXPECT_LT((A * P * A - A).norm(), 1e-11);
  EXPECT_LT((P * A * P - P).norm(), 1e-11);
  EXPECT_LT((A * P - (A * P).adjoint()).norm(), 1e-11);
  EXPECT_LT((P * A - (P * A).adjoint()).norm(), 1e-11);
}

TEST_P(Dense, FindsRanksAndTheirSpaces) {
  const MatrixX<double> A = deficient_matrix(GetParam());
  EXPECT_EQ(calc_rank(A, 1e-10), 4);
  EXPECT_EQ(calc_rank(MatrixX<double>(0, 3)), 0);
  EXPECT_FALSE(solve_if_regular(A.topRows(5), VectorX<double>::Ones(5).eval(), 1e-10));
  const MatrixX<double> N = find_null_space(A, 1e-10);
  EXPECT_EQ(N.cols(), 1);
  EXPECT_LT((A * N).norm(), 1e-9 * N.norm());

  const ColumnOrder order = order_columns(A, 1e-10);
  ASSERT_EQ(order.rank, 4);
  MatrixX<double> first(6, 4);
  for (int j = 0; j < 4; ++j) first.col(j) = A.col(order.columns[j]);
  EXPECT_EQ(calc_rank(first, 1e-10), 4);
  std::vector<int> sorted = order.columns;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, (std::vector<int>{0, 1, 2, 3, 4}));

  const ColumnSpace space = find_column_space(A, 1e-10);
  ASSERT_EQ(space.rank, 4);
  EXPECT_LT((space.Q.transpose() * space.Q - MatrixX<double>::Identity(6, 6)).norm(), 1e-13);
  EXPECT_LT((space.Q.rightCols(2).transpose() * A).norm(), 1e-10);
}

template <class Matrix, class Eigen>
void expect_symmetric_eigen(const Matrix& S, const Eigen& eigen) {
  const auto n = S.rows();
  EXPECT_LT((S * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm(), 1e-11);
  EXPECT_LT((eigen.vectors.transpose() * eigen.vectors - MatrixX<double>::Identity(n, n)).norm(),
            1e-12);
  for (int i = 1; i < n; ++i) EXPECT_LE(eigen.values[i - 1], eigen.values[i]);
}

TEST_P(Dense, DiagonalizesSymmetricMatrices) {
  const MatrixX<double> C = random_matrix(6, 6, GetParam()), S = C + C.transpose();
  expect_symmetric_eigen(S, calc_symmetric_eigen(S));
  const Matrix3 S3 = S.topLeftCorner<3, 3>();
  const SymmetricEigen3 eigen3 = calc_symmetric_eigen(S3);
  expect_symmetric_eigen(S3, eigen3);
  EXPECT_LT((calc_symmetric_eigenvalues(S3) - eigen3.values).norm(), 1e-12);
  const Vector6 values = calc_symmetric_eigenvalues(Matrix6(S));
  EXPECT_LT((values - calc_symmetric_eigen(S).values).norm(), 1e-12);
  const UpTo6Matrix S5 = S.topLeftCorner(5, 5);
  const SymmetricEigenUpTo6 eigen5 = calc_symmetric_eigen(S5);
  expect_symmetric_eigen(S5, eigen5);
  const UpTo6Vector values5 = calc_symmetric_eigenvalues(S5);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(values5[i], eigen5.values[i], 1e-12);
}

TEST_P(Dense, DiagonalizesSymmetricPencils) {
  const MatrixX<double> C = random_matrix(5, 5, GetParam()), A = C + C.transpose();
  const MatrixX<double> G = random_matrix(8, 5, GetParam() + 1), B = G.transpose() * G;
  const SymmetricEigen eigen = calc_generalized_symmetric_eigen(A, B).value();
  EXPECT_LT((A * eigen.vectors - B * eigen.vectors * eigen.values.asDiagonal()).norm(), 1e-9);
  EXPECT_LT(
      (eigen.vectors.transpose() * B * eigen.vectors - MatrixX<double>::Identity(5, 5)).norm(),
      1e-11);
  MatrixX<double> invalid = A;
  invalid(2, 1) = std::nan("");
  EXPECT_FALSE(calc_generalized_symmetric_eigen(invalid, B));
}

TEST_P(Dense, FindsEigenvectorsOfAnyMatrix) {
  const MatrixX<double> A = random_matrix(6, 6, GetParam());
  const Eigensystem eigen = calc_eigen(A);
  EXPECT_LT((A * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm(), 1e-10);
  EXPECT_NEAR(eigen.values.sum().real(), A.trace(), 1e-11);
  EXPECT_NEAR(eigen.values.sum().imag(), 0, 1e-11);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(eigen.vectors.col(i).norm(), 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Dense, testing::Values(3u, 17u, 101u));

}  // namespace
}  // namespace camber::math
