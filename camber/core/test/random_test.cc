#include "camber/core/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace camber {
namespace {

constexpr std::uint64_t kSeed = 20240611;

struct Philox {
  std::array<std::uint32_t, 4> counter;
  std::array<std::uint32_t, 2> key;
  std::array<std::uint32_t, 4> result;
};

// The lines "philox4x32 10" of the file kat_vectors that the authors of [Salmon 2011] publish with
// Random123; the third takes its input from the digits of pi.
TEST(Philox, ReproducesThePublishedVectors) {
  const std::vector<Philox> vectors = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (const Philox& v : vectors) EXPECT_EQ(internal::philox4x32(v.counter, v.key), v.result);
}

// The check values that [Wichura 1988] prints for PPND16.
TEST(NormalQuantile, ReproducesThePublishedValues) {
  EXPECT_DOUBLE_EQ(internal::normal_quantile(0.25), -0.6744897501960817);
  EXPECT_DOUBLE_EQ(internal::normal_quantile(0.001), -3.090232306167814);
  EXPECT_DOUBLE_EQ(internal::normal_quantile(1e-20), -9.262340089798408);
}

// erfc is the C library's; it shares nothing with the rational functions.
TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (int i = 0; i < 430; ++i) {
    const double x = -8.1 + 0.0371 * i;
    const double p = 0.5 * std::erfc(-x / std::sqrt(2.0));
    if (p > 0.999) continue;  // 1 - p has lost its digits; the left tail covers the same code
    EXPECT_NEAR(internal::normal_quantile(p), x, 1e-12 * std::abs(x) + 1e-13) << "p = " << p;
  }
}

TEST(PortableLog, AgreesWithTheStandardLibrary) {
  RandomStream random(kSeed);
  for (int i = 0; i < 20'000; ++i) {
    const double x =
        std::ldexp(random.uniform(0.5, 1), static_cast<int>(random.integer(-1000, 1000)));
    const double expected = std::log(x);
    EXPECT_NEAR(internal::portable_log(x), expected, 4.5e-16 * std::abs(expected)) << "x = " << x;
  }
  for (int i = 0; i < 540; ++i) {  // near 1 the sum must not cancel
    const double x = 0.9 + 0.00037 * i;
    EXPECT_NEAR(internal::portable_log(x), std::log(x), 4.5e-16 * std::abs(std::log(x)));
  }
}

// From a second implementation, in Python with its statistics.NormalDist. A change here changes
// every study that people have on disk.
TEST(RandomStream, KeepsItsNumbersFromReleaseToRelease) {
  RandomStream random = RandomStream(kSeed).substream("lidar", 3);
  EXPECT_EQ(random.bits(), 0x72142571e3ed7791u);
  EXPECT_EQ(random.uniform(), 0.6093648243512472);
  EXPECT_EQ(random.normal(), -0.1258328176960548);
  EXPECT_EQ(random.integer(-1000, 1000), 385);
  EXPECT_EQ(random.permutation(7), (std::vector<int>{5, 0, 1, 4, 3, 6, 2}));
}

TEST(RandomStream, RepeatsItselfForTheSameSeed) {
  RandomStream a(kSeed), b(kSeed), other(kSeed + 1);
  RandomStream copy = a;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = a.bits();
    EXPECT_EQ(bits, b.bits());
    EXPECT_EQ(bits, copy.bits());
    EXPECT_NE(bits, other.bits());
  }
}

TEST(RandomStream, GivesASubstreamWhereverTheParentStands) {
  RandomStream parent(kSeed);
  RandomStream early = parent.substream("gps", 2);
  for (int i = 0; i < 17; ++i) parent.normal();
  RandomStream late = parent.substream("gps", 2);
  EXPECT_EQ(early.bits(), late.bits());
}

TEST(RandomStream, TellsSubstreamsApart) {
  const RandomStream root(kSeed);
  std::vector<RandomStream> streams = {root,
                                       root.substream(""),
                                       root.substream(std::string(1, '\0')),
                                       root.substream("lidar"),
                                       root.substream("lidar", 1),
                                       root.substream("lidar").substream("", 1),
                                       root.substream("lidarlid", 4),
                                       root.substream("lidarlida", 4),
                                       root.substream("lidarlidb", 4),
                                       root.substream("a").substream("b"),
                                       root.substream("b").substream("a"),
                                       root.substream("ab")};
  for (std::uint64_t number = 0; number < 10'000; ++number) {
    streams.push_back(root.substream("run", number));
  }
  std::set<std::uint64_t> first;
  for (RandomStream& stream : streams) first.insert(stream.bits());
  EXPECT_EQ(first.size(), streams.size());
}

// A mean of n draws scatters by sigma / sqrt(n); five of that would fail once in two million seeds.
TEST(RandomStream, DrawsUniformNumbersWithTheRightMoments) {
  RandomStream random = RandomStream(kSeed).substream("uniform");
  constexpr int kDraws = 200'000;
  double sum = 0, sum_of_squares = 0, smallest = 9, largest = -9, lag = 0, before = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform(-2.5, 4.5);
    sum += x;
    sum_of_squares += (x - 1) * (x - 1);
    lag += (x - 1) * before;
    before = x - 1;
    smallest = std::min(smallest, x);
    largest = std::max(largest, x);
  }
  const double variance = 49.0 / 12;
  EXPECT_NEAR(sum / kDraws, 1, 5 * std::sqrt(variance / kDraws));
  EXPECT_NEAR(sum_of_squares / kDraws, variance, 5 * variance * std::sqrt(0.8 / kDraws));
  EXPECT_NEAR(lag / kDraws, 0, 5 * variance / std::sqrt(kDraws));
  EXPECT_GE(smallest, -2.5);
  EXPECT_LT(smallest, -2.499);
  EXPECT_LT(largest, 4.5);
  EXPECT_GT(largest, 4.499);
}

TEST(RandomStream, DrawsNormalNumbersWithTheRightMoments) {
  RandomStream random = RandomStream(kSeed).substream("normal");
  constexpr int kDraws = 200'000;
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = (random.normal(3.7, 0.21) - 3.7) / 0.21;
    m1 += x / kDraws;
    m2 += x * x / kDraws;
    m3 += x * x * x / kDraws;
    m4 += x * x * x * x / kDraws;
  }
  EXPECT_NEAR(m1, 0, 5 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(m2, 1, 5 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(m3, 0, 5 * std::sqrt(15.0 / kDraws));
  EXPECT_NEAR(m4, 3, 5 * std::sqrt(96.0 / kDraws));
}

// Chi-squared over 13 cells, 12 degrees of freedom: above 37.7 once in ten thousand seeds.
TEST(RandomStream, DrawsEachIntegerEquallyOften) {
  RandomStream random = RandomStream(kSeed).substream("integer");
  constexpr int kDraws = 130'000;
  std::map<std::int64_t, int> count;
  for (int i = 0; i < kDraws; ++i) ++count[random.integer(-5, 7)];
  ASSERT_EQ(count.size(), 13u);
  EXPECT_EQ(count.begin()->first, -5);
  EXPECT_EQ(count.rbegin()->first, 7);
  double chi_squared = 0;
  for (const auto& [value, n] : count) chi_squared += (n - 10'000.0) * (n - 10'000.0) / 10'000.0;
  EXPECT_LT(chi_squared, 37.7);
}

TEST(RandomStream, DrawsIntegersFromTheWidestAndTheNarrowestRange) {
  RandomStream random(kSeed);
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  bool negative = false, positive = false;
  for (int i = 0; i < 100; ++i) {
    const std::int64_t x = random.integer(kMin, kMax);
    (x < 0 ? negative : positive) = true;
    EXPECT_EQ(random.integer(42, 42), 42);
    EXPECT_EQ(random.integer(kMax, kMax), kMax);
  }
  EXPECT_TRUE(negative && positive);
}

// All 24 orders of four things, 23 degrees of freedom: above 55 once in five thousand seeds.
TEST(RandomStream, DrawsEachPermutationEquallyOften) {
  RandomStream random = RandomStream(kSeed).substream("permutation");
  constexpr int kDraws = 48'000;
  std::map<std::vector<int>, int> count;
  for (int i = 0; i < kDraws; ++i) ++count[random.permutation(4)];
  ASSERT_EQ(count.size(), 24u);
  double chi_squared = 0;
  for (const auto& [order, n] : count) chi_squared += (n - 2000.0) * (n - 2000.0) / 2000.0;
  EXPECT_LT(chi_squared, 55);
  EXPECT_TRUE(random.permutation(0).empty());
}

TEST(RandomStream, StaysInAnInfinitelyNarrowOrHugeRange) {
  RandomStream random(kSeed);
  const double low = 1.7, high = std::nextafter(low, 2.0);
  constexpr double kMax = std::numeric_limits<double>::max();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(random.uniform(low, high), low);
    EXPECT_TRUE(std::isfinite(random.uniform(-kMax, kMax)));
  }
}

TEST(RandomStream, RefusesWhatIsNoRange) {
  RandomStream random(kSeed);
  EXPECT_THROW(random.uniform(2.5, 2.5), std::invalid_argument);
  EXPECT_THROW(random.uniform(0.3, std::nan("")), std::invalid_argument);
  EXPECT_THROW(random.normal(0.3, -0.1), std::invalid_argument);
  EXPECT_THROW(random.integer(3, 2), std::invalid_argument);
  EXPECT_THROW(random.permutation(-1), std::invalid_argument);
}

}  // namespace
}  // namespace camber
