#include "camber/symbolic/matrix.h"

#include <sstream>
#include <stdexcept>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "camber/symbolic/test/evaluate_matrix.h"

namespace camber::symbolic {
namespace {

constexpr std::uint64_t kSeed = 20;

/// Two symbolic matrices and a vector with numbers for all of their entries.
struct Matrices : testing::Test {
  RandomStream random{kSeed};
  Bindings at;
  Matrix3 A = make_symbols("a", 3, 3, &random, &at);
  Matrix3 B = make_symbols("b", 3, 3, &random, &at);
  Vector3 v = make_symbols("v", 3, 1, &random, &at);
  Vector3 w = make_symbols("w", 3, 1, &random, &at);
  Eigen::Matrix3d A_d = evaluate_matrix(A, at), B_d = evaluate_matrix(B, at);
  Eigen::Vector3d v_d = evaluate_matrix(v, at), w_d = evaluate_matrix(w, at);
  testing::ScopedTrace trace{__FILE__, __LINE__, testing::Message() << "seed " << kSeed};
};

template <class A, class B>
void expect_near(const A& a, const B& b) {
  EXPECT_LE((a - b).norm(), 1e-12 * (1 + b.norm())) << a << "\nshould be\n" << b;
}

TEST_F(Matrices, MultiplyAddAndTransposeAsNumbersDo) {
  expect_near(evaluate_matrix(A * B + 3 * A.transpose() - B / Expr(7), at),
              Eigen::MatrixXd(A_d * B_d + 3 * A_d.transpose() - B_d / 7));
  expect_near(evaluate_matrix(A * v - v.cross(w), at), Eigen::MatrixXd(A_d * v_d - v_d.cross(w_d)));
}

TEST_F(Matrices, MixWithMatricesAndScalarsOfDouble) {
  expect_near(evaluate_matrix(0.3 * (B_d * A) * 1.7, at), Eigen::MatrixXd(0.51 * B_d * A_d));
  expect_near(evaluate_matrix(A * v_d + w_d, at), Eigen::MatrixXd(A_d * v_d + w_d));
}

TEST_F(Matrices, HaveNormsAndDotProducts) {
  EXPECT_NEAR(evaluate(v.norm(), at), v_d.norm(), 1e-14);
  EXPECT_NEAR(evaluate(v.dot(A * w), at), v_d.dot(A_d * w_d), 1e-13);
  EXPECT_NEAR(evaluate(A.trace(), at), A_d.trace(), 1e-14);
  expect_near(evaluate_matrix(v / v.norm(), at), Eigen::MatrixXd(v_d.normalized()));
}

TEST_F(Matrices, HaveDeterminantAndInverseInFixedSizes) {
  EXPECT_NEAR(evaluate(A.determinant(), at), A_d.determinant(), 1e-13);
  expect_near(evaluate_matrix(A.inverse(), at), Eigen::MatrixXd(A_d.inverse()));

  const Matrix<2, 2> second = A.topLeftCorner<2, 2>();
  EXPECT_NEAR(evaluate(second.determinant(), at), (A_d.topLeftCorner<2, 2>().determinant()), 1e-13);
  expect_near(evaluate_matrix(second.inverse(), at),
              Eigen::MatrixXd(A_d.topLeftCorner<2, 2>().inverse()));

  const Matrix<4, 4> fourth = make_symbols("c", 4, 4, &random, &at);
  const Eigen::Matrix4d fourth_values = evaluate_matrix(fourth, at);
  EXPECT_NEAR(evaluate(fourth.determinant(), at), fourth_values.determinant(), 1e-12);
  expect_near(evaluate_matrix(fourth.inverse(), at), Eigen::MatrixXd(fourth_values.inverse()));
}

// Beyond a size of 8 or so Eigen's product takes its blocked path, which packs and unpacks scalars.
TEST_F(Matrices, MultiplyInSizesForWhichEigenBlocksTheProduct) {
  const MatrixX C = make_symbols("c", 40, 30, &random, &at);
  const MatrixX D = make_symbols("d", 30, 35, &random, &at);
  expect_near(evaluate_matrix(C * D, at),
              Eigen::MatrixXd(evaluate_matrix(C, at) * evaluate_matrix(D, at)));
}

TEST_F(Matrices, StayExact) {
  Matrix<2, 2> hilbert;
  hilbert << Expr(1), Expr(1) / 2, Expr(1) / 2, Expr(1) / 3;
  const Matrix<2, 2> inverse = hilbert.inverse();
  EXPECT_EQ(inverse(0, 0), Expr(4));
  EXPECT_EQ(inverse(1, 0), Expr(-6));
  EXPECT_EQ(inverse(1, 1), Expr(12));
  EXPECT_EQ(A * B, A * B);
  EXPECT_EQ(Matrix3(A - A), Matrix3::Zero());
}

// Whether v is the zero vector cannot be known, so normalized() must not guess; nor a pivot.
TEST_F(Matrices, RefuseToBranchOnASymbol) {
  EXPECT_THROW(v.normalized(), std::logic_error);
  EXPECT_THROW(A.partialPivLu(), std::logic_error);
  EXPECT_THROW(A.llt(), std::logic_error);
  EXPECT_THROW(MatrixX(A).determinant(), std::logic_error);
  EXPECT_THROW(MatrixX(A).inverse().eval(), std::logic_error);
}

TEST_F(Matrices, PrintTheirEntries) {
  std::ostringstream out;
  out << Vector3(symbol("x"), Expr(1) / 2, symbol("y") + 1).transpose();
  EXPECT_EQ(out.str(), "    x   1/2 y + 1");
}

}  // namespace
}  // namespace camber::symbolic
