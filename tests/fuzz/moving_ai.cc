// Any bytes are a map, or problems, or throw ModelFileError with a line; nothing crashes, hangs,
// takes memory for a size that only the header claims, or reads outside its memory.

#include "camber/planning/moving_ai.h"

#include <cstdlib>
#include <string_view>

#include "camber/core/diagnostics.h"
#include "camber/planning/grid_search.h"
#include "tests/fuzz/targets.h"

void camber::fuzz::read_moving_ai(std::string_view bytes) {
  using namespace camber::planning;
  try {
    const OccupancyGrid grid = parse_moving_ai_map(bytes, "fuzz.map");
    GridSearch search(grid);
    search.find_path({0, 0}, {grid.width() - 1, grid.height() - 1});
  } catch (const camber::ModelFileError& error) {
    if (error.diagnostics().at(0).where.line < 1) std::abort();
  }
  try {
    const auto problems = parse_moving_ai_scen(bytes, "fuzz.scen");
    check_problems(OccupancyGrid(4, 3), problems, "fuzz.scen");
  } catch (const camber::ModelFileError& error) {
    if (error.diagnostics().at(0).where.line < 1) std::abort();
  }
}
