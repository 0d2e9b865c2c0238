// Symbolic factors as programs: what runs is the elimination and no more, and a pivot that fails
// says its name.
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/codegen/interpreter.h"
#include "camber/codegen/program.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/symbolic/ldlt.h"

namespace camber {
namespace {

using codegen::Guard;
using codegen::Interpreter;
using codegen::Program;
using codegen::ProgramBuilder;
using symbolic::Expr;
using symbolic::Ldlt;
using symbolic::MatrixX;
using symbolic::symbol;
using symbolic::VectorX;

/// x with A x = f, all pivots guarded; the remaining leaves are one array of inputs, "p".
Program make_solver(const Ldlt& ldlt) {
  VectorX f(ldlt.size());
  for (int i = 0; i < ldlt.size(); ++i) {
    f(i) = symbol(concat("f_", i + 1));
  }
  ProgramBuilder builder("solve");
  builder.add_input("f", std::span<const Expr>(f.data(), static_cast<std::size_t>(f.size())));
  builder.add_output("x", ldlt.solve(f));
  for (const Ldlt::Pivot& pivot : ldlt.pivots()) {
    builder.add_guard(pivot.guard, pivot.name, Guard::kPositive);
  }
  builder.add_remaining_inputs("p");
  return builder.build();
}

/// The name of the guard that fails, or "" if none does.
std::string failing_guard(const Program& program, const std::vector<double>& inputs) {
  Interpreter<double> interpreter(program);
  std::vector<double> outputs(static_cast<std::size_t>(program.output_size()));
  const int status = interpreter.run(inputs, outputs);
  return status == 0 ? "" : program.guards()[status - 1].name;
}

// Three links of a four-bar in the plane, pinned at both ends: constraints depend on each other
// when the links lie on one line. p is sorted by name: the cosines c1, c2, c3, then the sines.
TEST(LdltProgram, NamesThePivotOfConstraintsThatBecomeDependent) {
  MatrixX M = MatrixX::Zero(3, 3), B(2, 3);
  M.diagonal() << Expr(1.7), Expr(0.9), Expr(2.3);
  M(1, 0) = M(0, 1) = Expr(0.4);
  B << symbol("c1"), symbol("c2"), symbol("c3"), symbol("s1"), symbol("s2"), symbol("s3");
  const Ldlt ldlt =
      symbolic::factor_kkt(M, B, {.names = {"crank", "coupler", "rocker", "close_x", "close_y"}});
  const Program program = make_solver(ldlt);

  const auto inputs_at = [](double q1, double q2, double q3) {
    std::vector<double> inputs = {0.3, -0.8, 1.1, 0.5, 0.7};  // f
    for (const double q : {q1, q2, q3}) {
      inputs.push_back(std::cos(q));
    }
    for (const double q : {q1, q2, q3}) {
      inputs.push_back(std::sin(q));
    }
    return inputs;
  };
  EXPECT_EQ(failing_guard(program, inputs_at(0.3, 1.1, 2.0)), "");
  const std::string last = ldlt.pivots().back().name;
  EXPECT_EQ(last.substr(0, 8), "d_close_");
  for (const double q : {0.3, 0.7, 1.9, 2.8}) {
    SCOPED_TRACE(testing::Message() << "all links at " << q << " rad");
    EXPECT_EQ(failing_guard(program, inputs_at(q, q, q)), last);
  }
  // A milliradian from it, six of sixteen digits are lost, not all.
  EXPECT_EQ(failing_guard(program, inputs_at(0.7, 0.7, 0.701)), "");
}

TEST(LdltProgram, NamesThePivotOfAMassMatrixThatIsNotPositive) {
  symbolic::Matrix<2, 2> M;
  M << symbol("m_1"), symbol("m_12"), symbol("m_12"), symbol("m_2");
  const Program program = make_solver(symbolic::factor_symmetric(M, {.names = {"x", "y"}}));
  // f, then m_1, m_12, m_2
  EXPECT_EQ(failing_guard(program, {0.3, 0.4, 2.0, 1.5, 3.0}), "");
  EXPECT_EQ(failing_guard(program, {0.3, 0.4, 0.0, 1.5, 3.0}), "d_x");
  EXPECT_EQ(failing_guard(program, {0.3, 0.4, -2.0, 1.5, 3.0}), "d_x");
  EXPECT_EQ(failing_guard(program, {0.3, 0.4, 2.0, 3.0, 4.5}), "d_y");
  EXPECT_EQ(failing_guard(program, {0.3, 0.4, 2.0, 3.1, 4.5}), "d_y");
  EXPECT_EQ(failing_guard(program, {0.3, 0.4, NAN, 1.5, 3.0}), "d_x");
}

/// A random sparse KKT matrix of symbols.
Ldlt make_random_kkt(int n, int m, RandomStream* random) {
  MatrixX M = MatrixX::Zero(n, n), B = MatrixX::Zero(m, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      if (i == j || random->uniform() < 0.25) {
        M(i, j) = M(j, i) = symbol(concat("m_", i + 1, '_', j + 1));
      }
    }
  }
  const std::vector<int> own = random->permutation(n);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      if (j == own[i] || random->uniform() < 2.0 / n) {
        B(i, j) = symbol(concat("b_", i + 1, '_', j + 1));
      }
    }
  }
  return symbolic::factor_kkt(M, B);
}

// The pattern's count for the factors, and for the solution two multiplications and additions per
// entry of L and a multiplication per pivot by its reciprocal. Guards are left out.
TEST(LdltProgram, HasNoMoreOperationsThanTheNonzerosAskFor) {
  for (unsigned seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int n = static_cast<int>(random.integer(3, 16));
    const Ldlt ldlt = make_random_kkt(n, static_cast<int>(random.integer(0, n / 3)), &random);
    VectorX f(ldlt.size());
    for (int i = 0; i < ldlt.size(); ++i) {
      f(i) = symbol(concat("f_", i + 1));
    }
    const auto count = ProgramBuilder("solve")
                           .add_output("x", ldlt.solve(f))
                           .add_remaining_inputs()
                           .build()
                           .count();
    const auto& cost = ldlt.cost();
    EXPECT_LE(static_cast<std::int64_t>(count.additions), cost.additions + 2L * cost.entries);
    EXPECT_LE(static_cast<std::int64_t>(count.multiplications + count.divisions),
              cost.multiplications + 2L * cost.entries + 2L * ldlt.size());
    EXPECT_LE(static_cast<int>(count.divisions), ldlt.size());
  }
}

}  // namespace
}  // namespace camber
