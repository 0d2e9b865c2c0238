#include "camber/symbolic/linear_solve.h"

#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/symbolic/test/evaluate_matrix.h"

namespace camber::symbolic {
namespace {

using Outcome = LinearSolution::Outcome;

struct SolveLinear : testing::Test {
  const Expr x = symbol("x"), y = symbol("y"), z = symbol("z");
  const Expr a = symbol("a"), b = symbol("b"), c = symbol("c"), q = variable("q");
};

/// Symbols, numbers and functions of an angle at random places.
MatrixX make_random_matrix(int n, double density, RandomStream* random, Bindings* at) {
  MatrixX A = make_symbols("a", n, n, random, at);
  const Expr q = variable("q");
  (*at)[q] = random->uniform(0.2, 1.2);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double kind = random->uniform();
      if (random->uniform() > density && i != j) {
        A(i, j) = 0;
      } else if (kind < 0.3) {
        A(i, j) = random->uniform(0.5, 2.0);
      } else if (kind < 0.6) {
        A(i, j) *= cos(q);
      }
    }
  }
  return A;
}

TEST_F(SolveLinear, AgreesWithEigen) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    Bindings at;
    const int n = static_cast<int>(random.integer(1, 9));
    const MatrixX A = make_random_matrix(n, random.uniform(0.1, 1.0), &random, &at);
    const VectorX rhs = make_symbols("b", n, 1, &random, &at);
    const Eigen::MatrixXd A_d = evaluate_matrix(A, at);
    const Eigen::VectorXd rhs_d = evaluate_matrix(rhs, at);
    const Eigen::VectorXd solution = evaluate_matrix(solve_linear(A, rhs), at);
    EXPECT_LE((A_d * solution - rhs_d).norm(), 1e-9 * A_d.norm() * solution.norm());
  }
}

TEST_F(SolveLinear, KeepsExactNumbersExact) {
  Matrix<3, 3> hilbert;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      hilbert(i, j) = Expr(1) / (i + j + 1);
    }
  }
  const VectorX solution = solve_linear(hilbert, Vector3(a, Expr(0), Expr(0)));
  EXPECT_EQ(solution, VectorX(Vector3(9 * a, -36 * a, 30 * a)));
}

// By elimination the solution would divide by cos(q), which vanishes at a right angle, where a
// rotation is as regular as anywhere.
TEST_F(SolveLinear, InvertsARotationAtEveryAngle) {
  Matrix<2, 2> R;
  R << cos(q), -sin(q), sin(q), cos(q);
  std::vector<Expr> pivots;
  const VectorX v = solve_linear(R, Matrix<2, 1>(a, b), &pivots);
  ASSERT_EQ(pivots.size(), 1u);
  const Bindings at = {{q, std::acos(-1.0) / 2}, {a, 0.3}, {b, 0.8}};
  EXPECT_NEAR(evaluate(pivots[0], at), 1, 1e-15);
  EXPECT_NEAR(evaluate(v(0), at), 0.8, 1e-15);
  EXPECT_NEAR(evaluate(v(1), at), -0.3, 1e-15);
}

// Three decoupled rotations and a triangular border: only determinants of the rotations are divided
// by.
TEST_F(SolveLinear, TreatsBlocksOneByOne) {
  MatrixX A = MatrixX::Zero(7, 7);
  std::vector<Expr> angles;
  for (int k = 0; k < 3; ++k) {
    angles.push_back(variable("q" + std::to_string(k)));
    const int at = 2 * k;
    A.block<2, 2>(at, at) << cos(angles[k]), -sin(angles[k]), sin(angles[k]), cos(angles[k]);
  }
  A.row(6) << a, b, c, a, b, c, Expr(3);
  std::vector<Expr> pivots;
  solve_linear(A, VectorX::Ones(7), &pivots);
  ASSERT_EQ(pivots.size(), 3u);
  for (const Expr& pivot : pivots) {
    EXPECT_NEAR(evaluate(pivot, {{angles[0], 1.1}, {angles[1], 2.2}, {angles[2], 3.3}}), 1, 1e-15);
  }
}

// The entry (0, 0) is zero in disguise; as a pivot it would divide by zero at every run.
TEST_F(SolveLinear, TakesNoPivotThatVanishesIdentically) {
  MatrixX A = MatrixX::Zero(4, 4);
  A(0, 0) = sin(q) * sin(q) + cos(q) * cos(q) - 1;
  A.row(0).tail(3) << a, b, c;
  A.row(1) << b, c, a, a + 1;
  A.row(2) << c, a, a * b, b;
  A.row(3) << a * c, b, c, a;
  const VectorX rhs = Matrix<4, 1>(a, b, c, q);
  const Bindings at = {{q, 0.7}, {a, 1.3}, {b, -0.6}, {c, 0.4}};
  const Eigen::VectorXd solution = evaluate_matrix(solve_linear(A, rhs), at);
  const Eigen::MatrixXd A_d = evaluate_matrix(A, at);
  EXPECT_LE((A_d * solution - evaluate_matrix(rhs, at)).norm(), 1e-12);
}

// (a + b)^2 - a^2 - 2ab - b^2 appears only in the course of the elimination.
TEST_F(SolveLinear, FindsTheDependentRowsOfASingularMatrix) {
  Matrix<4, 4> A;
  A.row(0) << a, b, c, Expr(1);
  A.row(1) << b, a, a * a, sin(q);
  A.row(2) << c, c, q, Expr(2);
  A.row(3) = (a + b) * A.row(0) - pow(sin(q), 2) * A.row(2);
  try {
    solve_linear(A, VectorX::Zero(4));
    FAIL() << "no error";
  } catch (const SingularSystemError& error) {
    EXPECT_STREQ(error.what(),
                 "solve_linear: the matrix is singular: rows 1, 3 and 4 are linearly dependent");
    EXPECT_EQ(error.equations(), (std::vector{0, 2, 3}));
  }
}

TEST_F(SolveLinear, SaysWhenTheRightHandSidesContradict) {
  Matrix<2, 2> A;
  A << a, b, 2 * a, 2 * b;
  try {
    solve_linear(A, Matrix<2, 1>(c, c));
    FAIL() << "no error";
  } catch (const SingularSystemError& error) {
    EXPECT_STREQ(
        error.what(),
        "solve_linear: the matrix is singular: rows 1 and 2 are linearly dependent, and so "
        "the right-hand sides contradict each other");
  }
}

TEST_F(SolveLinear, SolvesEquationsForTheirUnknowns) {
  const std::array equations = {a * (x + 2 * y) - b, sin(q) * (y - x) + c};
  const LinearSolution solution = solve_linear(equations, std::array{x, y});
  EXPECT_EQ(solution.outcome, Outcome::kUnique);
  ASSERT_EQ(solution.values.size(), 2u);
  Bindings at = {{a, 1.2}, {b, 0.7}, {c, -0.4}, {q, 0.9}};
  const double x_d = evaluate(solution.values[0], at), y_d = evaluate(solution.values[1], at);
  EXPECT_NEAR(1.2 * (x_d + 2 * y_d), 0.7, 1e-14);
  EXPECT_NEAR(std::sin(0.9) * (y_d - x_d), 0.4, 1e-14);
}

TEST_F(SolveLinear, CancelsWhatRowsAndColumnsHaveInCommon) {
  // Rows by a and b, columns by c and q, as masses and lengths stand in equations of motion.
  const Expr p = symbol("p"), r = symbol("r");
  const std::array equations = {a * (c * p * x + sin(q) * y - r), b * (c * x + sin(q) * r * y + p)};
  const LinearSolution solution = solve_linear(equations, std::array{x, y});
  EXPECT_EQ(solution.values[0], (r * r + p) / (c * (p * r - 1)));
  EXPECT_EQ(solution.values[1], -(p * p + r) / (sin(q) * (p * r - 1)));
}

TEST_F(SolveLinear, SolvesForDerivativesOfVariables) {
  const Expr acceleration = variable("q", 2);
  const LinearSolution solution =
      solve_linear(std::array{a * acceleration + b * sin(q)}, std::array{acceleration});
  EXPECT_EQ(solution.values[0], -b * sin(q) / a);
  EXPECT_EQ(solution.pivots, std::vector{a});
}

TEST_F(SolveLinear, LeavesUnknownsFreeWhereEquationsAreFew) {
  const LinearSolution solution =
      solve_linear(std::array{x + y - a, 2 * x + 2 * y - 2 * a}, std::array{x, y, z});
  EXPECT_EQ(solution.outcome, Outcome::kUnderdetermined);
  EXPECT_EQ(solution.free_unknowns, (std::vector{1, 2}));
  EXPECT_EQ(solution.values, (std::vector{a - y, y, z}));
  ASSERT_EQ(solution.redundant.size(), 1u);
  EXPECT_EQ(solution.redundant[0].equations, (std::vector{0, 1}));
  EXPECT_TRUE(solution.contradictions.empty());
}

TEST_F(SolveLinear, UsesMoreEquationsThanUnknownsWhenTheyAgree) {
  const std::array equations = {x - y - a, x + y - b, 3 * x - y - 2 * a - b};
  const LinearSolution solution = solve_linear(equations, std::array{x, y});
  EXPECT_EQ(solution.outcome, Outcome::kUnique);
  EXPECT_EQ(solution.values, (std::vector{a / 2 + b / 2, b / 2 - a / 2}));
  ASSERT_EQ(solution.redundant.size(), 1u);
  EXPECT_EQ(solution.redundant[0].equations, (std::vector{0, 1, 2}));
}

TEST_F(SolveLinear, GivesTheResidualOfAContradiction) {
  const LinearSolution solution =
      solve_linear(std::array{x + y - a, z - c, x + y - b}, std::array{x, y, z});
  EXPECT_EQ(solution.outcome, Outcome::kInconsistent);
  EXPECT_TRUE(solution.values.empty());
  ASSERT_EQ(solution.contradictions.size(), 1u);
  EXPECT_EQ(solution.contradictions[0].equations, (std::vector{0, 2}));
  EXPECT_EQ(solution.contradictions[0].residual, b - a);
}

TEST_F(SolveLinear, TakesAnEquationWithoutUnknownsForWhatItIs) {
  EXPECT_EQ(solve_linear(std::array{a - b}, std::array{x}).outcome, Outcome::kInconsistent);
  EXPECT_EQ(solve_linear(std::array{Expr(0), x - a}, std::array{x}).outcome, Outcome::kUnique);
  const std::span<const Expr> nothing;
  EXPECT_EQ(solve_linear(nothing, nothing).outcome, Outcome::kUnique);
}

TEST_F(SolveLinear, RefusesWhatItCannotSolve) {
  EXPECT_THROW(solve_linear(std::array{x * y - a}, std::array{x, y}), std::invalid_argument);
  EXPECT_THROW(solve_linear(std::array{sin(x)}, std::array{x}), std::invalid_argument);
  EXPECT_THROW(solve_linear(std::array{x + y}, std::array{x + y}), std::invalid_argument);
  EXPECT_THROW(solve_linear(std::array{x + y}, std::array{x, x}), std::invalid_argument);
  EXPECT_THROW(solve_linear(MatrixX::Ones(2, 3), VectorX::Ones(2)), std::invalid_argument);
  EXPECT_THROW(solve_linear(MatrixX::Ones(2, 2), VectorX::Ones(3)), std::invalid_argument);
  EXPECT_THROW(solve_linear(std::array{sqrt(-1 - a * a) * x - 1}, std::array{x}),
               std::domain_error);
}

// Thirty unknowns, each coupled with three others.
TEST_F(SolveLinear, SolvesALargeSparseSystem) {
  RandomStream random(8);
  Bindings at;
  const int n = 30;
  MatrixX A = MatrixX::Zero(n, n);
  const MatrixX symbols = make_symbols("a", n, n, &random, &at);
  for (int i = 0; i < n; ++i) {
    for (const int j : {i, (i + 1) % n, (i + 7) % n}) {
      A(i, j) = symbols(i, j);
    }
  }
  const VectorX rhs = make_symbols("b", n, 1, &random, &at);
  const Eigen::MatrixXd A_d = evaluate_matrix(A, at);
  const Eigen::VectorXd solution = evaluate_matrix(solve_linear(A, rhs), at);
  EXPECT_LE((A_d * solution - evaluate_matrix(rhs, at)).norm(),
            1e-9 * A_d.norm() * solution.norm());
}

}  // namespace
}  // namespace camber::symbolic
