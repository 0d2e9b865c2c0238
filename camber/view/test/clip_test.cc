#include "camber/view/clip.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "camber/core/file.h"

namespace camber::view {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<ClipColumn> make_columns(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::vector<ClipColumn> columns = {{.name = "time", .values = {}, .quantum = kTimeStep},
                                     {.name = "smooth", .values = {}, .quantum = kPositionStep},
                                     {.name = "noise", .values = {}, .quantum = 0},
                                     {.name = "constant", .values = {}, .quantum = 0},
                                     {.name = "gaps", .values = {}, .quantum = 1e-3},
                                     {.name = "huge", .values = {}, .quantum = 1e-6}};
  for (std::size_t k = 0; k < count; ++k) {
    const double t = 0.01 * static_cast<double>(k);
    const double r = static_cast<double>(random()) / 4294967296.0;
    const double values[] = {t,     17.3 + 40 * std::sin(0.9 * t), r - 0.4,
                             -3.75, k % 7 == 3 ? kNan : 5 * r,     1e9 * r};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].values.push_back(values[c]);
  }
  return columns;
}

TEST(Clip, ComesBackWithinHalfAQuantum) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 1000U}) {
    SCOPED_TRACE(count);
    const std::vector<ClipColumn> columns = make_columns(5, count);
    const Clip clip = decode_clip(encode_clip(2, columns));
    EXPECT_EQ(clip.run, 2);
    ASSERT_EQ(clip.columns.size(), columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      SCOPED_TRACE(columns[c].name);
      EXPECT_EQ(clip.columns[c].name, columns[c].name);
      ASSERT_EQ(clip.columns[c].values.size(), count);
      for (std::size_t k = 0; k < count; ++k) {
        const double x = columns[c].values[k], y = clip.columns[c].values[k];
        if (std::isnan(x)) {
          EXPECT_TRUE(std::isnan(y));
        } else {
          EXPECT_NEAR(y, x, 0.5001 * clip.columns[c].quantum);
        }
      }
    }
  }
}

// Steps of drawn channels are at least as fine as 12 bits of their range; a constant column is
// exact and not in the stream.
TEST(Clip, IsFineEnoughForDrawing) {
  const Clip clip = decode_clip(encode_clip(0, make_columns(6, 500)));
  EXPECT_LE(clip.columns[2].quantum, 1.0 / 4096);
  EXPECT_EQ(clip.columns[3].quantum, 0);
  EXPECT_EQ(clip.columns[3].values[123], -3.75);
  EXPECT_LE(clip.columns[5].quantum, 1.0) << "a range of more than 2^30 steps gets longer ones";
}

TEST(Clip, RefusesWhatIsNoClip) {
  const std::string good = encode_clip(0, make_columns(7, 50));
  EXPECT_NO_THROW(decode_clip(good));
  for (const std::size_t length : {0U, 7U, 11U, 12U, 40U, 200U})
    EXPECT_THROW(decode_clip(good.substr(0, length)), std::invalid_argument) << length;
  EXPECT_THROW(decode_clip(good.substr(0, good.size() - 1)), std::invalid_argument);
  std::string bad = good;
  bad[2] = 'X';
  EXPECT_THROW(decode_clip(bad), std::invalid_argument);
  bad = good;
  bad[good.size() / 2 + 100] ^= 0x55;
  EXPECT_THROW(decode_clip(bad), std::invalid_argument);
  // A header that asks for more than there is.
  const std::string header =
      R"({"run":0,"count":4000000000,"columns":[{"name":"a","scale":1,"offset":0}]})";
  std::string large = "CAMCLIP1";
  large.push_back(static_cast<char>(header.size()));
  large.append(3, '\0');
  large += header + "x";
  EXPECT_THROW(decode_clip(large), std::invalid_argument);
}

// Bytes that were changed at random either give numbers or are refused; nothing else happens.
TEST(Clip, SurvivesChangedBytes) {
  const std::string good = encode_clip(0, make_columns(8, 60));
  std::mt19937 random(9);
  for (int k = 0; k < 2000; ++k) {
    std::string bad = good;
    for (int i = 0; i < 3; ++i) bad[random() % bad.size()] = static_cast<char>(random());
    try {
      decode_clip(bad);
    } catch (const std::exception&) {
      continue;
    }
  }
}

TEST(Clip, KeepsQuaternionsSmooth) {
  FrameLayout layout;
  layout.bodies = {1};
  ClipWriter clip(layout, 0);
  for (int k = 0; k < 100; ++k) {
    const double half = 0.05 * k;
    const double sign = k % 2 == 0 ? 1 : -1;
    const double values[] = {1.0 * k, 2, 3, 0, 0, sign * std::sin(half), sign * std::cos(half)};
    clip.append(0.01 * k, values);
  }
  const Clip found = decode_clip(clip.finish());
  for (std::size_t k = 1; k < 100; ++k)
    EXPECT_LT(std::abs(found.columns[7].values[k] - found.columns[7].values[k - 1]), 0.06);
}

// The page's tests read the same file (viewer/test): both sides understand one format. After a
// change of the format: CAMBER_WRITE_FIXTURES=1 build/dev/camber/view/view_test
TEST(Clip, ReadsTheSharedFile) {
  const std::string path = "tests/data/page/clip.bin";
  if (std::getenv("CAMBER_WRITE_FIXTURES") != nullptr)
    write_file_atomically(path, encode_clip(2, make_columns(5, 1000)));
  const Clip clip = decode_clip(read_file(path, 1 << 20));
  const std::vector<ClipColumn> columns = make_columns(5, 1000);
  ASSERT_EQ(clip.columns.size(), columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::size_t k = 0; k < 1000; ++k)
      if (!std::isnan(columns[c].values[k])) {
        EXPECT_NEAR(clip.columns[c].values[k], columns[c].values[k],
                    0.5001 * clip.columns[c].quantum);
      }
}

}  // namespace
}  // namespace camber::view
