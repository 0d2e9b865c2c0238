#pragma once

#include "camber/scene/bounds.h"
#include "camber/scene/shape.h"

namespace camber::scene::internal {

/// A hit in the shape's own axes.
struct ShapeHit {
  double range = std::numeric_limits<double>::infinity();
  int side = -1;  // box: -x +x -y +y -z +z; cylinder and capsule: round side, lower end, upper end
};

/// First crossing with a range >= 0 of the line o + range d. Not for MeshShape.
ShapeHit meet_shape(const Shape& shape, const Vector3& o, const Vector3& d);
/// Outward unit normal at a point of a side.
Vector3 find_normal(const Shape& shape, const Vector3& point, int side);
/// All crossings of the vertical line through (x, y) are found by two rays; half the height of a
/// box around the shape in its own axes:
Vector3 half_extent(const Shape& shape);
/// Closest point of the surface, or the point itself if it is inside.
Vector3 find_closest_point(const Shape& shape, const Vector3& p);
/// Throws std::invalid_argument if a size is not positive and finite.
void check_shape(const Shape& shape);

}  // namespace camber::scene::internal
