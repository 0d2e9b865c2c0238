#include "camber/math/eigen_scalars.h"

#include <stdexcept>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::math {
namespace {

constexpr unsigned kSeed = 99;

template <class T, int rows, int cols>
using Matrix = Eigen::Matrix<T, rows, cols>;

template <int rows, int cols>
Matrix<double, rows, cols> random_matrix(RandomStream* random) {
  Matrix<double, rows, cols> m;
  for (double& entry : m.reshaped()) entry = random->uniform(-1, 1);
  return m;
}

template <int n>
Matrix<double, n, n> random_positive_matrix(RandomStream* random) {
  const auto m = random_matrix<n, n>(random);
  return m * m.transpose() + 0.5 * Matrix<double, n, n>::Identity();
}

/// A + B t as duals of t, at t = 0.
template <int rows, int cols>
Matrix<Dual<1>, rows, cols> line(const Matrix<double, rows, cols>& A,
                                 const Matrix<double, rows, cols>& B) {
  return A + B * Dual<1>::variable(0, 0);
}

template <class Derived>
auto slope(const Eigen::MatrixBase<Derived>& m) {
  return m.unaryExpr([](const Dual<1>& x) { return x.partial(0); }).eval();
}
template <class Derived>
auto values(const Eigen::MatrixBase<Derived>& m) {
  return m.unaryExpr([](const Dual<1>& x) { return x.value; }).eval();
}

class EigenOfDuals : public testing::Test {
 protected:
  EigenOfDuals() {
    A = random_positive_matrix<6>(&random);
    dA = random_positive_matrix<6>(&random);
    B = random_matrix<6, 3>(&random);
    dB = random_matrix<6, 3>(&random);
  }
  RandomStream random{kSeed};
  Matrix<double, 6, 6> A, dA;
  Matrix<double, 6, 3> B, dB;
};

TEST_F(EigenOfDuals, FollowTheProductRule) {
  const auto C = (line(A, dA) * line(B, dB)).eval();
  EXPECT_TRUE(values(C).isApprox(A * B, 1e-14));
  EXPECT_TRUE(slope(C).isApprox(dA * B + A * dB, 1e-14));
}

// d(A^-1) = -A^-1 dA A^-1.
TEST_F(EigenOfDuals, FollowTheRuleOfTheInverse) {
  const Matrix<double, 3, 3> A3 = A.topLeftCorner<3, 3>(), dA3 = dA.topLeftCorner<3, 3>();
  const Matrix<double, 3, 3> inverse = A3.inverse();
  EXPECT_TRUE(slope(line(A3, dA3).inverse()).isApprox(-inverse * dA3 * inverse, 1e-12));
}

// A X = B, so A dX + dA X = dB.
TEST_F(EigenOfDuals, SolveWithTheirDerivatives) {
  const Matrix<Dual<1>, 6, 3> X = line(A, dA).ldlt().solve(line(B, dB));
  EXPECT_TRUE((A * values(X)).isApprox(B, 1e-12));
  EXPECT_TRUE((A * slope(X) + dA * values(X)).isApprox(dB, 1e-12));
}

TEST_F(EigenOfDuals, MeetMatricesAndFactorsOfDouble) {
  const auto X = line(B, dB);
  EXPECT_TRUE(slope(A * X).isApprox(A * dB, 1e-14));
  EXPECT_TRUE(slope(X.transpose() * A).isApprox(dB.transpose() * A, 1e-14));
  EXPECT_TRUE(slope(2.5 * X - X / 0.7 + B).isApprox(2.5 * dB - dB / 0.7, 1e-14));
}

TEST_F(EigenOfDuals, TurnVectors) {
  const auto u = line<3, 1>(B.topRows<3>().col(0), dB.topRows<3>().col(0));
  EXPECT_NEAR(u.normalized().norm().partial(0), 0, 1e-15);
  EXPECT_NEAR(u.cross(line<3, 1>(B.topRows<3>().col(1), dB.topRows<3>().col(1))).dot(u).partial(0),
              0, 1e-15);
}

template <class T>
class EigenOfLanes : public testing::Test {
 protected:
  /// One matrix per lane.
  template <int rows, int cols>
  struct PerLane {
    Matrix<double, rows, cols> lane[T::kLanes];
    Matrix<T, rows, cols> gather() const {
      Matrix<T, rows, cols> m;
      for (int k = 0; k < m.size(); ++k)
        for (int i = 0; i < T::kLanes; ++i)
          m(k % rows, k / rows).set_lane(i, lane[i](k % rows, k / rows));
      return m;
    }
  };
  template <int rows, int cols>
  static Matrix<double, rows, cols> lane(const Matrix<T, rows, cols>& m, int i) {
    return m.unaryExpr([i](const T& x) { return x.lane(i); });
  }

  EigenOfLanes() {
    for (int i = 0; i < T::kLanes; ++i) {
      six.lane[i] = random_positive_matrix<6>(&random);
      four.lane[i] = random_positive_matrix<4>(&random);
      three.lane[i] = random_positive_matrix<3>(&random);
      sides.lane[i] = random_matrix<6, 3>(&random);
    }
  }
  RandomStream random{kSeed};
  PerLane<6, 6> six;
  PerLane<4, 4> four;
  PerLane<3, 3> three;
  PerLane<6, 3> sides;
};
using Widths = testing::Types<Lanes<4>, Lanes<8>>;
TYPED_TEST_SUITE(EigenOfLanes, Widths);

TYPED_TEST(EigenOfLanes, MultiplyAndInvert) {
  using T = TypeParam;
  const Matrix<T, 6, 3> product = this->six.gather() * this->sides.gather();
  const Matrix<T, 3, 3> inverse3 = this->three.gather().inverse();
  const Matrix<T, 4, 4> inverse4 = this->four.gather().inverse();
  for (int i = 0; i < T::kLanes; ++i) {
    EXPECT_TRUE(this->lane(product, i).isApprox(this->six.lane[i] * this->sides.lane[i], 1e-14));
    EXPECT_TRUE((this->lane(inverse3, i) * this->three.lane[i]).isIdentity(1e-12));
    EXPECT_TRUE((this->lane(inverse4, i) * this->four.lane[i]).isIdentity(1e-12));
  }
}

TYPED_TEST(EigenOfLanes, MeetMatricesAndFactorsOfDouble) {
  using T = TypeParam;
  const Matrix<T, 6, 3> B = this->sides.gather();
  const Matrix<double, 6, 6> A = this->six.lane[0];
  const Matrix<T, 6, 3> C = A * B * 2.5 - B / 0.7;
  for (int i = 0; i < T::kLanes; ++i) {
    const auto& B_i = this->sides.lane[i];
    EXPECT_TRUE(this->lane(C, i).isApprox(A * B_i * 2.5 - B_i / 0.7, 1e-14));
  }
}

// Sizes that are known at run time go through Eigen's kernels for large products.
TYPED_TEST(EigenOfLanes, MultiplyInSizesOfRunTime) {
  using T = TypeParam;
  using MatrixX = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const MatrixX A = this->six.gather(), B = this->sides.gather();
  const Matrix<T, 6, 3> product = A * B;
  const Matrix<T, 6, 1> column = A * B.col(1);
  const Matrix<T, 1, 6> row = B.col(1).transpose() * A;
  for (int i = 0; i < T::kLanes; ++i) {
    const Matrix<double, 6, 6>& A_i = this->six.lane[i];
    const Matrix<double, 6, 3>& B_i = this->sides.lane[i];
    EXPECT_TRUE(this->lane(product, i).isApprox(A_i * B_i, 1e-14));
    EXPECT_TRUE(this->lane(column, i).isApprox(A_i * B_i.col(1), 1e-14));
    EXPECT_TRUE(this->lane(row, i).isApprox(B_i.col(1).transpose() * A_i, 1e-14));
  }
}

// A pivot is an index: each lane would want its own.
TYPED_TEST(EigenOfLanes, RefuseToPivotApart) {
  const Matrix<TypeParam, 6, 3> B = this->sides.gather();
  int index;
  EXPECT_THROW(B.col(0).maxCoeff(&index), std::logic_error);
}

}  // namespace
}  // namespace camber::math
