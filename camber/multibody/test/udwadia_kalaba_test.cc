#include "camber/multibody/udwadia_kalaba.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/dense.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/matrix.h"

namespace camber::multibody {
namespace {

MatrixX<double> random_matrix(int rows, int cols, RandomStream* random) {
  MatrixX<double> A(rows, cols);
  for (double& x : A.reshaped()) x = random->uniform(-1, 1);
  return A;
}

MatrixX<double> random_mass(int n, RandomStream* random) {
  const MatrixX<double> A = random_matrix(n, n, random);
  return A * A.transpose() + 0.3 * MatrixX<double>::Identity(n, n);
}

// Moore's and Penrose's four conditions, for matrices of any shape and rank.
TEST(GeneralizedInverse, MeetsItsFourConditions) {
  GeneralizedInverse inverse;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int rows = 1 + static_cast<int>(8 * random.uniform());
    const int cols = 1 + static_cast<int>(8 * random.uniform());
    const int rank = 1 + static_cast<int>(std::min(rows, cols) * random.uniform());
    const MatrixX<double> B =
        random_matrix(rows, rank, &random) * random_matrix(rank, cols, &random);
    inverse.factor(B);
    EXPECT_EQ(inverse.rank(), rank);
    MatrixX<double> X(cols, rows), X_t(rows, cols);
    inverse.apply(MatrixX<double>::Identity(rows, rows), X);
    inverse.apply_transposed(MatrixX<double>::Identity(cols, cols), X_t);
    const double size = 1 + X.norm();
    EXPECT_LT((B * X * B - B).norm(), 1e-11 * size);
    EXPECT_LT((X * B * X - X).norm(), 1e-11 * size * size);
    EXPECT_LT((B * X - (B * X).transpose()).norm(), 1e-11 * size);
    EXPECT_LT((X * B - (X * B).transpose()).norm(), 1e-11 * size);
    EXPECT_LT((X - X_t.transpose()).norm(), 1e-11 * size * size);
  }
}

// The other route: [M A^T; A 0] [v'; -lambda] = [Q; b], where it is regular.
TEST(UdwadiaKalaba, AgreesWithLagrangeMultipliers) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int n = 7, m = 4;
    const MatrixX<double> M = random_mass(n, &random), A = random_matrix(m, n, &random);
    const VectorX<double> Q = random_matrix(n, 1, &random), b = random_matrix(m, 1, &random);
    MatrixX<double> K = MatrixX<double>::Zero(n + m, n + m);
    K << M, A.transpose(), A, MatrixX<double>::Zero(m, m);
    VectorX<double> right(n + m);
    right << Q, b;
    const VectorX<double> expected = math::solve_with_full_pivoting(K, right);
    UdwadiaKalaba solver;
    ASSERT_TRUE(solver.factor(M, A));
    const VectorX<double> v_dot = solver.solve(Q, b);
    EXPECT_EQ(solver.rank(), m);
    EXPECT_LT((v_dot - expected.head(n)).norm(), 1e-10 * (1 + expected.norm()));
    EXPECT_LT((solver.multipliers() + expected.tail(m)).norm(), 1e-10 * (1 + expected.norm()));
  }
}

// Rows twice, rows that are sums of others: the same motion.
TEST(UdwadiaKalaba, RedundantRowsChangeNothing) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int n = 6;
    const MatrixX<double> M = random_mass(n, &random), A = random_matrix(3, n, &random);
    const VectorX<double> Q = random_matrix(n, 1, &random), b = random_matrix(3, 1, &random);
    const MatrixX<double> mix = random_matrix(4, 3, &random);
    MatrixX<double> all(7, n);
    all << A, mix * A;
    VectorX<double> right(7);
    right << b, mix * b;
    UdwadiaKalaba few, many;
    ASSERT_TRUE(few.factor(M, A));
    ASSERT_TRUE(many.factor(M, all));
    EXPECT_EQ(many.rank(), 3);
    EXPECT_LT((few.solve(Q, b) - many.solve(Q, right)).norm(), 1e-11);
    const VectorX<double> force = A.transpose() * few.multipliers();
    EXPECT_LT((force - all.transpose() * many.multipliers()).norm(), 1e-11);
  }
}

// Rows that contradict each other are met in the sense of least squares, in plain norm; of
// all such motions it takes the one nearest to the free one in the norm of M (Gauss).
TEST(UdwadiaKalaba, InconsistentRowsAreMetAsWellAsTheyCan) {
  RandomStream random(3);
  const int n = 5;
  const MatrixX<double> M = random_mass(n, &random);
  MatrixX<double> A(3, n);
  A << random_matrix(2, n, &random), MatrixX<double>::Zero(1, n);
  A.row(2) = 0.5 * A.row(0);
  const VectorX<double> Q = random_matrix(n, 1, &random), b = random_matrix(3, 1, &random);
  UdwadiaKalaba solver;
  ASSERT_TRUE(solver.factor(M, A));
  const VectorX<double> v_dot = solver.solve(Q, b);
  EXPECT_LT((A.transpose() * (A * v_dot - b)).norm(), 1e-12);  // normal equations
  const VectorX<double> a = math::solve_symmetric(M, Q);
  // Any motion along the null space makes it longer.
  const MatrixX<double> kernel = math::find_null_space(A);
  EXPECT_LT((kernel.transpose() * M * (v_dot - a)).norm(), 1e-12);
}

TEST(UdwadiaKalaba, WeightedInverseHasItsFourProperties) {
  RandomStream random(8);
  for (const int rank : {2, 3}) {
    const MatrixX<double> A = random_matrix(3, rank, &random) * random_matrix(rank, 5, &random);
    const MatrixX<double> N = random_mass(3, &random), M = random_mass(5, &random);
    const MatrixX<double> X = weighted_inverse(A, N, M);
    EXPECT_LT((A * X * A - A).norm(), 1e-11);
    EXPECT_LT((X * A * X - X).norm(), 1e-11);
    EXPECT_LT((N * A * X - (N * A * X).transpose()).norm(), 1e-11);
    EXPECT_LT((M * X * A - (M * X * A).transpose()).norm(), 1e-11);  // (12) prints XAM
  }
}

// --- The rolling wheel of [Ikoki 2021], section 3 ---

struct Wheel {
  double m = 25, R = 0.3, I = 1.125;
  MatrixX<double> M() const { return Eigen::Vector3d(m, m, I).asDiagonal(); }
  MatrixX<double> A() const {
    MatrixX<double> rows(2, 3);
    rows << 0, 1, 0, 1, 0, -R;
    return rows;
  }
  static MatrixX<double> N(double s) { return Eigen::Vector2d(1, s * s).asDiagonal(); }
  MatrixX<double> X(double s) const {  // as printed
    const double D = m * R * R + I;
    MatrixX<double> x(3, 2);
    x << 0, I * s * s / D, 1, 0, 0, -m * R * s * s / D;
    return x;
  }
};

TEST(RelaxedInverse, IsThePapersClosedFormAndTheIdealInverseTimesN) {
  const Wheel wheel;
  const MatrixX<double> ideal = weighted_inverse(wheel.A(), wheel.N(1), wheel.M());
  for (const double s : {1.0, 0.9, 0.5, 0.1, 0.0}) {
    const MatrixX<double> X = relaxed_inverse(wheel.A(), wheel.N(s), wheel.M());
    EXPECT_LT((X - wheel.X(s)).norm(), 1e-14) << s;
    EXPECT_LT((X - ideal * wheel.N(s)).norm(), 1e-14) << s;
    if (s > 0) {  // the true weighted inverse (13) does not depend on N: A has full row rank
      EXPECT_LT((weighted_inverse(wheel.A(), wheel.N(s), wheel.M()) - ideal).norm(), 1e-13) << s;
    }
  }
}

// Below (18) the paper says that X has four properties. Two hold.
TEST(RelaxedInverse, TwoOfThePapersFourPropertiesFail) {
  const Wheel wheel;
  const MatrixX<double> A = wheel.A(), M = wheel.M();
  for (const double s : {0.9, 0.5}) {
    const MatrixX<double> N = wheel.N(s), X = relaxed_inverse(A, N, M);
    EXPECT_LT(((A * X).transpose() * N - N * A * X).norm(), 1e-13);
    EXPECT_LT(((X * A).transpose() * M - M * X * A).norm(), 1e-12);
    // A X = N is not a projector unless s is 0 or 1.
    EXPECT_LT((A * X - N).norm(), 1e-14);
    const double off = s * s * (1 - s * s);
    EXPECT_NEAR((N * A * X * A - N * A).cwiseAbs().maxCoeff(), off, 1e-12);
    const double share = wheel.m * wheel.I / (wheel.m * wheel.R * wheel.R + wheel.I);
    EXPECT_NEAR((M * X * A * X - M * X).cwiseAbs().maxCoeff(), share * off, 1e-10);
  }
  // (X A)^T M = M X A holds here because A M^-1 A^T is diagonal: not for rows that are not.
  MatrixX<double> oblique = A;
  oblique(0, 0) = 0.7;
  const MatrixX<double> X = relaxed_inverse(oblique, wheel.N(0.5), M);
  EXPECT_GT(((X * oblique).transpose() * M - M * X * oblique).norm(), 1.0);
  // And X is the ideal inverse times N there, too, as long as N can be inverted.
  const MatrixX<double> ideal = weighted_inverse(oblique, wheel.N(1), M);
  EXPECT_LT((X - ideal * wheel.N(0.5)).norm(), 1e-13);
  const MatrixX<double> X_0 = relaxed_inverse(oblique, wheel.N(0), M);
  EXPECT_GT((X_0 - ideal * wheel.N(0)).norm(), 1e-3);
}

// The same with camber's own symbols: X, and the forces (20). With adjugates in place of inverses
// all is polynomial, M^-1 = adj(M) / d and X = P / det(S), and expand() decides.
TEST(RelaxedInverse, ClosedFormsAndForcesFollowSymbolically) {
  using symbolic::Expr, symbolic::expand, symbolic::symbol;
  const Expr m = symbol("m"), R = symbol("R"), I = symbol("I_2"), s = symbol("s");
  const Expr T = symbol("T_m"), g = symbol("g"), F = symbol("F_c");
  symbolic::Matrix<3, 3> M = symbolic::Matrix<3, 3>::Zero(), adjugate = M;
  M.diagonal() << m, m, I;
  adjugate.diagonal() << m * I, m * I, m * m;
  const Expr d = m * m * I;
  symbolic::Matrix<2, 2> N = symbolic::Matrix<2, 2>::Zero();
  N.diagonal() << Expr(1), s * s;
  symbolic::Matrix<2, 3> A = symbolic::Matrix<2, 3>::Zero();
  A(0, 1) = 1;
  A(1, 0) = 1;
  A(1, 2) = -R;
  const symbolic::Matrix<2, 2> S = A * adjugate * A.transpose();
  symbolic::Matrix<2, 2> adj_S;
  adj_S << S(1, 1), -S(0, 1), -S(1, 0), S(0, 0);
  const Expr det = S(0, 0) * S(1, 1) - S(0, 1) * S(1, 0);
  const symbolic::Matrix<3, 2> P = adjugate * A.transpose() * adj_S * N;

  const Expr D = m * R * R + I;
  symbolic::Matrix<3, 2> printed = symbolic::Matrix<3, 2>::Zero();  // times D
  printed(0, 1) = I * s * s;
  printed(1, 0) = D;
  printed(2, 1) = -m * R * s * s;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) {
      EXPECT_TRUE(expand(P(i, j) * D - printed(i, j) * det).is_zero()) << i << j;
    }
  }

  symbolic::Matrix<3, 1> Q, C = symbolic::Matrix<3, 1>::Zero();
  Q << Expr(0), -m * g, T;  // F_w = T_b = 0, as for (20)
  C(0) = F;
  const symbolic::Matrix<3, 1> ideal = -(M * P * A * adjugate * Q);  // times det d
  const symbolic::Matrix<3, 1> through = M * P * A * adjugate * C;   // (5) with C, not Q
  const Expr ideal_printed[] = {m * R * s * s * T, m * g * D, -m * R * R * s * s * T};  // times D
  const Expr other_printed[] = {(m * R * R + I * (1 - s * s)) * F, Expr(0), I * R * s * s * F};
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(expand(ideal(i) * D - ideal_printed[i] * det * d).is_zero()) << i;
    const Expr other = C(i) * det * d - through(i);
    EXPECT_TRUE(expand(other * D - other_printed[i] * det * d).is_zero()) << i;
  }
}

TEST(PositiveSemidefinite, IsToldFromIndefinite) {
  Eigen::Matrix2d N;
  N << 1, 0.5, 0.5, 0.25;
  EXPECT_TRUE(is_positive_semidefinite(N));
  N(1, 1) = 0.2;
  EXPECT_FALSE(is_positive_semidefinite(N));
  N << 1, 0.2, 0.1, 1;
  EXPECT_FALSE(is_positive_semidefinite(N));  // not symmetric
}

}  // namespace
}  // namespace camber::multibody
