#pragma once

#include <cstdint>
#include <vector>

#include "camber/planning/geometry.h"

namespace camber::planning {

/// A cell of a grid: column and row, from 0.
struct Cell {
  int x = 0, y = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// Which cells of a rectangle are blocked, one bit each. Everything outside is blocked. The bits
/// include a border of one cell, so that neighbors of a cell inside need no check of bounds.
class OccupancyGrid {
 public:
  static constexpr std::int64_t kMaxCells = 100'000'000;

  OccupancyGrid() : OccupancyGrid(1, 1) {}
  /// All cells free. Cell (0, 0) has its low corner at `origin` [m] and sides of `resolution` [m].
  OccupancyGrid(int width, int height, double resolution = 1, Point origin = {});

  int width() const { return width_; }
  int height() const { return height_; }
  double resolution() const { return resolution_; }
  Point origin() const { return origin_; }
  bool contains(Cell c) const { return c.x >= 0 && c.y >= 0 && c.x < width_ && c.y < height_; }

  /// For cells inside and on the border around them: x from -1 to width.
  bool is_blocked(int x, int y) const {
    return (rows_[static_cast<std::size_t>(y + 1) * stride_ + ((x + 1) >> 6)] >> ((x + 1) & 63)) &
           1;
  }
  bool is_free(Cell c) const { return contains(c) && !is_blocked(c.x, c.y); }
  /// For cells inside.
  void set_blocked(Cell c, bool blocked);
  std::int64_t blocked_count() const;

  /// Center of a cell [m], and the cell of a point, which may be outside of the grid.
  Point center(Cell c) const {
    return {origin_.x + (c.x + 0.5) * resolution_, origin_.y + (c.y + 0.5) * resolution_};
  }
  Cell cell_of(Point p) const;

  /// Row y from -1 to height: bit x + 1 of its words is column x; bits after the border are set.
  const std::uint64_t* row_words(int y) const {
    return rows_.data() + static_cast<std::size_t>(y + 1) * stride_;
  }
  int words_per_row() const { return stride_; }

 private:
  int width_, height_, stride_;
  double resolution_;
  Point origin_;
  std::vector<std::uint64_t> rows_;
};

/// The polygons of all blocked cells: rectangles, each as long and then as high as it can be.
std::vector<Polygon> make_polygons(const OccupancyGrid& grid);

}  // namespace camber::planning
