#include "camber/core/require.h"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace camber {
namespace {

std::string message_of(double radius) {
  try {
    require(radius > 0, "make_wheel: radius of wheel ", std::size_t{3}, " must be > 0 m, got ",
            radius);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Require, PassesWhatHolds) { EXPECT_EQ(message_of(0.31), ""); }

TEST(Require, ThrowsTheStreamedParts) {
  EXPECT_EQ(message_of(-0.31), "make_wheel: radius of wheel 3 must be > 0 m, got -0.31");
}

TEST(Require, TakesNanForAFailure) {
  EXPECT_EQ(message_of(std::numeric_limits<double>::quiet_NaN()),
            "make_wheel: radius of wheel 3 must be > 0 m, got nan");
}

TEST(Concat, WritesEveryKindOfPart) {
  const std::string name = "mule";
  EXPECT_EQ(concat(name, ' ', -7, ' ', 42u, ' ', true, ' ', 0.1f < 0.2f, ' ', 'c'),
            "mule -7 42 true true c");
  EXPECT_EQ(concat(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(concat(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

// An expression's text can be longer than the work of the function that checks it.
TEST(Require, AsksAnObjectForItsTextOnlyOnFailure) {
  struct Costly {
    int* asked;
    std::string to_string() const { return concat("costly ", ++*asked); }
  };
  int asked = 0;
  const Costly object{&asked};
  require(true, "holds: ", object);
  EXPECT_EQ(asked, 0);
  EXPECT_THROW(require(false, "fails: ", object), std::invalid_argument);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(concat(object, '!'), "costly 2!");
}

// Two thirds has no short decimal form: fewer digits than these would read back as another double.
TEST(Concat, WritesDoublesThatReadBackExactly) {
  EXPECT_EQ(concat(2.0 / 3.0), "0.6666666666666666");
  EXPECT_EQ(std::stod(concat(2.0 / 3.0)), 2.0 / 3.0);
  EXPECT_EQ(concat(6.02214076e23), "6.02214076e+23");
}

}  // namespace
}  // namespace camber
