#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "camber/planning/occupancy_grid.h"

namespace camber::planning {

/// Benchmark grids in the format of the Moving AI lab ([Sturtevant 2012]).
///
/// A `.map` has a header (type octile, height, width, map) and one letter per cell: '.', 'G' and 'S'
/// (ground, swamp) are free, '@', 'O', 'T', 'W' (out of bounds, trees, water) blocked. Row 0 is the
/// first line, y grows downward. Throws ModelFileError with file, line and column; a map of more
/// than OccupancyGrid::kMaxCells is refused before its rows are read.
OccupancyGrid parse_moving_ai_map(std::string_view text, const std::string& file);
OccupancyGrid load_moving_ai_map(const std::string& path);

/// One line of a `.scen` file.
struct GridProblem {
  int bucket = 0;
  std::string map;  // as the file names it
  int width = 0, height = 0;
  Cell start, goal;
  double optimal_length = 0;  // [cells], 8-connected, corners not cut
  double resolution = 0;      // one unit of the last printed digit of optimal_length
  int line = 0;
};

/// All problems of a file, at most kMaxProblems. Throws ModelFileError.
std::vector<GridProblem> parse_moving_ai_scen(std::string_view text, const std::string& file);
std::vector<GridProblem> load_moving_ai_scen(const std::string& path);
constexpr std::size_t kMaxProblems = 1'000'000;

/// Throws ModelFileError at the line of a problem whose size is not that of the grid, or whose start
/// or goal is outside.
void check_problems(const OccupancyGrid& grid, const std::vector<GridProblem>& problems,
                    const std::string& file);

}  // namespace camber::planning
