// [Meijster, Roerdink, Hesselink 2000]: a pass along each column gives the distance g to the nearest
// blocked cell above or below; the least of the parabolas
//   (x - i)^2 + g_i^2                                                                          (1)
// over the columns i of a row gives the distance in the plane. All in integers, so the field is
// exact. Columns go by sixteen, and so do the cells of a row: (1) is tried for columns that are
// farther and farther away, until their (x - i)^2 alone is too much. Where more than kNear columns
// would have to be tried, the lower envelope of the row's parabolas is made, as in the paper.

#include "camber/planning/distance_field.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "camber/core/require.h"

namespace camber::planning {
namespace {

constexpr std::int32_t kNoneInColumn = INT32_MAX;
constexpr int kLanes = 16;
constexpr int kNear = 128;                     // columns to each side
constexpr std::int32_t kFar = 1 << 20;         // a distance within a column that there is not
constexpr std::int32_t kFarSquared = 1 << 30;  // more than the square of any distance

typedef std::int32_t Pack __attribute__((vector_size(64)));  // NOLINT(modernize-use-using)

Pack load(const std::int32_t* from) {
  Pack pack;
  std::memcpy(&pack, from, sizeof pack);
  return pack;
}
void store(const Pack& pack, std::int32_t* to) { std::memcpy(to, &pack, sizeof pack); }
Pack min(const Pack& a, const Pack& b) { return a < b ? a : b; }

/// Whether a lane is more than a number.
bool any_above(const Pack& pack, std::int32_t number) {
  const Pack above = pack > number;
  std::uint64_t words[8], any = 0;
  std::memcpy(words, &above, sizeof words);
  for (const std::uint64_t word : words) any |= word;
  return any != 0;
}

/// Sixteen columns of a row: bit k is set if column x + k is blocked, or is not in the grid.
std::int32_t bits_at(const OccupancyGrid& grid, int x, int y) {
  const std::uint64_t* words = grid.row_words(y);
  const int bit = x + 1, word = bit >> 6, off = bit & 63;
  std::uint64_t bits = words[word] >> off;
  if (off > 64 - kLanes && word + 1 < grid.words_per_row()) bits |= words[word + 1] << (64 - off);
  return static_cast<std::int32_t>(bits & 0xffff);
}

/// First column from which the parabola of column u (value gu) is below that of column i < u.
/// Quotients of integers this small are rounded to a whole number by a division in doubles only if
/// they are one.
double calc_takeover(double i, double gi, double u, double gu) {
  return std::floor((u * u - i * i + gu * gu - gi * gi) / (2 * (u - i))) + 1;
}

}  // namespace

DistanceField::DistanceField(const OccupancyGrid& grid)
    : width_(grid.width()), height_(grid.height()), resolution_(grid.resolution()) {
  require(width_ <= kMaxSide && height_ <= kMaxSide, "DistanceField: ", width_, " x ", height_,
          " cells; a side has at most ", kMaxSide);
  in_column_.resize(static_cast<std::size_t>(width_) * height_);
  squared_.resize(in_column_.size());
  blocks_.resize((width_ + kLanes - 1) / kLanes);
  rows_.resize(height_);
  sweep_.resize(static_cast<std::size_t>(kLanes) * height_);
  parabolas_.assign(width_ + 2 * (kNear + kLanes), kFarSquared);
  sites_.resize(width_);
  starts_.resize(width_);
  for (int block = 0; block < static_cast<int>(blocks_.size()); ++block) calc_columns(grid, block);
  for (int y = 0; y < height_; ++y) calc_row(y);
}

int DistanceField::update(const OccupancyGrid& grid, std::span<const Cell> changed) {
  require(grid.width() == width_ && grid.height() == height_, "DistanceField::update: grid of ",
          grid.width(), " x ", grid.height(), " cells, field of ", width_, " x ", height_);
  std::fill(blocks_.begin(), blocks_.end(), 0);
  std::fill(rows_.begin(), rows_.end(), 0);
  for (const Cell c : changed) {
    require(grid.contains(c), "DistanceField::update: cell ", c.x, ", ", c.y,
            " is not in the grid");
    blocks_[c.x / kLanes] = 1;
  }
  for (int block = 0; block < static_cast<int>(blocks_.size()); ++block) {
    if (blocks_[block]) calc_columns(grid, block);
  }
  int count = 0;
  for (int y = 0; y < height_; ++y) {
    if (!rows_[y]) continue;
    calc_row(y);
    ++count;
  }
  return count;
}

double DistanceField::distance(Cell c) const {
  const std::int32_t value = squared(c);
  return value == kNone ? INFINITY : resolution_ * std::sqrt(value);
}

/// A sweep upward counts the cells since the last blocked one, a sweep downward takes the lesser.
void DistanceField::calc_columns(const OccupancyGrid& grid, int block) {
  const Pack bit = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                    1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  const int x = block * kLanes;
  const std::size_t bytes = sizeof(std::int32_t) * std::min(kLanes, width_ - x);
  Pack count = Pack{} + kFar;
  for (int y = 0; y < height_; ++y) {
    const Pack is_free = (bit & bits_at(grid, x, y)) == 0;
    count = (count + 1) & is_free;
    store(count, &sweep_[static_cast<std::size_t>(y) * kLanes]);
  }
  count = Pack{} + kFar;
  for (int y = height_ - 1; y >= 0; --y) {
    count = min(count + 1, load(&sweep_[static_cast<std::size_t>(y) * kLanes]));
    const Pack value = count >= kFar ? Pack{} + kNoneInColumn : count;
    std::int32_t* cells = &in_column_[index({x, y})];
    if (std::memcmp(cells, &value, bytes) == 0) continue;
    std::memcpy(cells, &value, bytes);
    rows_[y] = 1;
  }
}

void DistanceField::calc_row(int y) {
  const std::int32_t* g = &in_column_[index({0, y})];
  std::int32_t* result = &squared_[index({0, y})];
  std::int32_t* squares = parabolas_.data() + kNear + kLanes;  // what is beside the row is far away
  for (int x = 0; x < width_; ++x) squares[x] = g[x] == kNoneInColumn ? kFarSquared : g[x] * g[x];
  for (int x = 0; x < width_; x += kLanes) {
    Pack best = load(squares + x);
    int d = 0;
    while (any_above(best, d * d)) {
      if (d >= kNear) {
        calc_far_row(y);
        return;
      }
      for (int k = 0; k < 4; ++k) {
        ++d;
        best = min(best, min(load(squares + x - d), load(squares + x + d)) + d * d);
      }
    }
    std::memcpy(result + x, &best, sizeof(std::int32_t) * std::min(kLanes, width_ - x));
  }
}

void DistanceField::calc_far_row(int y) {
  const std::int32_t* g = &in_column_[index({0, y})];
  std::int32_t* result = &squared_[index({0, y})];
  int count = 0;  // parabolas of the envelope
  for (int u = 0; u < width_; ++u) {
    if (g[u] == kNoneInColumn) continue;
    double start = 0;
    while (count > 0) {
      const int i = sites_[count - 1];
      start = calc_takeover(i, g[i], u, g[u]);
      if (start > starts_[count - 1]) break;
      start = 0;
      --count;
    }
    if (start >= width_) continue;
    sites_[count] = u;
    starts_[count++] = static_cast<int>(std::max(start, 0.0));
  }
  if (count == 0) {
    std::fill(result, result + width_, kNone);
    return;
  }
  for (int x = width_ - 1, k = count - 1; x >= 0; --x) {
    const int d = x - sites_[k];
    result[x] = d * d + g[sites_[k]] * g[sites_[k]];
    if (x == starts_[k] && k > 0) --k;
  }
}

}  // namespace camber::planning
