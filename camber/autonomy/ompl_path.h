#pragma once

#include <cstdint>
#include <vector>

#include "camber/planning/occupancy_grid.h"

namespace camber::autonomy {

/// Whether this build has OMPL: cmake -DCAMBER_OMPL=ON, with libompl-dev.
bool has_ompl();

/// A path over free cells by OMPL's BIT*, as corners at most `spacing` [m] apart; empty if none was
/// found with `iterations`. The same seed gives the same path. Throws std::invalid_argument if this
/// build has no OMPL.
std::vector<planning::Point> find_ompl_path(const planning::OccupancyGrid& grid,
                                            planning::Point from, planning::Point goal,
                                            double spacing, std::uint32_t seed, int iterations);

}  // namespace camber::autonomy
