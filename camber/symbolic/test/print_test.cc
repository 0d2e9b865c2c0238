#include "camber/symbolic/print.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/test/wild_expr.h"

namespace camber::symbolic {
namespace {

const Expr a = symbol("a"), b = symbol("b"), c = symbol("c"), x = symbol("x"), y = symbol("y"),
           z = symbol("z");

TEST(Print, ReadsBackToTheSameNode) {
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Expr e = test::WildExpr(seed)(1 + static_cast<int>(seed % 5));
    const std::string text = e.to_string();
    ASSERT_EQ(parse(text, vocabulary_of(e)), e) << text;
  }
}

TEST(Print, ReadsConditionsBackToTheSameNode) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::WildExpr wild(seed);
    try {
      const Condition condition = wild.condition(1 + static_cast<int>(seed % 4));
      const std::string text = condition.to_string();
      ASSERT_EQ(parse_condition(text, vocabulary_of(condition.expr())), condition) << text;
    } catch (const std::domain_error&) {    // the random numbers asked for 1/0
    } catch (const std::overflow_error&) {  // 1e300 * 1e300
    }
  }
}

TEST(Print, ReadsAsAPersonWouldWrite) {
  const Expr q = variable("q"), v = variable("q", 1);
  const std::vector<std::pair<Expr, std::string>> cases = {
      {b - a, "b - a"},
      {-a - b, "-a - b"},
      {5 - x, "5 - x"},
      {x + 5, "x + 5"},
      {-x - 5, "-x - 5"},
      {x / y, "x/y"},
      {1 / x, "1/x"},
      {-3 / (2 * x * y), "-3/(2*x*y)"},
      {a * pow(v, 2) / 2, "a*q'^2/2"},
      {x + Number(7, 3), "x + 7/3"},
      {sqrt(x) / sqrt(y), "sqrt(x)/sqrt(y)"},
      {pow(x, Number(3, 2)), "x^(3/2)"},
      {pow(x, -a), "x^-a"},
      {pow(pow(x, a), b), "(x^a)^b"},
      {pow(x, pow(a, b)), "x^a^b"},
      {pow(-x, a), "(-x)^a"},
      {pow(x, -pow(a, -b)), "x^-a^-b"},
      {pow(x, -2 * a), "x^(-2*a)"},
      {pow(x, -1 / a), "x^(-1/a)"},
      {pow(x, sqrt(a)), "x^sqrt(a)"},
      {pow(Expr(2), -5000), "2^-5000"},
      {pow(x, 0.3 * a), "x^(0.3*a)"},
      {pow(x + y, 2) * z, "z*(x + y)^2"},
      {0.1 * x - 1e-20 * y, "0.1*x - 1e-20*y"},
      {x / 3 / (0.1 * y + 0.7 * z), "x/3/(0.1*y + 0.7*z)"},
      {x / 3 / (y + z), "x/(3*(y + z))"},
      {sin(q) * variable("q", 3), "q'''*sin(q)"},
      {select(!equal(x, 3) || (a < b && !equal(b, c)), x, -y),
       "select(x != 3 or a < b and b != c, x, -y)"},
      {select((a < b || b < c) && c <= x, 2, y), "select(c <= x and (a < b or b < c), 2, y)"},
      {named("T", x * y / 2) * z, "T*z"},
      // Stored with a positive leading term, as -a*b*(cos(q) - 1).
      {a * b * (1 - cos(q)), "a*b*(1 - cos(q))"},
      {x - 3 * y * (cos(q) - 1) / 2, "x + 3*y*(1 - cos(q))/2"},
      {-a - b * (sin(q) - 0.7), "b*(0.7 - sin(q)) - a"},
      {a * (x - 2) * (y - 3), "a*(x - 2)*(y - 3)"},
      {-a * (x - 2) * (y - 3), "a*(2 - x)*(y - 3)"},
      {-a * (x - y), "-a*(x - y)"},
      {-a * (x + y - 1), "-a*(x + y - 1)"},
      {a * (1 - x - y) / (b * (1 - x)), "a*(x + y - 1)/(b*(x - 1))"},
      {max(max(a, b), c), "max(a, b, c)"},
      {min(x, max(max(c, x), min(a, b))), "min(x, max(c, x, min(a, b)))"},
      {max(max(a, b), max(c, x)), "max(a, b, max(c, x))"},
  };
  for (const auto& [e, expected] : cases) EXPECT_EQ(e.to_string(), expected);
}

TEST(Print, WritesEveryDigitOfADouble) {
  EXPECT_EQ(Expr(2.0 / 3.0).to_string(), "0.6666666666666666");
  EXPECT_EQ(Expr(5e-324).to_string(), "5e-324");
  // Beyond 2^53 a whole double is not exact, and must not be read back as if it were.
  const Expr large(9007199254740994.0);
  EXPECT_EQ(parse(large.to_string()), large);
}

TEST(Print, StreamsExpressionsAndConditions) {
  std::ostringstream out;
  out << x * y << "; " << (x < y);
  EXPECT_EQ(out.str(), "x*y; x < y");
}

TEST(Print, WritesDeepNestingWithoutRecursion) {
  constexpr int kDepth = 100'000;
  Expr nested = x;
  Expr horner = x;
  for (int i = 0; i < kDepth; ++i) {
    nested = sin(nested);
    horner = y * (1 + horner);
  }
  EXPECT_EQ(nested.to_string().size(), 5U * kDepth + 1);
  EXPECT_GT(horner.to_string().size(), 6U * kDepth);
}

// A chain is as deep as the parser goes, whether it is written nested or in one list.
TEST(Print, ReadsChainsOfMaxBackToTheSameNode) {
  constexpr int kLinks = 299;  // and one more below
  Expr low = x;
  Expr high = x;
  for (int i = 0; i < kLinks; ++i) {
    low = min(low, symbol("p" + std::to_string(i)));
    high = i % 3 == 0 ? max(high, min(symbol("p" + std::to_string(i)), 2)) : max(i * y, high);
  }
  for (const Expr& e : {low, high, max(low, high), min(low, high), max(max(a, b), max(b, c))}) {
    const std::string text = e.to_string();
    EXPECT_EQ(parse(text), e) << text;
  }
  EXPECT_EQ(low.to_string().find('('), low.to_string().rfind('('));
}

// Exponents without parentheses nest no deeper printed than written.
TEST(Print, ReadsTowersOfPowersBackToTheSameNode) {
  for (const auto& [part, links] : {std::pair<std::string, int>("x^", 300), {"2**-", 300}}) {
    std::string tower;
    for (int i = 0; i < links; ++i) tower += part;
    const Expr e = parse(tower + "x");
    EXPECT_EQ(parse(e.to_string()), e) << e;
  }
  std::string nested = "x";
  for (int i = 0; i < 300; ++i) nested = concat("(0-", nested, ")^a");
  const Expr e = parse(nested);
  EXPECT_EQ(parse(e.to_string()), e) << e;
}

// Sixty doublings: a graph of some hundred nodes whose tree has 10^18.
TEST(Print, RefusesATreeThatNoDiskHolds) {
  Expr e = x;
  for (int i = 0; i < 60; ++i) e = sin(e) * cos(e);
  EXPECT_THROW(e.to_string(), std::length_error);
  EXPECT_THROW(to_text(x + y, 4), std::length_error);
  EXPECT_EQ(to_text(x + y, 5), "x + y");
}

TEST(Print, ListsDefinitionsBeforeTheirUse) {
  const Expr inner = named("inner", sin(x));
  const Expr outer = named("outer", inner * y + 2);
  const Expr other = named("other", x + y);
  const std::vector<Expr> expected = {inner, outer, other};
  std::vector<Expr> found = definitions_of(pow(outer, 2) + atan2(outer, inner) * other);
  ASSERT_EQ(found.size(), 3U);
  const auto place = [&](const Expr& e) {
    return std::find(found.begin(), found.end(), e) - found.begin();
  };
  for (const Expr& e : expected) EXPECT_LT(place(e), 3);
  EXPECT_LT(place(inner), place(outer));
  EXPECT_TRUE(definitions_of(x + y).empty());
}

}  // namespace
}  // namespace camber::symbolic
