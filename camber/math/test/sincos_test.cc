#include "camber/math/sincos.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/lanes.h"

namespace camber::math {
namespace {

constexpr unsigned kSeed = 20240;
constexpr double kMaxErrorInUlp = 0.8;  // with FMA 0.75 is the worst seen

/// Distance of `result` from `exact` in units in the last place of the double next to `exact`. Long
/// double has 11 bits more, so the measure itself is good to 1e-3.
double error_in_ulp(double result, long double exact) {
  const double nearest = std::abs(static_cast<double>(exact));
  const double ulp = std::nextafter(nearest, HUGE_VAL) - nearest;
  return static_cast<double>(std::abs(static_cast<long double>(result) - exact) / ulp);
}

/// Arguments up to `largest`, as many small ones as large ones.
std::vector<double> make_angles(double largest, int count) {
  RandomStream random = RandomStream(kSeed).substream("angles");
  std::vector<double> x;
  for (int i = 0; i < count; ++i) {
    x.push_back(random.uniform(-largest, largest));
    x.push_back(std::copysign(largest * std::exp2(-random.uniform(0, 40)), random.uniform(-1, 1)));
    // The double nearest to a multiple of pi/2, where all digits cancel, and its neighbors.
    const double n = std::floor(random.uniform(-largest, largest) * 2 / std::numbers::pi);
    const auto zero =
        static_cast<double>(static_cast<long double>(n) * std::numbers::pi_v<long double> / 2);
    x.push_back(zero);
    x.push_back(std::nextafter(zero, HUGE_VAL));
  }
  return x;
}

TEST(Sincos, IsWithinOneUlp) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  for (const double largest : {1e-6, 0.7, 7.0, 100.0, 1e4, 1e6, 1e9, 1e300}) {
    SCOPED_TRACE(testing::Message() << "up to " << largest);
    double worst = 0;
    for (const double x : make_angles(largest, 20'000)) {
      double s, c;
      sincos(x, &s, &c);
      worst = std::max({worst, error_in_ulp(s, std::sin(static_cast<long double>(x))),
                        error_in_ulp(c, std::cos(static_cast<long double>(x)))});
    }
    EXPECT_LT(worst, kMaxErrorInUlp);
  }
}

TEST(Sincos, KeepsSineAndCosineOnTheUnitCircle) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  for (const double x : make_angles(1e6, 2000)) {
    double s, c;
    sincos(x, &s, &c);
    EXPECT_NEAR(s * s + c * c, 1, 4.5e-16) << x;
  }
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

template <int N>
void expect_lanes_as_numbers(const std::vector<double>& x) {
  for (std::size_t i = 0; i + N <= x.size(); i += N) {
    Lanes<N> s, c;
    sincos(Lanes<N>::load(&x[i]), &s, &c);
    for (int lane = 0; lane < N; ++lane) {
      double s_i, c_i;
      sincos(x[i + lane], &s_i, &c_i);
      ASSERT_EQ(bits(s.lane(lane)), bits(s_i)) << "sine of " << x[i + lane];
      ASSERT_EQ(bits(c.lane(lane)), bits(c_i)) << "cosine of " << x[i + lane];
    }
  }
}

// A run must not depend on how many vehicles shared a register with this one. Small and large
// angles alternate, so that some registers take both paths.
TEST(Sincos, GivesTheSameBitsAloneInLanesAndInBatches) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::vector<double> x = make_angles(100, 2000);
  for (const double angle : make_angles(3e6, 2000)) x.push_back(angle);
  expect_lanes_as_numbers<4>(x);
  expect_lanes_as_numbers<8>(x);
  for (std::size_t size = 0; size < 20; ++size) {  // whole registers and all lengths of the rest
    const auto angles = std::span<const double>(x).last(size);
    std::vector<double> s(size), c(size);
    sincos(angles, s, c);
    for (std::size_t i = 0; i < size; ++i) {
      double s_i, c_i;
      sincos(angles[i], &s_i, &c_i);
      EXPECT_EQ(bits(s[i]), bits(s_i));
      EXPECT_EQ(bits(c[i]), bits(c_i));
    }
  }
}

TEST(Sincos, WritesOverItsArgument) {
  const std::vector<double> x = make_angles(10, 10);
  std::vector<double> s(x.size()), c(x.size()), in_place = x;
  sincos(x, s, c);
  sincos(in_place, in_place, c);
  EXPECT_EQ(in_place, s);
  double number = x[0];
  sincos(number, &c[0], &number);
  EXPECT_EQ(c[0], s[0]);
}

TEST(Sincos, KnowsTheSpecialValues) {
  double s, c;
  for (const double zero : {0.0, -0.0}) {
    sincos(zero, &s, &c);
    EXPECT_EQ(bits(s), bits(zero));
    EXPECT_EQ(c, 1);
  }
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  sincos(-kSmallest, &s, &c);
  EXPECT_EQ(s, -kSmallest);
  EXPECT_EQ(c, 1);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double x : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    sincos(x, &s, &c);
    EXPECT_TRUE(std::isnan(s) && std::isnan(c)) << x;
    Lanes<8> lanes(0.3), sines, cosines;  // one bad lane spoils no other
    lanes.set_lane(5, x);
    sincos(lanes, &sines, &cosines);
    EXPECT_TRUE(std::isnan(sines.lane(5)) && std::isnan(cosines.lane(5))) << x;
    EXPECT_EQ(sines.lane(4), sin(Lanes<8>(0.3)).lane(4));
  }
}

TEST(Sincos, NamesTheLengthsThatDiffer) {
  std::vector<double> x(5), s(5), c(4);
  EXPECT_THROW(sincos(x, s, c), std::invalid_argument);
}

}  // namespace
}  // namespace camber::math
