#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "camber/planning/grid_path.h"

namespace camber::planning {

/// Shortest paths on a grid that does not change, by A* over jump points: of many equal paths only
/// the one with its diagonal moves first is followed, and straight runs are scanned 64 cells at a
/// time. Ties are broken by length and cell, so the path is always the same. One object per thread.
class GridSearch {
 public:
  /// Copies what it needs of the grid: O(cells / 8) bytes, and 24 bytes per cell of scratch.
  explicit GridSearch(const OccupancyGrid& grid);

  /// found is false if start or goal is blocked or outside, or no path leads there.
  GridPath find_path(Cell start, Cell goal);

 private:
  // Bits of lines of cells: rows, or columns as rows. Going up along line l, a scan ends at the next
  // set bit of `stop_up`: a blocked cell, or one with a neighbor that is only reached from there.
  struct Plane {
    int stride = 0;
    std::vector<std::uint64_t> blocked, stop_up, stop_down;
  };
  struct Node {
    GridCost cost = 0;
    std::int32_t parent = -1;
    std::uint32_t stamp = 0;   // of the search that wrote the node
    std::uint8_t arrived = 0;  // directions of arrival with this cost, one bit each
    std::uint8_t pending = 0;  // those among them that are not expanded yet
  };
  struct Entry {
    GridCost f, cost;
    std::int32_t node;
  };

  static Plane make_plane(const std::vector<std::uint64_t>& blocked, int lines, int stride);
  bool is_free(int i, int j) const {
    return !((planes_[0].blocked[static_cast<std::size_t>(j) * planes_[0].stride + (i >> 6)] >>
              (i & 63)) &
             1);
  }
  int scan(int plane, int line, int at, int step) const;
  void run_straight(std::int32_t from, GridCost cost, int i, int j, int plane, int step);
  void run_diagonally(std::int32_t from, GridCost cost, int i, int j, int dx, int dy);
  void reach(std::int32_t from, GridCost cost, int i, int j, std::uint8_t arrival);
  void expand(std::int32_t node);
  GridPath make_path(std::int32_t goal) const;

  int width_, height_;           // with the border: padded coordinates i = x + 1, j = y + 1
  std::array<Plane, 2> planes_;  // along x, along y
  std::vector<Node> nodes_;
  std::vector<Entry> heap_;
  std::uint32_t stamp_ = 0;
  int goal_i_ = 0, goal_j_ = 0;
};

/// Costs of shortest paths from `start` to all cells, row after row; kNoPath where none leads. The
/// plain algorithm, as a reference and for heuristics.
std::vector<GridCost> calc_costs_from(const OccupancyGrid& grid, Cell start);

}  // namespace camber::planning
