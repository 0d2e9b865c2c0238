#pragma once

#include <cmath>

#include "camber/planning/geometry.h"

namespace camber::planning {

/// A footprint at a pose: a rectangle about its middle.
struct PlacedFootprint {
  PlacedFootprint(const Footprint& footprint, const Pose& pose)
      : c(std::cos(pose.heading)),
        s(std::sin(pose.heading)),
        half_length(0.5 * (footprint.front + footprint.rear)),
        half_width(0.5 * (footprint.left + footprint.right)) {
    const double forward = 0.5 * (footprint.front - footprint.rear),
                 sideways = 0.5 * (footprint.left - footprint.right);
    center = {pose.x + c * forward - s * sideways, pose.y + s * forward + c * sideways};
    reach_x = std::abs(c) * half_length + std::abs(s) * half_width;
    reach_y = std::abs(s) * half_length + std::abs(c) * half_width;
  }

  /// A point along the rectangle's own axes.
  Point to_box(Point p) const {
    const double dx = p.x - center.x, dy = p.y - center.y;
    return {c * dx + s * dy, c * dy - s * dx};
  }

  double c, s;                      // of the heading
  double half_length, half_width;   // [m]
  Point center;                     // [m]
  double reach_x = 0, reach_y = 0;  // of its corners from the center, along the world's axes [m]
};

}  // namespace camber::planning
