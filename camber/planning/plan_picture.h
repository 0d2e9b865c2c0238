#pragma once

#include <cstdint>
#include <vector>

#include "camber/planning/grid_path.h"
#include "camber/planning/plan_file.h"

namespace camber::planning {

/// An RGB picture, rows from the top.
struct PlanPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// A grid (row 0 at the top, as benchmark maps have it) with blocked cells dark and the path blue,
/// from green to red. `pixels` is about the longer side's.
PlanPicture draw_grid_path(const OccupancyGrid& grid, const GridPath& path, int pixels);

/// Poses and pieces of a problem with polygons: obstacles dark, outlines of the vehicle along the
/// path, forward in blue and in reverse in orange, from green to red. y is up. Without area, the
/// picture is as large as the path needs.
PlanPicture draw_pose_path(const PlanProblem& problem, const std::vector<PathPiece>& pieces,
                           int pixels);

}  // namespace camber::planning
