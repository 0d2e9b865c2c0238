#include "camber/math/ldlt.h"

#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/eigen_scalars.h"

namespace camber::math {
namespace {

constexpr unsigned kSeed = 1729;

template <class T>
using MatrixX = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

/// M M^T + I/2 of a random M.
MatrixX<double> random_positive_matrix(int n, RandomStream* random) {
  MatrixX<double> m(n, n);
  for (double& entry : m.reshaped()) entry = random->uniform(-1, 1);
  return m.lazyProduct(m.transpose()).eval() + 0.5 * MatrixX<double>::Identity(n, n);
}

TEST(Ldlt, SolvesWhatTheLowerTriangleSays) {
  for (int n = 1; n <= 9; ++n) {
    SCOPED_TRACE(testing::Message() << "n = " << n << ", seed " << kSeed);
    RandomStream random = RandomStream(kSeed).substream("matrix", n);
    const MatrixX<double> A = random_positive_matrix(n, &random);
    MatrixX<double> B(n, 2);
    for (double& entry : B.reshaped()) entry = random.uniform(-1, 1);

    MatrixX<double> LD = A;
    LD.triangularView<Eigen::StrictlyUpper>().setConstant(NAN);
    factor_ldlt(&LD);
    MatrixX<double> X = B;
    solve_ldlt(LD, &X);
    EXPECT_TRUE(A.lazyProduct(X).isApprox(B, 1e-12));
  }
}

TEST(Ldlt, SolvesADifferentSystemInEachLane) {
  using T = Lanes<4>;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  RandomStream random(kSeed);
  MatrixX<double> A[T::kLanes];
  Eigen::Matrix<T, 6, 6> LD;
  Eigen::Matrix<T, 6, 1> b, x;
  for (int i = 0; i < T::kLanes; ++i) {
    A[i] = random_positive_matrix(6, &random);
    for (int r = 0; r < 6; ++r) {
      b[r].set_lane(i, i == 2 ? 0.0 : random.uniform(-1, 1));  // one lane without any load
      for (int c = 0; c < 6; ++c) LD(r, c).set_lane(i, A[i](r, c));
    }
  }
  factor_ldlt(&LD);
  x = b;
  solve_ldlt(LD, &x);
  for (int i = 0; i < T::kLanes; ++i) {
    for (int r = 0; r < 6; ++r) {
      double sum = 0;
      for (int c = 0; c < 6; ++c) sum += A[i](r, c) * x[c].lane(i);
      EXPECT_NEAR(sum, b[r].lane(i), 1e-13) << "lane " << i << ", row " << r;
    }
  }
}

}  // namespace
}  // namespace camber::math
