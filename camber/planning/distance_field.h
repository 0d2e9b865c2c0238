#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "camber/planning/occupancy_grid.h"

namespace camber::planning {

/// Exact Euclidean distance from the center of each cell to the center of the nearest blocked one.
/// Cells outside the grid do not count as blocked here.
class DistanceField {
 public:
  /// O(cells).
  explicit DistanceField(const OccupancyGrid& grid);

  /// To be called after `changed` cells of the grid were set. Only columns with changes and rows in
  /// which a column's value changed are computed again; the result is that of a new field. Returns
  /// the number of rows. Takes no memory.
  int update(const OccupancyGrid& grid, std::span<const Cell> changed);

  /// In cells squared: an exact integer; kNone if no cell is blocked.
  std::int32_t squared(Cell c) const { return squared_[index(c)]; }
  /// Those of row y, from column 0 on.
  const std::int32_t* squared_row(int y) const { return &squared_[index({0, y})]; }
  /// [m]; infinite if no cell is blocked.
  double distance(Cell c) const;
  static constexpr std::int32_t kNone = INT32_MAX;
  static constexpr int kMaxSide = 30'000;  // cells; squares stay below 2^30

 private:
  std::size_t index(Cell c) const { return static_cast<std::size_t>(c.y) * width_ + c.x; }
  void calc_columns(const OccupancyGrid& grid, int block);
  void calc_row(int y);
  void calc_far_row(int y);

  int width_, height_;
  double resolution_;
  std::vector<std::int32_t> in_column_;  // distance to the nearest blocked cell of the same column
  std::vector<std::int32_t> squared_;
  // Scratch.
  std::vector<char> blocks_, rows_;      // with changes: blocks of columns, rows
  std::vector<std::int32_t> sweep_;      // of calc_columns()
  std::vector<std::int32_t> parabolas_;  // of calc_row(): squares of a row of in_column_, padded
  std::vector<int> sites_, starts_;      // of calc_far_row()
};

}  // namespace camber::planning
