// Any bytes are a map, or problems, or throw ModelFileError with a line; nothing crashes, hangs,
// takes memory for a size that only the header claims, or reads outside its memory.

#include "camber/planning/moving_ai.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "camber/core/diagnostics.h"
#include "camber/planning/grid_search.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace camber::planning;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const OccupancyGrid grid = parse_moving_ai_map(text, "fuzz.map");
    GridSearch search(grid);
    search.find_path({0, 0}, {grid.width() - 1, grid.height() - 1});
  } catch (const camber::ModelFileError& error) {
    if (error.diagnostics().at(0).where.line < 1) std::abort();
  }
  try {
    const auto problems = parse_moving_ai_scen(text, "fuzz.scen");
    check_problems(OccupancyGrid(4, 3), problems, "fuzz.scen");
  } catch (const camber::ModelFileError& error) {
    if (error.diagnostics().at(0).where.line < 1) std::abort();
  }
  return 0;
}
