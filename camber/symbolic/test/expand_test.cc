#include "camber/symbolic/expand.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/test/random_expr.h"

namespace camber::symbolic {
namespace {

using test::RandomExpr;

const Expr a = symbol("a");
const Expr b = symbol("b");
const Expr x = symbol("x");
const Expr y = symbol("y");

TEST(Expand, MultipliesOutEverywhere) {
  EXPECT_EQ(expand((x + y) * (x - y)), x * x - y * y);
  EXPECT_EQ(expand(pow(x + y, 3)), pow(x, 3) + 3 * x * x * y + 3 * x * y * y + pow(y, 3));
  EXPECT_EQ(expand((2 * x + 2 * y) * a), 2 * a * x + 2 * a * y);
  EXPECT_EQ(expand(sin(a * (x + y))), sin(a * x + a * y));
  EXPECT_EQ(expand(1 / (b + a * (x + y))), 1 / (b + a * x + a * y));
  EXPECT_EQ(expand(pow(sqrt(x + y) + 1, 2)), x + y + 2 * sqrt(x + y) + 1);
  EXPECT_EQ(expand(a * sin(x * (y + 1)) * (b + 1), {.inside_functions = false}),
            a * b * sin(x * (y + 1)) + a * sin(x * (y + 1)));
  const Expr s = named("s", a * (x + y));
  EXPECT_EQ(expand(s * (x + 1)), s * x + s) << "named quantities stay whole";
}

// The normal form of polynomials: equal values for all x means equal forms, however they were
// built.
TEST(Expand, GivesOneFormToAllWaysOfWritingAPolynomial) {
  RandomStream random = RandomStream(11).substream("roots");
  for (int i = 0; i < 50; ++i) {
    SCOPED_TRACE(testing::Message() << "polynomial " << i);
    constexpr int kFactors = 5;
    std::vector<Expr> factors;
    factors.reserve(kFactors);
    for (int k = 0; k < kFactors; ++k) {
      factors.push_back(Number(random.integer(1, 9)) * x + Number(random.integer(-9, 9), 7) * y +
                        Number(random.integer(1, 5), 3));
    }
    Expr step_by_step = 1;
    for (const int k : random.permutation(5)) {
      step_by_step = expand(step_by_step * factors[static_cast<std::size_t>(k)]);
    }
    EXPECT_EQ(step_by_step, expand(product(factors)));
    EXPECT_TRUE(expand(step_by_step - product(factors)).is_zero());
  }
}

TEST(Expand, KeepsTheValueOfRandomExpressions) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 4});
    const Expr e = random();
    const Bindings at = random.point();
    try {
      const Expr expanded = expand(e, {.max_terms = 2000});
      // Terms much larger than their sum take digits away: their sizes bound the error.
      double size = 1;
      if (expanded.kind() == Kind::kSum) {
        for (const Term& t : expanded.terms()) {
          size += std::abs(t.coefficient.to_double() * evaluate(t.term, at));
        }
      }
      EXPECT_NEAR(evaluate(expanded, at), evaluate(e, at), 1e-7 * size) << e;
    } catch (const ExpansionLimitError&) {
      continue;
    } catch (const EvaluationError&) {
      continue;
    }
  }
}

TEST(Expand, RefusesWhatWouldBeTooLarge) {
  EXPECT_THROW(expand(pow(x + y, 100'000)), ExpansionLimitError);
  EXPECT_THROW(expand(pow(x + y, Number::from_digits("123456789012345678901234567890"))),
               ExpansionLimitError);
  Expr many = 1;
  for (int i = 0; i < 40; ++i) {
    many *= 1 + symbol("x" + std::to_string(i));  // 2^40 terms
  }
  EXPECT_THROW(expand(many), ExpansionLimitError);
  EXPECT_THROW(expand(pow(x + y, 20), {.max_terms = 20}), ExpansionLimitError);
  EXPECT_EQ(expand(pow(x + y, 20), {.max_terms = 21}).terms().size(), 21U);
}

TEST(Collect, OrdersByPowersOfTheGivenVariables) {
  const std::vector<Expr> xs = {x};
  EXPECT_EQ(collect(a * x + b * x + x * x * a + y, xs), (a + b) * x + a * x * x + y);
  EXPECT_EQ(collect(x * sin(x) + x * y, xs), x * (sin(x) + y));
  const std::vector<Expr> both = {x, y};
  EXPECT_EQ(collect(pow(a * x + y, 2) + b * x * y, both),
            a * a * x * x + (2 * a + b) * x * y + y * y);
}

TEST(PolynomialCoefficients, AreThoseOfTheMultipliedOutPolynomial) {
  const std::vector<Expr> c = polynomial_coefficients(pow(a * x + b, 3) - b * x, x);
  ASSERT_EQ(c.size(), 4U);
  EXPECT_EQ(expand(c[0]), pow(b, 3));
  EXPECT_EQ(expand(c[1]), 3 * a * b * b - b);
  EXPECT_EQ(expand(c[2]), 3 * a * a * b);
  EXPECT_EQ(expand(c[3]), pow(a, 3));
  EXPECT_EQ(coefficient(5 * pow(x, 1000) * y - 2 * x, x, 1000), 5 * y);
  EXPECT_EQ(coefficient(x + 1, x, 7), Expr(0));
  EXPECT_EQ(polynomial_coefficients(y, x), std::vector<Expr>{y});
  EXPECT_THROW(polynomial_coefficients(sin(x), x), std::invalid_argument);
  EXPECT_THROW(polynomial_coefficients(1 / x, x), std::invalid_argument);
  EXPECT_THROW(polynomial_coefficients(pow(x + 1, 1'000'000), x), ExpansionLimitError);
}

TEST(LinearCoefficients, PutTogetherGiveTheExpressionsBack) {
  const std::vector<Expr> xs = {x, y, variable("q", 2)};
  const std::vector<Expr> es = {
      a * (x + b * (y - 3)) + sin(a) * xs[2] / b, b - named("force", a * y + x) * 2,
      select(a < b, 2 * x + y, 5 * xs[2]),        pow(x + 1, 2) - x * x,
      a * (x + y) * y - a * x * y - a * y * y,    a * b};
  const LinearForm form = linear_coefficients(es, xs);
  Bindings at = {{a, 0.7}, {b, 1.3}, {x, -0.4}, {y, 2.2}, {xs[2], 0.9}};
  std::vector<double> sums = evaluate(form.b, at);
  for (const Entry& entry : form.A) {
    for (const Expr& unknown : xs) {
      EXPECT_FALSE(entry.value.depends_on(unknown));
    }
    sums[static_cast<std::size_t>(entry.row)] +=
        evaluate(entry.value, at) * at.at(xs[static_cast<std::size_t>(entry.col)]);
  }
  for (std::size_t i = 0; i < es.size(); ++i) {
    EXPECT_NEAR(sums[i], evaluate(es[i], at), 1e-13) << es[i];
  }
}

TEST(LinearCoefficients, NameWhatIsNotLinear) {
  const std::vector<Expr> xs = {x, y};
  const auto message = [&](const Expr& e) -> std::string {
    try {
      const std::vector<Expr> es = {a * x, e};
      linear_coefficients(es, xs);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(a * sin(x) + y),
            "linear_coefficients: sin(x) is not a polynomial in the given variables");
  EXPECT_EQ(message(a * x * y),
            "linear_coefficients: expression 1, a*x*y, is not linear: it has a term in x*y");
  EXPECT_NE(message(sign(x)), "");
  EXPECT_NE(message(select(x < y, x, y)), "");
  EXPECT_NE(message(a / x), "");
}

TEST(LinearCoefficients, GiveUpOnWhatWouldTakeForever) {
  Expr e = x;
  for (int i = 0; i < 60; ++i) {
    e = e * e + a;  // of degree 2^60 in the end
  }
  EXPECT_THROW(linear_coefficients(std::vector{e}, std::vector{x}), ExpansionLimitError);
}

}  // namespace
}  // namespace camber::symbolic
