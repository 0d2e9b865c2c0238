#include "camber/symbolic/simplify.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/divide.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/exponential.h"
#include "camber/symbolic/factor.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/rational.h"
#include "camber/symbolic/test/random_expr.h"
#include "camber/symbolic/trigonometry.h"

namespace camber::symbolic {
namespace {

using test::RandomExpr;

const Expr a = symbol("a");
const Expr b = symbol("b");
const Expr c = symbol("c");
const Expr x = symbol("x");
const Expr y = symbol("y");

TEST(ReduceSquares, KnowsThatSquaresOfSineAndCosineAddUpToOne) {
  EXPECT_EQ(reduce_squares(pow(sin(x), 2) + pow(cos(x), 2)), Expr(1));
  EXPECT_EQ(reduce_squares(a * b * pow(sin(x), 2) + a * b * pow(cos(x), 2) + c), a * b + c);
  EXPECT_EQ(reduce_squares(1 - pow(sin(x), 2)), pow(cos(x), 2));
  EXPECT_EQ(reduce_squares(a - a * pow(cos(x + y), 2)), a * pow(sin(x + y), 2));
  EXPECT_EQ(reduce_squares(3 * pow(sin(x), 2) + 5 * pow(cos(x), 2)), 3 + 2 * pow(cos(x), 2));
  EXPECT_EQ(reduce_squares((a + b) * pow(sin(x), 2) + (a + b) * pow(cos(x), 2)), a + b);
  EXPECT_EQ(reduce_squares(pow(sin(x) * sin(y), 2) + pow(sin(x) * cos(y), 2) + pow(cos(x), 2)),
            Expr(1));
  EXPECT_EQ(reduce_squares(pow(cosh(x), 2) - pow(sinh(x), 2)), Expr(1));
  EXPECT_EQ(reduce_squares(a + a * pow(sinh(x), 2)), a * pow(cosh(x), 2));
  EXPECT_EQ(reduce_squares(a * pow(sin(x), 2) + pow(cos(x), 2)),
            a * pow(sin(x), 2) + pow(cos(x), 2));
}

TEST(ContractAngles, KnowsTheAdditionTheorems) {
  EXPECT_EQ(contract_angles(sin(a) * cos(b) + cos(a) * sin(b)), sin(a + b));
  EXPECT_EQ(contract_angles(x * sin(a) * cos(b) - x * cos(a) * sin(b)), x * sin(a - b));
  EXPECT_EQ(contract_angles(2 * cos(a) * cos(b) - 2 * sin(a) * sin(b)), 2 * cos(a + b));
  EXPECT_EQ(contract_angles(cos(a) * cos(b) + sin(a) * sin(b)), cos(a - b));
  EXPECT_EQ(contract_angles(4 * sin(x) * cos(x)), 2 * sin(2 * x));
  EXPECT_EQ(contract_angles(pow(cos(x), 2) - pow(sin(x), 2)), cos(2 * x));
  EXPECT_EQ(contract_angles(expand_angles(sin(2 * a - b))), sin(2 * a - b));
}

TEST(ExpandAngles, IsTheOtherDirection) {
  EXPECT_EQ(expand_angles(sin(a + b)), sin(a) * cos(b) + cos(a) * sin(b));
  EXPECT_EQ(expand_angles(cos(2 * x)), pow(cos(x), 2) - pow(sin(x), 2));
}

TEST(ContractQuotients, FindsTangents) {
  EXPECT_EQ(contract_quotients(a * sin(x) / cos(x)), a * tan(x));
  EXPECT_EQ(contract_quotients(pow(sin(x), 3) / pow(cos(x), 2)), sin(x) * pow(tan(x), 2));
  EXPECT_EQ(contract_quotients(cos(x) / sin(x)), 1 / tan(x));
  EXPECT_EQ(contract_quotients(tan(x) * cos(x)), sin(x));
  EXPECT_EQ(contract_quotients(sinh(x) / cosh(x) + 1), tanh(x) + 1);
}

TEST(ContractQuotients, TakesTheLeastExponent) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(contract_quotients(pow(tan(x), kMin) * pow(cos(x), kMin)), pow(sin(x), kMin));
  EXPECT_EQ(contract_quotients(sin(x) * pow(cos(x), kMin)), tan(x) * pow(cos(x), kMin + 1));
}

TEST(Contract, ExponentialsAndLogarithms) {
  EXPECT_EQ(contract_exponentials(exp(x) * exp(y) * pow(exp(a), 2)), exp(x + y + 2 * a));
  EXPECT_EQ(contract_logarithms(log(x) + log(y) - log(a) + 3 * b), log(x * y / a) + 3 * b);
  EXPECT_EQ(contract_logarithms(-log(x)), -log(x));
}

TEST(FactorCommon, TakesOutWhatTermsShare) {
  EXPECT_EQ(factor_common(a * x * x + b * x + c * x), x * (a * x + b + c));
  EXPECT_EQ(factor_common(a * b * x + a * b * y + a * c), a * (b * (x + y) + c));
  EXPECT_EQ(factor_common(x / a + y / a), (x + y) / a);
  EXPECT_EQ(factor_common((x + y) * a - (x + y) * b), (x + y) * (a - b));
}

TEST(CancelCommon, DividesOut) {
  EXPECT_EQ(cancel_common((x * y + x * a) / x), y + a);
  EXPECT_EQ(cancel_common((x * x + x) / (x * y + x)), (x + 1) / (y + 1));
}

TEST(DivideExactly, FindsTheQuotientOrNone) {
  EXPECT_EQ(divide_exactly(x * x - y * y, x - y), x + y);
  EXPECT_EQ(divide_exactly(2 * pow(x, 3) * a + 4 * x * x * a - 2 * x - 4, x + 2),
            2 * a * x * x - 2);
  EXPECT_EQ(divide_exactly(x * x + 1, x - 1), std::nullopt);
  EXPECT_EQ(divide_exactly(sin(x) * x - sin(x), x - 1), std::nullopt) << "no polynomial in x";
  EXPECT_EQ(divide_exactly(sin(a) * x - sin(a), x - 1), sin(a));
}

TEST(Simplify, FindsWhatAPersonWould) {
  EXPECT_EQ(simplify((x * x - 1) / (x - 1)), x + 1);
  EXPECT_EQ(simplify(pow(x - y, 2) / (x * x - y * y)), (x - y) / (x + y));
  EXPECT_EQ(simplify(a * pow(x * x - y * y, 2) / pow(x + y, 2)), a * pow(x - y, 2));
  EXPECT_EQ(simplify(pow(a * cos(x) - b * sin(x), 2) + pow(a * sin(x) + b * cos(x), 2)),
            a * a + b * b);
  EXPECT_EQ(simplify(pow(x + 1, 2) - x * x - 2 * x - 1), Expr(0));
  EXPECT_EQ(simplify(sin(a + b) * cos(b) - cos(a + b) * sin(b)), sin(a));
  EXPECT_EQ(simplify(sin(3 * x) - 3 * sin(x) + 4 * pow(sin(x), 3)), Expr(0));
  EXPECT_EQ(simplify(exp(sin(x) * sin(x) + cos(x) * cos(x) - 1 + y)), exp(y));
  EXPECT_EQ(simplify(cos(x) * cos(x) - sin(x) * sin(x)), cos(2 * x));
}

// A fraction beside other terms, and fractions inside factors.
TEST(Simplify, BringsSumsOverOneDenominator) {
  EXPECT_EQ(simplify(parse("g + (A*x - g*(C + m))/(C + m)")), parse("A*x/(C + m)"));
  EXPECT_TRUE(
      simplify(parse("A*w - C*(A*w - m*g)/(C + m) - m*((A*w - m*g)/(C + m) + g)")).is_zero());
  EXPECT_EQ(simplify(parse("x + 1/(x + y)")), parse("x + 1/(x + y)")) << "not shorter";
}

TEST(RationalForm, IsTheSameNumber) {
  for (const char* text : {"a/(b + c) - b/(a - 2*c)^2 + 3", "1/(1/(a + b) + 1/(c - a))",
                           "(a/b + b/(c + 1))^3/(a + c)", "sin(a)/(1 + cos(a)) + 2*b"}) {
    const Expr e = parse(text);
    const RationalForm form = rational_form(e);
    const Bindings at{{symbol("a"), 0.37}, {symbol("b"), -1.21}, {symbol("c"), 2.83}};
    const double expected = evaluate(e, at);
    EXPECT_NEAR(evaluate(form.numerator, at) / evaluate(form.denominator, at), expected,
                1e-12 * std::abs(expected))
        << text;
  }
}

TEST(IsProvenZero, DecidesWhatExpansionAloneCannot) {
  for (const char* zero : {"(x^2 - y^2)/(x - y) - x - y", "1/(x - 1) - 1/(x + 1) - 2/(x^2 - 1)",
                           "sin(x + y) - sin(x)*cos(y) - cos(x)*sin(y)",
                           "(1 - cos(x)^2)/(1 + cos(x)) - 1 + cos(x) + 0*y",
                           "a*(b/(c + d) - e) - (a*b - a*e*(c + d))/(c + d)"})
    EXPECT_TRUE(is_proven_zero(parse(zero))) << zero;
  for (const char* other : {"x - y", "sin(x) - x", "1/(x - 1) - 1/(x + 1) - 2.0001/(x^2 - 1)"})
    EXPECT_FALSE(is_proven_zero(parse(other))) << other;
}

// A short sum plus multiples of sin^2 + cos^2 - 1 is that sum, whatever the multiples are. Rules
// that make an expression shorter with every step got stuck, with cosines to the eighth power.
TEST(Simplify, FindsWhatVanishesBySquaresOfSinesAndCosines) {
  const Expr target = a * x + b * y;
  const Expr one = pow(sin(c), 2) + pow(cos(c), 2);
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    std::vector<Expr> terms = {target};
    for (int k = 0; k < 4; ++k) {
      const Expr factor = std::vector<Expr>{a * x, b * y, a * y, Expr(1)}[random.integer(0, 3)];
      terms.push_back(random.integer(1, 5) * factor * pow(sin(c), random.integer(0, 4)) *
                      pow(cos(c), random.integer(0, 4)) * (one - 1));
    }
    EXPECT_EQ(simplify(expand(sum(terms))), target);
  }
}

TEST(Simplify, CompletesSquares) {
  EXPECT_EQ(simplify(x * x + 2 * x * y + y * y), pow(x + y, 2));
  EXPECT_EQ(simplify(4 * x * x - 12 * x + 9 + sin(y)), pow(2 * x - 3, 2) + sin(y));
  EXPECT_EQ(simplify(a * x * x - 2 * a * b * x * y + a * b * b * y * y), a * pow(x - b * y, 2));
  EXPECT_EQ(simplify(x * x / 9 + x * y / 3 + y * y / 4), pow(x / 3 + y / 2, 2));
  const Expr none = x * x + x * y + y * y;
  EXPECT_LE(count_operations(simplify(none)).total(), count_operations(none).total());
}

TEST(Simplify, JoinsFractions) {
  EXPECT_EQ(simplify(1 / (1 + x) + 1 / (1 - x)), -2 / ((x - 1) * (x + 1)));
  EXPECT_EQ(simplify(x / (x + 1) - x / (x + 2)), x / ((x + 1) * (x + 2)));
  EXPECT_EQ(simplify(a / (x + b) + b / (x + b)), (a + b) / (x + b));
}

TEST(Simplify, KnowsAbsoluteValuesAndPowersByLogarithms) {
  EXPECT_EQ(simplify(a * pow(abs(x), 2)), a * x * x);
  EXPECT_EQ(simplify(a * abs(x + y) * sign(x + y)), a * (x + y));
  EXPECT_EQ(simplify(sqrt(x * x) + 1), abs(x) + 1);
  EXPECT_EQ(simplify(pow(x * x * pow(y, 4), Expr(3) / 2)), simplify(pow(abs(x * y * y), 3)));
  EXPECT_EQ(simplify(exp(2 * log(x) + y)), x * x * exp(y));
  EXPECT_EQ(simplify(exp(log(x))), x);
}

TEST(Simplify, NeverMakesLongerAndKeepsTheValueOfRandomExpressions) {
  int shorter = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 4});
    const Expr e = seed % 2 == 0 ? random() : diff(random(), random.leaf());
    const Expr s = simplify(e);
    EXPECT_LE(count_operations(s).total(), count_operations(e).total());
    EXPECT_LE(count_shared_operations(s).total(), count_shared_operations(e).total());
    shorter += count_operations(s).total() < count_operations(e).total() ? 1 : 0;
    for (int point = 0; point < 3; ++point) {
      const Bindings at = random.point();
      double expected = 0;
      try {
        expected = evaluate(e, at);
      } catch (const EvaluationError&) {
        continue;  // simplified, it may have a value there
      }
      EXPECT_NEAR(evaluate(s, at), expected, 1e-7 * (std::abs(expected) + 1)) << e << " -> " << s;
    }
  }
  EXPECT_GT(shorter, 50);
}

TEST(Simplify, OfSeveralCountsWhatTheyShareTogether) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(7000 + seed, {.depth = 4, .smooth = true});
    const std::vector<Expr> g = gradient(random(), random.leaves());
    const std::vector<Expr> s = simplify(g);
    EXPECT_LE(count_operations(s).total(), count_operations(g).total());
    EXPECT_LE(count_shared_operations(s).total(), count_shared_operations(g).total());
  }
}

TEST(Simplify, LeavesWhatHasNoValueAsItIs) {
  const Expr nowhere = x + 1 / (pow(sin(y), 2) + pow(cos(y), 2) - 1);
  EXPECT_EQ(simplify(nowhere), nowhere);
  const Expr large = (1.5e300 * x + y) * (2.5e300 * x + a) - 1.1e300 * x;
  EXPECT_LE(count_operations(simplify(large)).total(), count_operations(large).total());
}

// The number of new nodes measures the effort.
TEST(Simplify, SpendsBoundedEffortOnHugeExpressions) {
  RandomExpr random(3, {.depth = 3, .smooth = true});
  constexpr int kTerms = 3000;
  std::vector<Expr> terms;
  terms.reserve(kTerms);
  for (int i = 0; i < kTerms; ++i) {
    terms.push_back(symbol("c" + std::to_string(i)) * sin(random.leaf()) * random() * random());
  }
  Expr deep = x;
  for (int i = 0; i < 20'000; ++i) {
    deep = sin(1 + y * deep);
  }
  for (const Expr& huge : {sum(terms), deep, pow(sum(terms), 50)}) {
    const SimplifyOptions options{.max_work = 50'000};
    const std::size_t before = pool_statistics().nodes;
    const Expr simplified = simplify(huge, options);
    EXPECT_LT(pool_statistics().nodes - before, 20 * options.max_work);
    EXPECT_LE(count_operations(simplified).total(), count_operations(huge).total());
  }
}

}  // namespace
}  // namespace camber::symbolic
