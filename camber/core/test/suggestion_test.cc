#include "camber/core/suggestion.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace camber {
namespace {

const std::vector<std::string> kKeys = {"differential", "radius", "mass", "track_width", "x"};

TEST(ClosestMatch, FindsEachKindOfSlip) {
  EXPECT_EQ(closest_match("diferential", kKeys), "differential");  // letter left out
  EXPECT_EQ(closest_match("raddius", kKeys), "radius");            // letter too many
  EXPECT_EQ(closest_match("masd", kKeys), "mass");                 // wrong letter
  EXPECT_EQ(closest_match("rdaius", kKeys), "radius");             // neighbors swapped
  EXPECT_EQ(closest_match("TRACK_WIDTH", kKeys), "track_width");   // case
  EXPECT_EQ(closest_match("trakc_widht", kKeys), "track_width");   // two slips in a long word
}

TEST(ClosestMatch, StaysSilentWhenNothingIsClose) {
  EXPECT_EQ(closest_match("stiffness", kKeys), std::nullopt);
  EXPECT_EQ(closest_match("y", kKeys), std::nullopt);
  EXPECT_EQ(closest_match("", kKeys), std::nullopt);
  EXPECT_EQ(closest_match("mass", {}), std::nullopt);
}

// A swap is one slip, so it wins over a candidate that two substitutions would reach.
TEST(ClosestMatch, CountsASwapAsOneSlip) {
  const std::vector<std::string> candidates = {"brxke", "barke"};
  EXPECT_EQ(closest_match("bakre", candidates), "barke");
}

TEST(ClosestMatch, PrefersTheFirstAmongEquals) {
  const std::vector<std::string> candidates = {"front_left", "front_lift"};
  EXPECT_EQ(closest_match("front_lxft", candidates), "front_left");
}

TEST(ClosestMatch, GivesUpOnHugeWords) {
  const std::vector<std::string> candidates = {std::string(100'000, 'a')};
  EXPECT_EQ(closest_match(std::string(100'001, 'a'), candidates), std::nullopt);
  EXPECT_EQ(closest_match("aaaa", candidates), std::nullopt);
}

TEST(DidYouMean, EndsAMessage) {
  EXPECT_EQ(did_you_mean("diferential", kKeys), "; did you mean \"differential\"?");
  EXPECT_EQ(did_you_mean("stiffness", kKeys), "");
}

}  // namespace
}  // namespace camber
