#pragma once

#include <cmath>
#include <vector>

#include "camber/planning/geometry.h"
#include "camber/terrain/terrain.h"
#include "camber/world/outline.h"

namespace camber::world {

/// Finds the trunks, posts, buildings and parked cars of the terrain near a vehicle. A collision
/// with one is not modeled: the caller ends the drive.
class ObstacleWatch {
 public:
  static constexpr double kReach = 10;  // it looks no farther [m]

  /// Whether the terrain has obstacles: posts, or trees of its base.
  static bool is_needed(const terrain::Terrain& terrain);

  /// Keeps a pointer to the terrain.
  ObstacleWatch(const terrain::Terrain* terrain, const Outline& outline);

  struct Nearest {
    double clearance = kReach;              // from the outline to the trunk; 0 or less: a hit [m]
    terrain::Obstacle obstacle = {};        // the nearest, if one is within reach
    const terrain::Prism* prism = nullptr;  // the nearest, if it is one of these
  };
  /// For the outline at (x, y), rotated by yaw. Queries the terrain again after some fifty meters.
  Nearest find(double x, double y, double yaw);

 private:
  const terrain::Terrain* terrain_;
  Outline outline_;
  /// A prism near the vehicle, in a circle.
  struct NearPrism {
    const terrain::Prism* prism = nullptr;
    planning::Polygon corners = {};
    double x = 0, y = 0, radius = 0;  // [m]
  };

  std::vector<terrain::Obstacle> near_;
  std::vector<NearPrism> near_prisms_;
  double x_ = HUGE_VAL, y_ = HUGE_VAL;  // about which they are [m]
};

}  // namespace camber::world
