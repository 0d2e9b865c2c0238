#include "camber/symbolic/probe.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "camber/symbolic/user_function.h"

namespace camber::symbolic::internal {
namespace {

struct Probe : testing::Test {
  const Expr x = symbol("x"), y = symbol("y"), q = variable("q");
};

bool vanishes(const Expr& e) {
  const auto probed = probe(std::array{e});
  EXPECT_TRUE(probed.has_value()) << e.to_string();
  return probed && is_zero(probed->front());
}

TEST_F(Probe, SeesThroughWhatIsNotWrittenAsZero) {
  EXPECT_TRUE(vanishes(0));
  EXPECT_TRUE(vanishes(sin(q) * sin(q) + cos(q) * cos(q) - 1));
  EXPECT_TRUE(vanishes(pow(x + y, 3) - (x * x * x + 3 * x * x * y + 3 * x * y * y + y * y * y)));
  EXPECT_TRUE(vanishes(sin(x + y) - sin(x) * cos(y) - cos(x) * sin(y)));
  EXPECT_TRUE(vanishes(exp(x) * exp(-x) - 1));
  EXPECT_TRUE(vanishes(select(x < y, min(x, y), max(x, y)) - x));
  EXPECT_TRUE(vanishes(named("n", x * y) - x * y));
}

// Rounding inside a factor or an argument must not look like a value of its own.
TEST_F(Probe, SeesZerosInsideProductsAndFunctions) {
  const Expr zero = sin(q) * sin(q) + cos(q) * cos(q) - 1;
  EXPECT_TRUE(vanishes(1e15 * zero * exp(x)));
  EXPECT_TRUE(vanishes(sin(zero) + 1e6 * tan(zero) * y));
  EXPECT_TRUE(vanishes(sqrt(pow(zero, 2))));
}

TEST_F(Probe, KeepsWhatIsSmallButNotZero) {
  EXPECT_FALSE(vanishes(1e-200 * x));
  EXPECT_FALSE(vanishes(x - x * (1 + 1e-8)));
  EXPECT_FALSE(vanishes(x - y));
  EXPECT_FALSE(vanishes(symbol("q") - q));  // one name, but a symbol and a variable
  EXPECT_FALSE(vanishes(q - variable("q", 1)));
}

TEST_F(Probe, LooksForPointsInsideTheDomain) {
  EXPECT_FALSE(vanishes(sqrt(x - 50)));
  EXPECT_FALSE(vanishes(asin(x) + log(y) + acos(q)));
  EXPECT_FALSE(vanishes(log(-x)));
  EXPECT_FALSE(probe(std::array{sqrt(-1 - x * x)}).has_value());
}

TEST_F(Probe, EvaluatesTables) {
  const UserFunction& engine =
      register_table("probe_test_engine", {0.0, 0.5, 1.0}, {1.0, 3.0, 2.0}, Interpolation::kLinear);
  EXPECT_FALSE(vanishes(engine(x)));
  EXPECT_TRUE(vanishes(engine(x) - engine(sqrt(pow(x, 2)))));
}

TEST_F(Probe, NamesTheRowsThatTakePartInADependency) {
  // Row 3 = row 0 times x minus row 2.
  std::vector<Expr> rows = {x, y, q, 1, x, 2, sin(q), y, 3};
  for (int j = 0; j < 3; ++j) {
    rows.push_back(x * rows[j] - rows[6 + j]);
  }
  const auto probed = probe(rows);
  ASSERT_TRUE(probed.has_value());
  EXPECT_EQ(find_dependent_rows(*probed, 3), (std::vector{0, 2, 3}));
  EXPECT_TRUE(find_dependent_rows(std::span(*probed).first(9), 3).empty());
  EXPECT_TRUE(find_dependent_rows({}, 3).empty());
}

TEST_F(Probe, TakesAZeroRowForDependent) {
  const auto probed = probe(std::array<Expr, 4>{x, y, 0, 0});
  ASSERT_TRUE(probed.has_value());
  EXPECT_EQ(find_dependent_rows(*probed, 2), std::vector{1});
}

}  // namespace
}  // namespace camber::symbolic::internal
