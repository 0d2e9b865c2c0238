#pragma once

#include <cstdint>
#include <memory>

#include "camber/autonomy/local_planner.h"

namespace camber::autonomy {

/// Model predictive path integral control over random steering of a linear single track, eight
/// samples in the lanes of a register. What is driven was checked exactly: the footprint with its
/// margin touches nothing, and the way is long enough to stop on. docs/theory/autonomy.md, section 4.
std::unique_ptr<LocalPlanner> make_mppi_planner(const LocalSetup& setup);

}  // namespace camber::autonomy
