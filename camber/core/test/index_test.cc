#include "camber/core/index.h"

#include <set>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

namespace camber {
namespace {

using BodyIndex = Index<struct BodyTag>;
using WheelIndex = Index<struct WheelTag>;

// What must not compile: the reason for typed indices.
static_assert(!std::is_same_v<BodyIndex, WheelIndex>);
static_assert(!std::is_convertible_v<WheelIndex, BodyIndex>);
static_assert(!std::is_constructible_v<BodyIndex, WheelIndex>);
static_assert(!std::is_convertible_v<int, BodyIndex>);
static_assert(!std::is_convertible_v<BodyIndex, int>);
static_assert(sizeof(BodyIndex) == sizeof(int));

TEST(Index, IsInvalidUntilItIsGivenAPosition) {
  EXPECT_FALSE(BodyIndex().valid());
  EXPECT_TRUE(BodyIndex(0).valid());
  EXPECT_EQ(BodyIndex(std::size_t{17}).value, 17);
}

TEST(Index, OrdersByPositionWithInvalidFirst) {
  const std::set<BodyIndex> sorted = {BodyIndex(12), BodyIndex(), BodyIndex(3), BodyIndex(7)};
  std::vector<int> values;
  for (const BodyIndex& b : sorted) values.push_back(b.value);
  EXPECT_EQ(values, (std::vector<int>{-1, 3, 7, 12}));
  EXPECT_NE(BodyIndex(4), BodyIndex(5));
}

TEST(Index, CountsThroughAList) {
  std::vector<int> visited;
  for (WheelIndex w(2); w < WheelIndex(5); ++w) visited.push_back(w.value);
  EXPECT_EQ(visited, (std::vector<int>{2, 3, 4}));
}

TEST(Index, FindsItsEntryInAHashMap) {
  std::unordered_map<BodyIndex, double> mass;
  for (int i = 0; i < 50; ++i) mass[BodyIndex(i)] = 1.5 * i;
  EXPECT_EQ(mass.size(), 50u);
  EXPECT_EQ(mass.at(BodyIndex(31)), 46.5);
  EXPECT_EQ(mass.count(BodyIndex()), 0u);
}

}  // namespace
}  // namespace camber
