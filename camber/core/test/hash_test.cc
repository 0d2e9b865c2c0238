#include "camber/core/hash.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace camber {
namespace {

std::uint64_t hash_text(const char* text) {
  return fnv1a64(std::as_bytes(std::span(text, std::strlen(text))));
}

// Numbers of the test vectors that Noll publishes with the hash.
TEST(Fnv1a64, GivesThePublishedNumbers) {
  EXPECT_EQ(hash_text(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(hash_text("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(hash_text("foobar"), 0x85944171f73967e8ULL);
}

TEST(Fnv1a64, IsTheSameOfPieces) {
  const std::string text = "foobar";
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_EQ(fnv1a64(bytes.last(4), fnv1a64(bytes.first(2))), 0x85944171f73967e8ULL);
}

TEST(HashValues, DistinguishesListsThatDifferInOneBit) {
  const std::vector<double> state = {1.25, -3.5, 0.0};
  EXPECT_EQ(hash_values(state), hash_values(std::vector<double>{1.25, -3.5, 0.0}));
  EXPECT_NE(hash_values(state), hash_values(std::vector<double>{1.25, -3.5, -0.0}));
  EXPECT_NE(hash_values(state), hash_values(std::vector<double>{-3.5, 1.25, 0.0}));
  EXPECT_NE(hash_values(state),
            hash_values(std::vector<double>{std::nextafter(1.25, 2.0), -3.5, 0.0}));
  EXPECT_EQ(hash_values({}), "fnv1a64:cbf29ce484222325");
}

// By hand: 1.0 is 3ff0000000000000, so the bytes are six zeros, f0, 3f.
TEST(HashValues, TakesTheLeastSignificantByteFirst) {
  std::uint64_t expected = 0xcbf29ce484222325ULL;
  for (const std::uint64_t byte : {0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0xf0, 0x3f}) {
    expected = (expected ^ byte) * 1099511628211ULL;
  }
  char text[32];
  std::snprintf(text, sizeof text, "fnv1a64:%016llx", static_cast<unsigned long long>(expected));
  EXPECT_EQ(hash_values(std::vector<double>{1.0}), text);
}

}  // namespace
}  // namespace camber
