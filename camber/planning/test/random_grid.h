#pragma once

#include "camber/core/random.h"
#include "camber/planning/occupancy_grid.h"

namespace camber::planning {

/// Cells blocked at random with probability `density`, and some blocked rectangles.
inline OccupancyGrid make_random_grid(RandomStream* random, int width, int height, double density) {
  OccupancyGrid grid(width, height, 0.7, {-3.1, 2.4});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (random->uniform() < density) grid.set_blocked({x, y}, true);
    }
  }
  for (int k = 0; k < width * height / 400; ++k) {
    const auto x0 = random->integer(0, width - 1), y0 = random->integer(0, height - 1);
    const auto x1 = x0 + random->integer(0, 7), y1 = y0 + random->integer(0, 7);
    for (auto y = y0; y <= y1 && y < height; ++y) {
      for (auto x = x0; x <= x1 && x < width; ++x) {
        grid.set_blocked({static_cast<int>(x), static_cast<int>(y)}, true);
      }
    }
  }
  return grid;
}

inline Cell random_cell(RandomStream* random, const OccupancyGrid& grid) {
  return {static_cast<int>(random->integer(0, grid.width() - 1)),
          static_cast<int>(random->integer(0, grid.height() - 1))};
}

}  // namespace camber::planning
