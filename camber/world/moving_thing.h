#pragma once

#include <string>
#include <vector>

#include "camber/world/outline.h"

namespace camber::world {

/// A thing that moves along a given track, whatever happens: a scripted car, a pedestrian.
struct MovingThing {
  struct Point {
    double time = 0;      // [s]
    double x = 0, y = 0;  // [m]
    double yaw = 0;       // [rad]
  };

  std::string name;
  Outline outline;           // about its reference point
  double height = 0;         // [m]
  std::vector<Point> track;  // times ascend; it stays at the first point before, at the last after

  /// Throws std::invalid_argument for a track that is empty or whose times do not ascend.
  void check() const;
  /// Along straight lines between the points; yaw changes by the smaller angle.
  Point at(double time) const;
  PlacedOutline place(double time) const;
};

}  // namespace camber::world
