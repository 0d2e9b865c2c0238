#include "camber/core/text.h"

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace camber {
namespace {

TEST(Text, WritesNumbersAsPeopleDo) {
  EXPECT_EQ(short_text(0.25), "0.25");
  EXPECT_EQ(short_text(1500), "1500");
  EXPECT_EQ(short_text(2e-5), "2e-5");
  EXPECT_EQ(short_text(-3.25e17), "-3.25e17");
  EXPECT_EQ(short_text(10.29893127, 6), "10.2989");
  EXPECT_EQ(short_text(-0.0), "0");
}

TEST(Text, FixedDecimalsHaveNoNegativeZero) {
  EXPECT_EQ(fixed_text(-0.0004, 3), "0.000");
  EXPECT_EQ(fixed_text(-0.0006, 3), "-0.001");
  EXPECT_EQ(fixed_text(31.25, 1), "31.2");
  EXPECT_EQ(fixed_text(2.5e9, 1), "");
  EXPECT_EQ(fixed_text(std::numeric_limits<double>::quiet_NaN(), 1), "");
  EXPECT_EQ(fixed_text(-std::numeric_limits<double>::infinity(), 1), "");
}

TEST(Text, CountsInTheRightNumber) {
  EXPECT_EQ(count_text(1, "step"), "1 step");
  EXPECT_EQ(count_text(0, "step"), "0 steps");
  EXPECT_EQ(count_text(7, "axis", "axes"), "7 axes");
  EXPECT_EQ(count_text(1, "axis", "axes"), "1 axis");
}

TEST(Text, ReadsANumberThatIsAllOfTheText) {
  EXPECT_EQ(parse_number("-2.5e3", "--travel"), -2500);
  for (const char* text : {"", "a", "3 m", "1e999", "nan", "inf"}) {
    try {
      parse_number(text, "--travel");
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(), std::string("--travel: \"") + text + "\" is not a number");
    }
  }
}

TEST(Text, SplitsAtASeparator) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(split("1:2.5:3", ':'), (Parts{"1", "2.5", "3"}));
  EXPECT_EQ(split("a,,b", ','), (Parts{"a", "", "b"}));
  EXPECT_EQ(split("a,", ','), (Parts{"a"}));
  EXPECT_EQ(split("", ','), Parts{});
}

TEST(Text, PadsByCharactersNotBytes) {
  EXPECT_EQ(padded("abc", 6), "abc   ");
  EXPECT_EQ(padded("\u00b1 3", 6), "\u00b1 3   ");
  EXPECT_EQ(padded("abcdef", 3), "abcdef ");
}

}  // namespace
}  // namespace camber
