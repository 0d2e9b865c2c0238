#include "camber/symbolic/count.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace camber::symbolic {
namespace {

const Expr x = symbol("x");
const Expr y = symbol("y");
const Expr z = symbol("z");

OperationCount make_count(std::uint64_t additions, std::uint64_t multiplications,
                          std::uint64_t divisions, std::uint64_t functions) {
  return {additions, multiplications, divisions, functions};
}

TEST(CountOperations, CountsWhatAPersonWouldWrite) {
  EXPECT_EQ(count_operations(x), make_count(0, 0, 0, 0));
  EXPECT_EQ(count_operations(-x), make_count(0, 0, 0, 0));
  EXPECT_EQ(count_operations(x - y + 3), make_count(2, 0, 0, 0));
  EXPECT_EQ(count_operations(2 * x * y - z / 2), make_count(1, 3, 0, 0));
  EXPECT_EQ(count_operations(x * y / z), make_count(0, 1, 1, 0));
  EXPECT_EQ(count_operations(3 / x), make_count(0, 0, 1, 0));
  EXPECT_EQ(count_operations(x / (y * z * z)), make_count(0, 2, 1, 0));
  EXPECT_EQ(count_operations(pow(x, 3)), make_count(0, 2, 0, 0));
  EXPECT_EQ(count_operations(pow(x, 15)), make_count(0, 6, 0, 0));
  EXPECT_EQ(count_operations(sqrt(x)), make_count(0, 0, 0, 1));
  EXPECT_EQ(count_operations(pow(x, Number(-3, 2))), make_count(0, 1, 1, 1));
  EXPECT_EQ(count_operations(pow(x, y + 1)), make_count(1, 0, 0, 1));
  EXPECT_EQ(count_operations(sin(x) * atan2(y, z)), make_count(0, 1, 0, 2));
  EXPECT_EQ(count_operations(select(x < y && y < z, x + 1, z)), make_count(1, 0, 0, 4));
  EXPECT_EQ(count_operations(named("n", x * y) + 1), make_count(1, 1, 0, 0));
}

TEST(CountOperations, CountsSharedPartsEachTimeOrOnce) {
  const Expr s = sin(x * y);
  const Expr e = s * z + exp(s);  // sin(x*y) twice
  EXPECT_EQ(count_operations(e), make_count(1, 3, 0, 3));
  EXPECT_EQ(count_shared_operations(e), make_count(1, 2, 0, 2));
  const std::vector<Expr> both = {s, s + 1};
  EXPECT_EQ(count_operations(both), make_count(1, 2, 0, 2));
  EXPECT_EQ(count_shared_operations(both), make_count(1, 1, 0, 1));
}

// 2^200 copies of x: the tree does not fit any memory, its count not 64 bits.
TEST(CountOperations, StopsAtTheLargestNumber) {
  Expr e = x;
  for (int i = 0; i < 200; ++i) {
    e = sin(e * (e + 1));
  }
  EXPECT_EQ(count_operations(e).total(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(count_shared_operations(e), make_count(200, 200, 0, 200));
}

TEST(CountOperations, CountsVariablesOfTimeAsMapleDoes) {
  const Expr e = variable("q") * variable("q", 2) + sin(variable("q", 1));
  EXPECT_EQ(count_operations(e), make_count(1, 1, 0, 1));
  EXPECT_EQ(count_operations(e, {.variables_are_functions = true}),
            make_count(1, 1, 0, 1 + 1 + 3 + 2));
}

TEST(OperationCount, PrintsAsThePaperDoes) {
  EXPECT_EQ(make_count(531, 2983, 0, 4110).to_string(),
            "531 additions + 4110 functions + 2983 multiplications");
  EXPECT_EQ(make_count(119, 290, 4, 186).to_string(),
            "119 additions + 186 functions + 290 multiplications + 4 divisions");
  EXPECT_EQ(make_count(0, 0, 0, 0).to_string(), "0 operations");
}

}  // namespace
}  // namespace camber::symbolic
