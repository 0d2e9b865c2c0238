#include "camber/symbolic/taylor.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/substitute.h"
#include "camber/symbolic/test/random_expr.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {
namespace {

using test::RandomExpr;

const Expr a = symbol("a");
const Expr x = symbol("x");
const Expr y = symbol("y");

TEST(Taylor, GivesTheSeriesInTheBooks) {
  EXPECT_EQ(taylor(exp(x), x, 0, 4), 1 + x + x * x / 2 + pow(x, 3) / 6 + pow(x, 4) / 24);
  EXPECT_EQ(taylor(sin(x), x, 0, 6), x - pow(x, 3) / 6 + pow(x, 5) / 120);
  EXPECT_EQ(taylor(1 / (1 - x), x, 0, 3), 1 + x + x * x + pow(x, 3));
  EXPECT_EQ(taylor(sqrt(1 + x), x, 0, 3), 1 + x / 2 - x * x / 8 + pow(x, 3) / 16);
  EXPECT_EQ(taylor(atan(x), x, 0, 5), x - pow(x, 3) / 3 + pow(x, 5) / 5);
  EXPECT_EQ(taylor(tan(x), x, 0, 5), x + pow(x, 3) / 3 + 2 * pow(x, 5) / 15);
  EXPECT_EQ(expand(taylor(log(x), x, 1, 2)), -Expr(Number(3, 2)) + 2 * x - x * x / 2);
  EXPECT_EQ(taylor(pow(x, 3), x, 0, 2), Expr(0));
  EXPECT_EQ(expand(taylor(pow(x, 3), x, a, 3)), pow(x, 3));
}

// f(a + h) - T_n(a + h) must shrink as h^(n + 1): 2^(n + 1)-fold when h is halved.
TEST(Taylor, ErrorFallsWithThePowerAfterTheOrder) {
  const std::vector<Expr> xs = {x, y};
  const Expr e =
      exp(x * y) * sin(x + 2 * y) / (2 + x) + atan2(y, 1 + x) + pow(2 + x, y) + sqrt(3 + x - y);
  const std::vector<Expr> about = {Expr(0.3), Expr(-0.4)};
  for (int order = 0; order <= 5; ++order) {
    const Expr remainder = e - taylor(e, xs, about, order);
    const auto error = [&](double h) {
      return std::abs(evaluate(remainder, {{x, 0.3 + 0.7 * h}, {y, -0.4 + 0.6 * h}}));
    };
    EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), order + 1, 0.35) << "order " << order;
  }
}

TEST(Taylor, AgreesWithRepeatedDerivativesOfRandomExpressions) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 3, .smooth = true});
    const Expr e = random();
    const Expr q = random.leaf();
    const Bindings at = random.point();
    const Expr point = symbol("p");
    try {
      const Expr series = taylor(e, q, point, 3);
      double expected = 0;
      double factorial = 1;
      Bindings there = at;
      there[q] = 0.45;
      const double step = at.at(q) - 0.45;
      for (int k = 0; k <= 3; ++k) {
        expected += evaluate(diff(e, q, k), there) * std::pow(step, k) / factorial;
        factorial *= k + 1;
      }
      Bindings both = at;
      both[point] = 0.45;
      EXPECT_NEAR(evaluate(series, both), expected, 1e-8 * (std::abs(expected) + 1)) << e;
    } catch (const EvaluationError&) {
      continue;
    }
  }
}

TEST(Taylor, TakesTheBranchAtThePoint) {
  EXPECT_EQ(taylor(abs(x) + max(x, 2) + select(x < 0, x, x * x), x, -3, 1), -x + 2 + x);
  EXPECT_EQ(taylor(sign(x) * x, x, 5, 1), x);
  // On the kink.
  EXPECT_EQ(taylor(y * abs(x) * x, x, 0, 1), Expr(0));
}

TEST(Taylor, OfUserFunctionsUsesTheirMixedDerivatives) {
  const auto evaluator = [](std::span<const double> u, std::span<const int> orders) {
    return std::pow(2.0, orders[0]) * std::pow(-1.0, orders[1]) * std::exp(2 * u[0] - u[1]);
  };
  const UserFunction& f = register_code("taylor_test_f", 2, 6, evaluator);
  const std::vector<Expr> xs = {x, y};
  const std::vector<Expr> about = {Expr(0.2), Expr(0.5)};
  const Bindings at = {{x, 0.31}, {y, 0.42}};
  const double expected = evaluate(taylor(exp(2 * x * y - (x + y)), xs, about, 4), at);
  EXPECT_NEAR(evaluate(taylor(f(x * y, x + y), xs, about, 4), at), expected, 1e-13);
}

TEST(Taylor, SaysWhereThereIsNone) {
  try {
    taylor(y + sqrt(x * y), x, 0, 2);
    FAIL() << "no error";
  } catch (const std::domain_error& error) {
    EXPECT_NE(std::string(error.what()).find("sqrt(x*y)"), std::string::npos) << error.what();
  }
  EXPECT_THROW(taylor(log(x), x, 0, 1), std::domain_error);
  EXPECT_THROW(taylor(log(x), x, 0, 0), std::domain_error);
  EXPECT_THROW(taylor(y * sqrt(x), x, -1, 3), std::domain_error);
  EXPECT_THROW(taylor(sin(x) / x, x, 0, 3), std::domain_error);
  EXPECT_THROW(taylor(x * y, std::vector{x, x}, std::vector{Expr(0), Expr(1)}, 1),
               std::invalid_argument);
  EXPECT_THROW(taylor(x, x, 0, -1), std::invalid_argument);
  EXPECT_THROW(taylor(x, x, x, 1), std::invalid_argument);
}

}  // namespace
}  // namespace camber::symbolic
