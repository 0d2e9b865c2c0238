#include "camber/symbolic/evaluate.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/symbolic/test/random_expr.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {
namespace {

using test::RandomExpr;

const Expr x = symbol("x");
const Expr y = symbol("y");

std::string message_of(const Expr& e, const Bindings& at) {
  try {
    evaluate(e, at);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Evaluate, ComputesWhatTheFunctionsSay) {
  const double a = 0.37;
  const double b = -1.9;
  const Bindings at = {{x, a}, {y, b}};
  EXPECT_DOUBLE_EQ(evaluate(3 * x * x - y / 7 + Number(5, 3), at), 3 * a * a - b / 7 + 5.0 / 3.0);
  EXPECT_DOUBLE_EQ(evaluate(sqrt(x) * pow(x, Number(-3, 2)), at),
                   std::sqrt(a) / (a * std::sqrt(a)));
  EXPECT_DOUBLE_EQ(evaluate(pow(x, y), at), std::pow(a, b));
  EXPECT_DOUBLE_EQ(evaluate(pow(y, 101), at), std::pow(b, 101));
  EXPECT_DOUBLE_EQ(evaluate(atan2(y, x), at), std::atan2(b, a));
  // The same whether its arguments are numbers from the start or get their values later.
  EXPECT_EQ(evaluate(atan2(y, x), {{x, 0.0}, {y, 0.0}}), 0);
  EXPECT_EQ(evaluate(atan2(-x * y, -y), {{x, 2.0}, {y, 0.0}}), 0);
  EXPECT_EQ(evaluate(atan2(y, x), {{x, -2.0}, {y, -0.0}}), std::acos(-1.0));
  EXPECT_EQ(atan2(Expr(0), Expr(0)), Expr(0));
  EXPECT_DOUBLE_EQ(evaluate(min(x, y) + 10 * max(x, y), at), b + 10 * a);
  EXPECT_DOUBLE_EQ(evaluate(abs(y) + sign(y), at), -b - 1);
  EXPECT_DOUBLE_EQ(evaluate(select(x < y || y < -1, exp(x), log(x)), at), std::exp(a));
  EXPECT_DOUBLE_EQ(evaluate(named("speed", x * y) + 1, at), a * b + 1);
  EXPECT_TRUE(evaluate(x > y && !(x < y), at));
  EXPECT_FALSE(evaluate(equal(x, y), at));
}

TEST(Evaluate, NamesTheSubExpressionThatHasNoValue) {
  const Expr root = sqrt(x - 3);
  try {
    evaluate(exp(y) + sin(1 + 2 * root), {{x, 1.5}, {y, 0.7}});
    FAIL() << "no error";
  } catch (const EvaluationError& error) {
    EXPECT_EQ(error.expression(), root);
    EXPECT_DOUBLE_EQ(error.argument_values()[0], -1.5);
    EXPECT_EQ(std::string(error.what()),
              "evaluate: sqrt(x - 3) has no finite value at x - 3 = -1.5");
  }
  EXPECT_EQ(message_of(y + log(x), {{x, 0.0}, {y, 2.0}}),
            "evaluate: log(x) has no finite value at x = 0");
  EXPECT_EQ(message_of(asin(x) * y, {{x, 1.2}, {y, 2.0}}),
            "evaluate: asin(x) has no finite value at x = 1.2");
  EXPECT_EQ(message_of(x / y, {{x, 0.0}, {y, 0.0}}),
            "evaluate: x/y has no finite value at x = 0, y = 0");
  EXPECT_EQ(message_of(exp(x) - exp(x), {{x, 1000.0}}), "");  // cancels before it is evaluated
  EXPECT_EQ(message_of(1 / exp(x), {{x, 1000.0}}),
            "evaluate: exp(x) has no finite value at x = 1000");
}

TEST(Evaluate, NamesANumberBeyondDouble) {
  const Expr huge = pow(Expr(10), 400);
  const std::vector<std::pair<Expr, std::string>> cases = {
      {1 / huge, "1/100000000000... (401 digits)"},
      {x / huge, "1/100000000000... (401 digits)"},
      {-huge, "-100000000000... (401 digits)"},
      {x + huge, "100000000000... (401 digits)"},
      {atan(huge) * x, "100000000000... (401 digits)"},
  };
  for (const auto& [e, number] : cases) {
    EXPECT_EQ(message_of(e, {{x, 2.0}}),
              "evaluate: the number " + number + " is outside the range of double");
    EXPECT_FALSE(find_domain_errors(e, {{x, Interval(1, 2)}}).empty()) << number;
  }
  EXPECT_EQ(evaluate(1 / pow(Expr(10), 310), {}), 1e-310);
  EXPECT_EQ(evaluate(select(x < 3, x, huge), {{x, 2.0}}), 2);
}

TEST(Evaluate, DoesNotMindWhatASelectOrAnOrLeavesOut) {
  const Expr guarded = select(x > 0, sqrt(x), -x);
  EXPECT_DOUBLE_EQ(evaluate(guarded, {{x, -4.5}}), 4.5);
  EXPECT_DOUBLE_EQ(evaluate(guarded, {{x, 6.25}}), 2.5);
  EXPECT_FALSE(evaluate(x > 0 && log(x) > 1, {{x, -4.5}}));
  EXPECT_THROW(evaluate(select(log(x) > 1, x, y), {{x, -4.5}, {y, 2.0}}), EvaluationError);
}

TEST(Evaluate, NamesAllLeavesWithoutAValue) {
  EXPECT_EQ(message_of(x * y + variable("q", 1) + symbol("m"), {{y, 2.0}}),
            "evaluate: no value given for m, q', x");
  EXPECT_THROW(evaluate(x, {}), std::invalid_argument);
}

TEST(Evaluate, OfAHundredThousandLevelsNeedsNoMachineStack) {
  Expr e = x;
  for (int i = 0; i < 100'000; ++i) {
    e = sin(e);
  }
  // Asymptotically sqrt(3/n) [de Bruijn 1961, section 8.6].
  EXPECT_NEAR(evaluate(e, {{x, 1.1}}), std::sqrt(3.0 / 100'000), 1e-6);
}

// Every point of the box must be inside the bounds: the definition of interval evaluation.
TEST(EvaluateInterval, ContainsTheValuesAtRandomPointsOfTheBox) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 4});
    const Expr e = random();
    const Bindings middle = random.point();
    Box box;
    for (const auto& [leaf, value] : middle) {
      const double radius = random.random().uniform(0.001, 0.4);
      box[leaf] = Interval(value - radius, value + radius);
    }
    const Interval bounds = evaluate_interval(e, box);
    for (int i = 0; i < 20; ++i) {
      Bindings at;
      for (const auto& [leaf, range] : box) {
        at[leaf] = random.random().uniform(range.lo, range.hi);
      }
      try {
        const double value = evaluate(e, at);
        EXPECT_TRUE(bounds.contains(value))
            << e << ": " << value << " not in " << bounds.to_string();
        ++checked;
      } catch (const EvaluationError&) {
        EXPECT_FALSE(find_domain_errors(e, box).empty()) << e;
      }
    }
  }
  EXPECT_GT(checked, 4000);
}

TEST(EvaluateInterval, IsTightForSingleUses) {
  const Box box = {{x, Interval(-0.5, 2.0)}, {y, Interval(0.25, 4.0)}};
  const auto expect = [&](const Expr& e, double lo, double hi) {
    const Interval bounds = evaluate_interval(e, box);
    EXPECT_NEAR(bounds.lo, lo, 1e-12) << e;
    EXPECT_NEAR(bounds.hi, hi, 1e-12) << e;
  };
  expect(x * x, 0, 4);
  expect(pow(x, 3), -0.125, 8);
  expect(sqrt(y), 0.5, 2);
  expect(1 / y, 0.25, 4);
  expect(sin(2 * x), std::sin(-1), 1);
  expect(cos(x), std::cos(2), 1);
  expect(abs(x), 0, 2);
  expect(min(x, y), -0.5, 2);
  expect(max(x, y), 0.25, 4);
  expect(atan2(x, y), std::atan2(-0.5, 0.25), std::atan2(2, 0.25));
  expect(select(y > 0, x, 100), -0.5, 2);
  expect(select(y > 1, x, 100), -0.5, 100);
  expect(pow(y, x), std::pow(0.25, 2), 16);
}

TEST(FindDomainErrors, ListsWhatMayFailInnermostFirst) {
  const Box box = {{x, Interval(-0.5, 2.0)}, {y, Interval(0.25, 4.0)}};
  EXPECT_TRUE(find_domain_errors(sqrt(y) + log(y) + 1 / y + asin(x / 3), box).empty());
  const std::vector<DomainError> errors = find_domain_errors(log(sqrt(x) + y - 1), box);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].expression, sqrt(x));
  EXPECT_FALSE(errors[0].everywhere);
  EXPECT_EQ(errors[1].expression, log(sqrt(x) + y - 1));
  EXPECT_EQ(find_domain_errors(acos(y + 3), box).at(0).everywhere, true);
  EXPECT_EQ(find_domain_errors(1 / x, box).size(), 1U);
  EXPECT_EQ(find_domain_errors(tan(x), box).size(), 1U);
  EXPECT_EQ(find_domain_errors(exp(500 * y), box).size(), 1U) << "overflow";
  EXPECT_TRUE(find_domain_errors(select(y > 0, y, log(x)), box).empty()) << "never taken";
  EXPECT_EQ(find_domain_errors(select(y > 1, y, log(x)), box).size(), 1U);
}

}  // namespace
}  // namespace camber::symbolic
