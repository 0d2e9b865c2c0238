#include "camber/core/hash.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/temporary_folder.h"

namespace camber {
namespace {

std::uint64_t hash_of(const char* text) {
  return fnv1a64(std::as_bytes(std::span(text, std::strlen(text))));
}

// Test vectors of the draft.
TEST(Hash, GivesThePublishedValues) {
  EXPECT_EQ(hash_of(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(hash_of("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(hash_of("foobar"), 0x85944171f73967e8ULL);
}

TEST(Hash, TakesBytesInPieces) {
  const auto bytes = std::as_bytes(std::span("foobar", 6));
  EXPECT_EQ(fnv1a64(bytes.last(4), fnv1a64(bytes.first(2))), 0x85944171f73967e8ULL);
}

TEST(Hash, OfValuesTellsEveryBit) {
  EXPECT_EQ(hash_values({}), "fnv1a64:cbf29ce484222325");
  const std::vector<double> a = {1.37, -2.5}, b = {1.37, std::nextafter(-2.5, 0.0)};
  EXPECT_NE(hash_values(a), hash_values(b));
  // Least significant byte first, whatever the machine's own order is.
  std::string bytes;
  for (const double value : a) {
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int i = 0; i < 8; ++i, bits >>= 8) bytes += static_cast<char>(bits & 0xff);
  }
  EXPECT_EQ(hash_values(a),
            hash_text(fnv1a64(std::as_bytes(std::span(bytes.data(), bytes.size())))));
}

TEST(Hash, OfAFileIsThatOfItsBytes) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "text").string();
  std::ofstream(path) << "foobar";
  EXPECT_EQ(hash_file(path), "fnv1a64:85944171f73967e8");
  EXPECT_THROW(hash_file(path + ".none"), FileError);
}

}  // namespace
}  // namespace camber
