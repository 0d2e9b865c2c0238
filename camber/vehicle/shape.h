#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "camber/math/types.h"

namespace camber::vehicle {

/// A box in the vehicle's frame, its sides along the axes.
struct Box {
  Vector3 min = Vector3::Zero(), max = Vector3::Zero();  // [m]
};

/// The rectangle of ground that the vehicle covers, in its frame [m].
struct Outline {
  double rear = 0, front = 0, right = 0, left = 0;  // x from rear to front, y from right to left
};

struct ShapeMesh;

/// The space that a vehicle's body takes, in its design position: boxes, a mesh, or both. Wheels
/// are not part of it.
struct Shape {
  std::vector<Box> boxes = {};
  std::shared_ptr<const ShapeMesh> mesh = nullptr;

  bool empty() const { return boxes.empty() && !mesh; }
  /// The rectangle around all parts. Zero if there are none.
  Outline outline() const;
  /// The height of the lowest surface over a point in the frame [m]; empty if there is none.
  std::optional<double> underbody(double x, double y) const;
};

}  // namespace camber::vehicle
