#pragma once

#include <cmath>
#include <vector>

#include "camber/terrain/terrain.h"

namespace camber::sim {

/// What a vehicle covers of the ground, level, in its axes: a rectangle about the point midway
/// between its axles.
struct Outline {
  double front = 0, rear = 0;  // [m] ahead of that point; the rear is negative
  double half_width = 0;       // [m]
};

/// Looks for the trunks and posts that a vehicle comes near to. They do not give way, and a vehicle
/// that meets one is not modeled further: whoever asks ends its drive.
class ObstacleWatch {
 public:
  static constexpr double kReach = 10;  // it does not look farther [m]

  /// Whether there is anything to look for: posts, or trees that grow on the base.
  static bool is_needed(const terrain::Terrain& terrain);

  /// Keeps a pointer to the terrain.
  ObstacleWatch(const terrain::Terrain* terrain, const Outline& outline);

  struct Nearest {
    double clearance = kReach;        // from the outline to the trunk; 0 or less: it is hit [m]
    terrain::Obstacle obstacle = {};  // where one is within reach
  };
  /// Of the outline about (x, y), turned by yaw. Asks the terrain again after some fifty meters.
  Nearest find(double x, double y, double yaw);

 private:
  const terrain::Terrain* terrain_;
  Outline outline_;
  std::vector<terrain::Obstacle> near_;
  double x_ = HUGE_VAL, y_ = HUGE_VAL;  // about which they are [m]
};

}  // namespace camber::sim
