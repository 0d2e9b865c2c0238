#include "camber/planning/occupancy_grid.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "camber/core/require.h"

namespace camber::planning {

OccupancyGrid::OccupancyGrid(int width, int height, double resolution, Point origin)
    : width_(width),
      height_(height),
      stride_((width + 2 + 63) / 64),
      resolution_(resolution),
      origin_(origin) {
  require(width > 0 && height > 0, "OccupancyGrid: needs a width and a height > 0, got ", width,
          " x ", height);
  require(static_cast<std::int64_t>(width) * height <= kMaxCells, "OccupancyGrid: ", width, " x ",
          height, " cells are more than ", kMaxCells);
  require(resolution > 0 && std::isfinite(resolution), "OccupancyGrid: resolution ", resolution,
          " m must be > 0");
  rows_.assign(static_cast<std::size_t>(height + 2) * stride_, ~std::uint64_t{0});
  for (int y = 0; y < height; ++y) {
    std::uint64_t* row = rows_.data() + static_cast<std::size_t>(y + 1) * stride_;
    for (int w = 0; w < stride_; ++w) {
      const int first = 64 * w;  // bits of columns 0 .. width - 1 are 1 .. width
      const int low = std::max(1 - first, 0), high = std::min(width + 1 - first, 64);
      if (high <= low) continue;
      const std::uint64_t ones =
          high - low == 64 ? ~std::uint64_t{0} : ((std::uint64_t{1} << (high - low)) - 1) << low;
      row[w] &= ~ones;
    }
  }
}

void OccupancyGrid::set_blocked(Cell c, bool blocked) {
  assert(contains(c));
  std::uint64_t& word = rows_[static_cast<std::size_t>(c.y + 1) * stride_ + ((c.x + 1) >> 6)];
  const std::uint64_t bit = std::uint64_t{1} << ((c.x + 1) & 63);
  word = blocked ? word | bit : word & ~bit;
}

std::int64_t OccupancyGrid::blocked_count() const {
  std::int64_t bits = 0;
  for (int y = 0; y < height_; ++y) {
    const std::uint64_t* row = row_words(y);
    for (int w = 0; w < stride_; ++w) bits += std::popcount(row[w]);
    bits -= 64 * stride_ - width_;  // border and what comes after it
  }
  return bits;
}

Cell OccupancyGrid::cell_of(Point p) const {
  const auto index = [&](double offset) {
    const double i = std::floor(offset / resolution_);
    constexpr double kMax = std::numeric_limits<int>::max();
    return static_cast<int>(std::isfinite(i) ? std::clamp(i, -kMax, kMax) : -kMax);
  };
  return {index(p.x - origin_.x), index(p.y - origin_.y)};
}

std::vector<Polygon> make_polygons(const OccupancyGrid& grid) {
  std::vector<Polygon> polygons;
  OccupancyGrid rest = grid;  // blocked cells that no rectangle has yet
  for (int y = 0; y < grid.height(); ++y) {
    for (int x = 0; x < grid.width(); ++x) {
      if (!rest.is_blocked(x, y)) continue;
      int end = x;
      while (end < grid.width() && rest.is_blocked(end, y)) ++end;
      const auto is_whole_row = [&](int row) {
        for (int i = x; i < end; ++i) {
          if (!rest.is_blocked(i, row)) return false;
        }
        return true;
      };
      int top = y + 1;
      while (top < grid.height() && is_whole_row(top)) ++top;
      for (int j = y; j < top; ++j) {
        for (int i = x; i < end; ++i) rest.set_blocked({i, j}, false);
      }
      const double h = grid.resolution(), ox = grid.origin().x, oy = grid.origin().y;
      polygons.push_back({{ox + x * h, oy + y * h},
                          {ox + end * h, oy + y * h},
                          {ox + end * h, oy + top * h},
                          {ox + x * h, oy + top * h}});
    }
  }
  return polygons;
}

}  // namespace camber::planning
