// [Meijster, Roerdink, Hesselink 2000]: a pass along each column gives the distance to the nearest
// blocked cell above or below; the lower envelope of the parabolas (x - i)^2 + g_i^2 along each row
// gives the distance in the plane. All in integers, so the field is exact.

#include "camber/planning/distance_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "camber/core/require.h"

namespace camber::planning {
namespace {

constexpr std::int32_t kNoneInColumn = std::numeric_limits<std::int32_t>::max();

/// First column from which the parabola of column u (value gu) is below that of column i < u.
std::int64_t calc_takeover(std::int64_t i, std::int64_t gi, std::int64_t u, std::int64_t gu) {
  const std::int64_t numerator = u * u - i * i + gu * gu - gi * gi, denominator = 2 * (u - i);
  // Rounded down, also if negative; at a tie the earlier column keeps the cell.
  const std::int64_t q = numerator / denominator;
  return (numerator % denominator < 0 ? q - 1 : q) + 1;
}

}  // namespace

DistanceField::DistanceField(const OccupancyGrid& grid)
    : width_(grid.width()), height_(grid.height()), resolution_(grid.resolution()) {
  require(width_ <= kMaxSide && height_ <= kMaxSide, "DistanceField: ", width_, " x ", height_,
          " cells; a side has at most ", kMaxSide);
  in_column_.resize(static_cast<std::size_t>(width_) * height_);
  squared_.resize(in_column_.size());
  sites_.resize(width_);
  starts_.resize(width_);
  for (int x = 0; x < width_; ++x) calc_column(grid, x, nullptr);
  for (int y = 0; y < height_; ++y) calc_row(y);
}

int DistanceField::update(const OccupancyGrid& grid, std::span<const Cell> changed) {
  require(grid.width() == width_ && grid.height() == height_, "DistanceField::update: grid of ",
          grid.width(), " x ", grid.height(), " cells, field of ", width_, " x ", height_);
  std::vector<char> columns(width_), rows(height_);
  for (const Cell c : changed) {
    require(grid.contains(c), "DistanceField::update: cell ", c.x, ", ", c.y,
            " is not in the grid");
    columns[c.x] = 1;
  }
  for (int x = 0; x < width_; ++x) {
    if (columns[x]) calc_column(grid, x, &rows);
  }
  int count = 0;
  for (int y = 0; y < height_; ++y) {
    if (!rows[y]) continue;
    calc_row(y);
    ++count;
  }
  return count;
}

double DistanceField::distance(Cell c) const {
  const std::int32_t value = squared(c);
  return value == kNone ? INFINITY : resolution_ * std::sqrt(value);
}

void DistanceField::calc_column(const OccupancyGrid& grid, int x, std::vector<char>* changed_rows) {
  int last = -1;  // blocked row at or below y
  int next = 0;   // first blocked row at or above y
  for (int y = 0; y < height_; ++y) {
    if (grid.is_blocked(x, y)) last = y;
    if (next < y) next = y;
    while (next < height_ && !grid.is_blocked(x, next)) ++next;
    std::int32_t value = last < 0 ? kNoneInColumn : y - last;
    if (next < height_ && next - y < value) value = next - y;
    std::int32_t& cell = in_column_[index({x, y})];
    if (changed_rows && cell != value) (*changed_rows)[y] = 1;
    cell = value;
  }
}

void DistanceField::calc_row(int y) {
  const std::int32_t* g = &in_column_[index({0, y})];
  std::int32_t* result = &squared_[index({0, y})];
  int count = 0;  // parabolas of the envelope
  for (int u = 0; u < width_; ++u) {
    if (g[u] == kNoneInColumn) continue;
    std::int64_t start = 0;
    while (count > 0) {
      const int i = sites_[count - 1];
      start = calc_takeover(i, g[i], u, g[u]);
      if (start > starts_[count - 1]) break;
      start = 0;
      --count;
    }
    if (start >= width_) continue;
    sites_[count] = u;
    starts_[count++] = static_cast<int>(std::max<std::int64_t>(start, 0));
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
