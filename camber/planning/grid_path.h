#pragma once

#include <cstdint>
#include <vector>

#include "camber/planning/occupancy_grid.h"

namespace camber::planning {

// Lengths on a grid. Moves go to the 8 neighbors; a diagonal one needs both cells beside it free (no
// corner is cut), as the Moving AI benchmarks define. Lengths are sums of integers, so that they do
// not depend on the order of summation: equal paths have exactly equal lengths.

using GridCost = std::int64_t;
constexpr GridCost kStraightCost = GridCost{1} << 32;
constexpr GridCost kDiagonalCost = 6'074'001'000;  // 2^32 sqrt(2), rounded
constexpr GridCost kNoPath = GridCost{1} << 62;

/// Octile distance: the length of a shortest path on an empty grid.
constexpr GridCost octile_cost(Cell a, Cell b) {
  const GridCost dx = a.x > b.x ? a.x - b.x : b.x - a.x, dy = a.y > b.y ? a.y - b.y : b.y - a.y;
  const GridCost diagonal = dx < dy ? dx : dy;
  return diagonal * kDiagonalCost + (dx + dy - 2 * diagonal) * kStraightCost;
}

struct GridPath {
  bool found = false;
  std::vector<Cell> cells;  // from start to goal, each a neighbor of the one before
  double length = 0;        // [cells]: straight moves + diagonal moves * sqrt(2)
  std::int64_t expansions = 0;
};

/// Length [cells] of a path of neighbors, from the counts of its straight and diagonal moves.
double calc_length(const std::vector<Cell>& cells);

/// Whether a single move between neighbors is allowed.
inline bool can_move(const OccupancyGrid& grid, Cell from, int dx, int dy) {
  return !grid.is_blocked(from.x + dx, from.y + dy) && !grid.is_blocked(from.x + dx, from.y) &&
         !grid.is_blocked(from.x, from.y + dy);
}

/// The eight neighbors: even ones straight, odd ones diagonal.
constexpr int kNeighborX[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int kNeighborY[8] = {0, 1, 1, 1, 0, -1, -1, -1};

}  // namespace camber::planning
