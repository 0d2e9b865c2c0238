#include "camber/symbolic/number.h"

#include <cstdint>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::symbolic {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Number, ReducesFractionsAndKeepsTheDenominatorPositive) {
  EXPECT_EQ(Number(21, -14).to_string(), "-3/2");
  EXPECT_EQ(Number(-21, -14), Number(3, 2));
  EXPECT_EQ(Number(kMin, kMin), Number(1));
  EXPECT_EQ(Number(kMin, -1).to_string(), "9223372036854775808");
}

// 64-bit words overflow in each of these; the expected digits were worked out by hand from powers
// of two.
TEST(Number, StaysExactBeyondSixtyFourBits) {
  EXPECT_EQ((Number(kMax) + Number(kMax)).to_string(), "18446744073709551614");
  EXPECT_EQ((Number(kMax) * Number(kMax)).to_string(), "85070591730234615847396907784232501249");
  EXPECT_EQ((-Number(kMin)).to_string(), "9223372036854775808");
  EXPECT_EQ((Number(kMin) - Number(1) + Number(1)), Number(kMin));
  EXPECT_EQ(Number(kMax) * Number(kMax) / Number(kMax), Number(kMax));
}

TEST(Number, TakesUnsignedIntegersAsTheyAre) {
  EXPECT_EQ(Number(~std::uint64_t{0}).to_string(), "18446744073709551615");
  EXPECT_EQ(Number(std::uint64_t{1} << 63U) - Number(1), Number(kMax));
  EXPECT_EQ(Number(std::uint64_t{7}), Number(7));
  EXPECT_EQ(Number(~std::uint32_t{0}), Number(4294967295));
}

TEST(Number, AddsFractionsLikeIntegersOverACommonDenominator) {
  RandomStream random(71);
  for (int trial = 0; trial < 500; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 71, trial " << trial);
    const auto draw = [&](std::int64_t lo, std::int64_t hi) {
      return static_cast<std::int64_t>(random.integer(lo, hi));
    };
    const std::int64_t a = draw(-2000, 2000), b = draw(1, 900), c = draw(-2000, 2000),
                       d = draw(1, 900);
    EXPECT_EQ(Number(a, b) + Number(c, d), Number(a * d + c * b, b * d));
    EXPECT_EQ(Number(a, b) * Number(c, d), Number(a * c, b * d));
    EXPECT_EQ(Number(a, b) < Number(c, d), a * d < c * b);
    if (c != 0) {
      EXPECT_EQ(Number(a, b) / Number(c, d), Number(a * d, b * c));
    }
  }
}

TEST(Number, TakesWholeDoublesAsExactAndKeepsOthersAsDoubles) {
  EXPECT_EQ(Number::from_double(-12.0), Number(-12));
  EXPECT_EQ(Number::from_double(-0.0), Number(0));
  EXPECT_FALSE(Number::from_double(0.5).is_exact());
  EXPECT_FALSE(Number::from_double(0.5) == Number(1, 2));
  EXPECT_LT(Number(1, 2), Number::from_double(0.5));
  EXPECT_FALSE((Number(1, 3) + Number::from_double(0.25)).is_exact());
  EXPECT_FALSE(Number::from_double(1e300).is_exact());
  EXPECT_EQ(Number::from_double(0.1).to_string(), "0.1");
}

TEST(Number, RefusesWhatIsNoFiniteNumber) {
  EXPECT_THROW(Number::from_double(std::numeric_limits<double>::quiet_NaN()),
               std::invalid_argument);
  EXPECT_THROW(Number::from_double(-std::numeric_limits<double>::infinity()),
               std::invalid_argument);
  EXPECT_THROW(Number(7) / Number(0), std::domain_error);
  EXPECT_THROW(Number(7, 0), std::domain_error);
  EXPECT_THROW(Number::from_double(1e300) * Number::from_double(1e300), std::overflow_error);
  EXPECT_THROW(Number::from_double(1e-300) * Number::from_double(1e-300), std::overflow_error);
  EXPECT_THROW(Number::from_digits("12a"), std::invalid_argument);
  EXPECT_THROW(Number::from_digits(""), std::invalid_argument);
}

TEST(Number, ReadsDigitsAsDecimalEvenWithLeadingZeros) {
  EXPECT_EQ(Number::from_digits("0017"), Number(17));
  EXPECT_EQ(Number::from_digits("-000"), Number(0));
  EXPECT_EQ(Number::from_digits("123456789012345678901234567890").to_string(),
            "123456789012345678901234567890");
}

TEST(Number, PowersAreExactAndBounded) {
  Number power;
  ASSERT_TRUE(pow_exact(Number(-3, 2), -5, &power));
  EXPECT_EQ(power, Number(-32, 243));
  ASSERT_TRUE(pow_exact(Number(-1), 1'000'000'000'001, &power));
  EXPECT_EQ(power, Number(-1));
  ASSERT_TRUE(pow_exact(Number(-1), kMin, &power));
  EXPECT_EQ(power, Number(1));
  EXPECT_FALSE(pow_exact(Number(2), 1'000'000'000, &power)) << "would fill the memory";
  EXPECT_THROW(pow_exact(Number(0), -1, &power), std::domain_error);
}

TEST(Number, FindsExactRootsOnly) {
  Number root;
  ASSERT_TRUE(root_exact(Number(8, 27), 3, &root));
  EXPECT_EQ(root, Number(2, 3));
  EXPECT_FALSE(root_exact(Number(8, 28), 3, &root));
  EXPECT_FALSE(root_exact(Number(-8), 3, &root));
  const Number large = Number(kMax) * Number(kMax);
  ASSERT_TRUE(root_exact(large, 2, &root));
  EXPECT_EQ(root, Number(kMax));
}

TEST(Number, GcdDividesBothIntoCoprimeWholeNumbers) {
  EXPECT_EQ(gcd(Number(12), Number(-18)), Number(6));
  EXPECT_EQ(gcd(Number(4, 3), Number(10, 9)), Number(2, 9));
  EXPECT_EQ(gcd(Number(0), Number(-7, 2)), Number(7, 2));
}

}  // namespace
}  // namespace camber::symbolic
