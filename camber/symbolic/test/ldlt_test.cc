#include "camber/symbolic/ldlt.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/singular_system_error.h"
#include "camber/symbolic/test/evaluate_matrix.h"

namespace camber::symbolic {
namespace {

/// Expressions together with the numbers that their symbols stand for.
struct System {
  MatrixX M, B;  // B has no rows where there are no constraints
  VectorX rhs;
  Bindings at;

  MatrixX kkt() const {
    const auto n = M.rows(), m = B.rows();
    MatrixX A = MatrixX::Zero(n + m, n + m);
    A.topLeftCorner(n, n) = M;
    A.bottomLeftCorner(m, n) = B;
    A.topRightCorner(n, m) = B.transpose();
    return A;
  }
};

/// Which entries of a mass matrix there are: couples(i, j) for j < i.
using Couples = std::function<bool(int, int)>;

/// Positive definite at `at`: the sum of J_k^T J_k over pairs that are coupled, plus a diagonal. A
/// third of the entries are functions of an angle, a third numbers, the others symbols.
System make_system(int n, const Couples& couples, RandomStream* random) {
  System s;
  const Expr q = variable("q");
  s.at[q] = random->uniform(0.2, 1.2);
  s.M = MatrixX::Zero(n, n);
  std::vector<double> row_sum(static_cast<std::size_t>(n));
  const auto bound_symbol = [&](const std::string& name, double low, double high) {
    const Expr x = symbol(name);
    s.at[x] = random->uniform(low, high);
    return x;
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      if (!couples(i, j)) {
        continue;
      }
      const std::string name = concat("m_", i + 1, "_", j + 1);
      const int kind = static_cast<int>(random->integer(0, 2));
      s.M(i, j) = s.M(j, i) = kind == 0   ? bound_symbol(name, -1.0, 1.0) * cos(q)
                              : kind == 1 ? Expr(random->uniform(-1.0, 1.0))
                                          : bound_symbol(name, -1.0, 1.0);
      const double size = std::abs(evaluate(s.M(i, j), s.at));
      row_sum[i] += size;
      row_sum[j] += size;
    }
  }
  for (int i = 0; i < n; ++i) {
    const std::string name = concat("m_", i + 1);
    s.M(i, i) = bound_symbol(name, row_sum[i] + 0.3, row_sum[i] + 1.3);
  }
  s.B.resize(0, n);
  s.rhs = make_symbols("f", n, 1, random, &s.at);
  return s;
}

/// `m` constraints, each on a few unknowns.
void add_constraints(int m, RandomStream* random, System* s) {
  const int n = static_cast<int>(s->M.rows());
  const Expr q = variable("q");
  s->B = MatrixX::Zero(m, n);
  const std::vector<int> own =
      random->permutation(n);  // a column for each row: structurally independent
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      if (j == own[i] || random->uniform() < 2.0 / n) {
        const Expr b = symbol(concat("b_", i + 1, "_", j + 1));
        s->at[b] = random->uniform(0.3, 2.0);
        s->B(i, j) = random->uniform() < 0.5 ? b * sin(q) : b;
      }
    }
  }
  s->rhs = make_symbols("f", n + m, 1, random, &s->at);
}

Couples random_tree(int n, RandomStream* random) {
  std::vector<int> parent(static_cast<std::size_t>(n), -1);
  for (int i = 1; i < n; ++i) {
    parent[i] = static_cast<int>(random->integer(0, i - 1));
  }
  return [parent](int i, int j) {
    while (i > j) {
      i = parent[i];
    }
    return i == j;
  };
}
Couples arrow() {
  return [](int, int j) { return j == 0; };
}
Couples chain() {
  return [](int i, int j) { return i == j + 1; };
}
Couples dense() {
  return [](int, int) { return true; };
}
Couples scattered(double density, RandomStream random) {
  return [density, random](int, int) mutable { return random.uniform() < density; };
}

/// The solution at the system's numbers, against Eigen's full pivoting.
void expect_solves(const Ldlt& ldlt, const System& s) {
  const Eigen::MatrixXd A = evaluate_matrix(s.kkt(), s.at);
  const Eigen::VectorXd b = evaluate_matrix(s.rhs, s.at);
  const Eigen::VectorXd expected = math::solve_with_full_pivoting(A, b);
  const Eigen::VectorXd x = evaluate_matrix(ldlt.solve(s.rhs), s.at);
  EXPECT_LE((x - expected).norm(), 1e-9 * expected.norm());
  for (const Ldlt::Pivot& pivot : ldlt.pivots()) {
    EXPECT_GT(evaluate(pivot.guard, s.at), 0) << pivot.name;
  }
}

System make_any_mass_matrix(unsigned seed, RandomStream* random) {
  const int n = static_cast<int>(random->integer(1, 14));
  switch (seed % 5) {
    case 0:
      return make_system(n, random_tree(n, random), random);
    case 1:
      return make_system(n, arrow(), random);
    case 2:
      return make_system(n, chain(), random);
    case 3:
      return make_system(n, dense(), random);
    default:
      return make_system(n, scattered(0.25, random->substream("pattern")), random);
  }
}

TEST(Ldlt, SolvesPositiveDefiniteSystems) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const System s = make_any_mass_matrix(seed, &random);
    expect_solves(factor_symmetric(s.M), s);
  }
}

TEST(Ldlt, SolvesConstrainedSystems) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    System s = make_any_mass_matrix(seed, &random);
    add_constraints(static_cast<int>(random.integer(0, s.M.rows())), &random, &s);
    expect_solves(factor_kkt(s.M, s.B), s);
  }
}

TEST(Ldlt, IsTheProductOfItsFactors) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    System s = make_any_mass_matrix(seed, &random);
    add_constraints(static_cast<int>(random.integer(0, s.M.rows())), &random, &s);
    const Ldlt ldlt = factor_kkt(s.M, s.B);
    const int n = ldlt.size();

    Eigen::MatrixXd L = Eigen::MatrixXd::Identity(n, n), D = Eigen::MatrixXd::Zero(n, n),
                    P = Eigen::MatrixXd::Zero(n, n);
    for (int k = 0; k < n; ++k) {
      P(k, ldlt.order()[k]) = 1;
      D(k, k) = evaluate(ldlt.pivots()[k].value, s.at);
      EXPECT_EQ(ldlt.pivots()[k].unknown, ldlt.order()[k]);
      for (const Entry& l : ldlt.L_columns()[k]) {
        L(l.row, l.col) = evaluate(l.value, s.at);
      }
    }
    const Eigen::MatrixXd A = evaluate_matrix(s.kkt(), s.at);
    const Eigen::MatrixXd product = P.transpose() * L * D * L.transpose() * P;
    EXPECT_LE((product - A).norm(), 1e-10 * A.norm());
  }
}

// Sylvester's law of inertia: the reason that no exchange of rows is needed at run time.
TEST(Ldlt, HasANegativePivotForEachMultiplierAndNoOther) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    System s = make_any_mass_matrix(seed, &random);
    add_constraints(static_cast<int>(random.integer(0, s.M.rows())), &random, &s);
    const Ldlt ldlt = factor_kkt(s.M, s.B);
    for (const Ldlt::Pivot& pivot : ldlt.pivots()) {
      EXPECT_EQ(evaluate(pivot.value, s.at) < 0, pivot.unknown >= s.M.rows()) << pivot.name;
    }
  }
}

TEST(Ldlt, AppliesTheInverseToAMatrix) {
  RandomStream random(3);
  System s = make_system(7, random_tree(7, &random), &random);
  add_constraints(3, &random, &s);
  const MatrixX R = make_symbols("r", 10, 4, &random, &s.at);
  const Eigen::MatrixXd X = evaluate_matrix(factor_kkt(s.M, s.B).apply_inverse(R), s.at);
  const Eigen::MatrixXd A = evaluate_matrix(s.kkt(), s.at);
  EXPECT_LE((A * X - evaluate_matrix(R, s.at)).norm(), 1e-11 * A.norm() * X.norm());
}

TEST(Ldlt, GivesTheSameSolutionInEveryOrderOfTheUnknowns) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const System s = make_any_mass_matrix(seed, &random);
    const int n = static_cast<int>(s.M.rows());
    const std::vector<int> p = random.permutation(n);
    MatrixX M(n, n);
    VectorX rhs(n);
    for (int i = 0; i < n; ++i) {
      rhs(i) = s.rhs(p[i]);
      for (int j = 0; j < n; ++j) {
        M(i, j) = s.M(p[i], p[j]);
      }
    }
    const Eigen::VectorXd x = evaluate_matrix(factor_symmetric(s.M).solve(s.rhs), s.at);
    const Eigen::VectorXd y = evaluate_matrix(factor_symmetric(M).solve(rhs), s.at);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(y(i), x(p[i]), 1e-11 * x.norm());
    }
  }
}

std::vector<Expr> factors_of(const Ldlt& ldlt) {
  std::vector<Expr> all;
  for (const Ldlt::Pivot& pivot : ldlt.pivots()) {
    all.push_back(pivot.value);
  }
  for (const auto& column : ldlt.L_columns()) {
    for (const Entry& l : column) {
      all.push_back(l.value);
    }
  }
  return all;
}

/// A system whose entries are all symbols: no entry costs anything by itself, none can cancel.
System only_symbols(int n, int m, const Couples& couples, RandomStream* random) {
  System s;
  s.M = MatrixX::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      if (i == j || couples(i, j)) {
        s.M(i, j) = s.M(j, i) = symbol(concat("m_", i + 1, "_", j + 1));
      }
    }
  }
  s.B = MatrixX::Zero(m, n);
  const std::vector<int> own = random->permutation(n);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      if (j == own[i] || random->uniform() < 2.0 / n) {
        s.B(i, j) = symbol(concat("b_", i + 1, "_", j + 1));
      }
    }
  }
  return s;
}

// Operations on zeros would show: the expressions hold as many operations as the pattern asks for.
// Their count has a division for each l = u / d, where the pattern's has one reciprocal per pivot
// and a multiplication for each l.
TEST(Ldlt, SpendsNoOperationOnAZero) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int n = static_cast<int>(random.integer(2, 14));
    const System s = only_symbols(n, static_cast<int>(random.integer(0, n / 2)),
                                  scattered(0.3, random.substream("pattern")), &random);
    const Ldlt ldlt = factor_kkt(s.M, s.B);
    const OperationCount count = count_shared_operations(factors_of(ldlt));
    const FactorizationCost& cost = ldlt.cost();
    EXPECT_EQ(static_cast<int>(count.divisions), cost.entries);
    EXPECT_EQ(static_cast<std::int64_t>(count.multiplications),
              cost.multiplications - cost.entries);
    EXPECT_EQ(static_cast<std::int64_t>(count.additions), cost.additions);
  }
}

TEST(Ldlt, LeavesZerosOfTheRightHandSideOut) {
  RandomStream random(4);
  const System s = only_symbols(12, 0, chain(), &random);
  VectorX b = VectorX::Zero(12);
  EXPECT_EQ(factor_symmetric(s.M).solve(b), b);
  const Ldlt ldlt = factor_symmetric(s.M);
  b(ldlt.order().back()) = symbol("f");  // eliminated last: nothing to do on the way down
  const VectorX x = ldlt.solve(b);
  const std::vector<Expr> solution(x.data(), x.data() + x.size());
  std::vector<Expr> all = factors_of(ldlt);
  const auto factors_only = count_shared_operations(all);
  all.insert(all.end(), solution.begin(), solution.end());
  const auto with_solution = count_shared_operations(all);
  EXPECT_EQ(with_solution.divisions - factors_only.divisions, 1u);  // by the last pivot
  EXPECT_EQ(with_solution.multiplications - factors_only.multiplications, 11u);
  EXPECT_EQ(with_solution.additions, factors_only.additions);
}

TEST(Ldlt, FactorsAChainOfFortyInLinearWork) {
  RandomStream random(5);
  const System s = make_system(40, chain(), &random);
  const Ldlt ldlt = factor_symmetric(s.M);
  EXPECT_EQ(ldlt.cost().fill, 0);
  EXPECT_EQ(ldlt.cost().multiplications, 2 * 39);
  EXPECT_EQ(ldlt.dense_cost().multiplications, 40 * 39 / 2 + 40 * 39 * 41 / 6);
  expect_solves(ldlt, s);
}

TEST(Ldlt, FactorsADenseMatrixOfForty) {
  RandomStream random(6);
  const System s = make_system(40, dense(), &random);
  const Ldlt ldlt = factor_symmetric(s.M);
  EXPECT_EQ(ldlt.cost(), ldlt.dense_cost());
  expect_solves(ldlt, s);
}

TEST(Ldlt, NamesPivotsAndEntriesAfterTheUnknowns) {
  Matrix<2, 2> M;
  M << symbol("a"), symbol("b"), symbol("b"), symbol("c");
  const Ldlt ldlt = factor_symmetric(M, {.names = {"x", "y"}, .prefix = "front_"});
  ASSERT_EQ(ldlt.order(), (std::vector{0, 1}));
  EXPECT_EQ(ldlt.pivots()[0].name, "front_d_x");
  EXPECT_EQ(ldlt.pivots()[0].value, symbol("a"));  // a leaf has a name already
  EXPECT_EQ(ldlt.pivots()[1].name, "front_d_y");
  EXPECT_EQ(ldlt.pivots()[1].value.name(), "front_d_y");
  EXPECT_EQ(ldlt.L_columns()[0][0].value.name(), "front_l_y_x");
}

// The two rows of B become parallel at q = 0.7: exact zero times rounding.
TEST(Ldlt, HasAGuardThatFailsWhereConstraintsBecomeDependent) {
  const Expr q = variable("q");
  MatrixX M = MatrixX::Zero(3, 3), B(2, 3);
  M.diagonal() << Expr(1.3), Expr(2.1), Expr(0.7);
  B << cos(q), sin(q), Expr(0.4), Expr(3 * std::cos(0.7)), Expr(3 * std::sin(0.7)), Expr(1.2);
  const Ldlt ldlt = factor_kkt(M, B, {.names = {"x", "y", "z", "pin", "rod"}});
  const auto failing = [&](double angle) {
    std::string names;
    for (const Ldlt::Pivot& pivot : ldlt.pivots()) {
      names += evaluate(pivot.guard, {{q, angle}}) > 0 ? "" : pivot.name + " ";
    }
    return names;
  };
  EXPECT_EQ(failing(0.5), "");
  EXPECT_EQ(failing(0.7), ldlt.order().back() == 4 ? "d_rod " : "d_pin ");
  EXPECT_EQ(failing(0.7001), "");
}

template <class F>
SingularSystemError singular_error_of(const F& f) {
  try {
    f();
  } catch (const SingularSystemError& error) {
    return error;
  }
  ADD_FAILURE() << "no SingularSystemError";
  return SingularSystemError("", {});
}

TEST(Ldlt, NamesConstraintsThatTouchTooFewUnknowns) {
  MatrixX M = MatrixX::Identity(3, 3), B = MatrixX::Zero(3, 3);
  B(0, 1) = symbol("a");
  B(1, 0) = symbol("b");
  B(1, 2) = symbol("c");
  B(2, 1) = symbol("d");
  const auto error = singular_error_of([&] {
    factor_kkt(M, B, {.names = {"x", "y", "z", "pin", "rod", "gear"}});
  });
  EXPECT_STREQ(error.what(),
               "KKT system: constraints pin and gear are redundant: together they involve fewer "
               "unknowns than there are constraints");
  EXPECT_EQ(error.equations(), (std::vector{0, 2}));
}

// Row 3 is row 1 times x plus row 2, which the pattern does not show.
TEST(Ldlt, NamesConstraintsThatAreDependentForAllValues) {
  const Expr x = symbol("x"), q = variable("q");
  MatrixX M = 2 * MatrixX::Identity(5, 5), B = MatrixX::Zero(4, 5);
  B.row(0) << sin(q), x, Expr(0), Expr(2), symbol("a");
  B.row(1) << x, Expr(1), cos(q), Expr(0), symbol("b");
  B.row(2) << x * sin(q) + x, x * x + 1, cos(q), 2 * x, symbol("a") * x + symbol("b");
  B.row(3) << Expr(1), Expr(2), Expr(3), x, Expr(5);
  const auto error = singular_error_of([&] { factor_kkt(M, B); });
  EXPECT_STREQ(error.what(),
               "KKT system: constraints 6, 7 and 8 are redundant: they are linearly dependent");
  EXPECT_EQ(error.equations(), (std::vector{0, 1, 2}));
}

// The determinant is sin^2 + cos^2 - 1 times a mass: zero, in disguise.
TEST(Ldlt, NamesRowsOfAMatrixThatIsSingularForAllValues) {
  const Expr q = variable("q"), m = symbol("m");
  Matrix<3, 3> M;
  M << m, m * sin(q), 0, m * sin(q), m - m * cos(q) * cos(q), 0, 0, 0, symbol("J");
  const auto error = singular_error_of([&] { factor_symmetric(M, {.names = {"x", "y", "z"}}); });
  EXPECT_EQ(error.equations(), (std::vector{0, 1}));
  EXPECT_NE(std::string(error.what()).find("rows x and y are linearly dependent"),
            std::string::npos)
      << error.what();
}

TEST(Ldlt, RefusesNumbersThatAreNotPositiveDefinite) {
  Matrix<2, 2> M;
  M << Expr(1), Expr(2), Expr(2), Expr(3);
  const auto error = singular_error_of([&] { factor_symmetric(M); });
  EXPECT_STREQ(error.what(), "LDL^T: pivot d_2 must be > 0, but it is -1");
}

TEST(Ldlt, AcceptsTwoWritingsOfTheSameEntry) {
  const Expr q = variable("q"), m = symbol("m");
  Matrix<2, 2> M;
  M << 3 + m, m * sin(q) * cos(q) * 2, m * sin(2 * q), 5 + m;
  const Bindings at = {{q, 0.4}, {m, 0.8}};
  const Eigen::Matrix2d M_d = evaluate_matrix(M, at);
  const VectorX b = Matrix<2, 1>(Expr(2), m);
  const Eigen::VectorXd x = evaluate_matrix(factor_symmetric(M).solve(b), at);
  EXPECT_LE((M_d * x - Eigen::Vector2d(2, 0.8)).norm(), 1e-14);
}

TEST(Ldlt, RefusesWhatItCannotFactor) {
  Matrix<2, 2> M;
  M << symbol("a"), symbol("b"), symbol("c"), symbol("d");
  EXPECT_THROW(factor_symmetric(M), std::invalid_argument);  // not symmetric
  EXPECT_THROW(factor_symmetric(MatrixX::Zero(2, 3)), std::invalid_argument);
  EXPECT_THROW(factor_symmetric(MatrixX::Zero(2, 2)), std::invalid_argument);  // zero diagonal
  const MatrixX I = MatrixX::Identity(3, 3);
  EXPECT_THROW(factor_symmetric(I, {.names = {"x", "y"}}), std::invalid_argument);
  EXPECT_THROW(factor_symmetric(I, {.names = {"x", "y", "x"}}), std::invalid_argument);
  EXPECT_THROW(factor_symmetric(I, {.tolerance = -1}), std::invalid_argument);
  EXPECT_THROW(factor_kkt(I, MatrixX::Ones(1, 2)), std::invalid_argument);
  EXPECT_THROW(factor_symmetric(I).solve(VectorX::Ones(2)), std::invalid_argument);
  EXPECT_THROW(factor_symmetric(I).apply_inverse(MatrixX::Ones(2, 2)), std::invalid_argument);
}

}  // namespace
}  // namespace camber::symbolic
