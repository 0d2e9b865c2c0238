#pragma once

#include <array>

#include "camber/vehicle/vehicle.h"

namespace camber::world {

/// The rectangle of ground that a vehicle or another thing covers, in its own axes about its
/// reference point, which for a vehicle is midway between its axles.
using vehicle::Outline;

/// Position of a rectangle on the ground.
struct PlacedOutline {
  Outline outline;
  double x = 0, y = 0, yaw = 0;  // of the reference point [m], [rad]

  double half_length() const { return 0.5 * (outline.front - outline.rear); }
  double half_width() const { return 0.5 * (outline.left - outline.right); }
  /// A point of the world in the rectangle's own axes, from its middle.
  std::array<double, 2> to_own(double px, double py) const;
  /// front left, front right, rear right, rear left
  std::array<std::array<double, 2>, 4> corners() const;
  /// Distance of a point from the rectangle; 0 inside [m].
  double distance(double px, double py) const;
};

/// Smallest distance between two rectangles; negative if they overlap, then minus the shortest
/// displacement that separates them [m].
double find_clearance(const PlacedOutline& a, const PlacedOutline& b);

}  // namespace camber::world
