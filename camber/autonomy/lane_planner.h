#pragma once

#include <memory>
#include <vector>

#include "camber/autonomy/global_planner.h"

namespace camber::autonomy {

/// The shortest path over lanes to the goal, in the world's frame. Obstacles are left to the local
/// planner. A vehicle that is more than half a road beside its path gets a new one.
std::unique_ptr<GlobalPlanner> make_lane_planner(const GlobalSetup& setup);

}  // namespace camber::autonomy
