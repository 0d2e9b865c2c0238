#pragma once

// Plane geometry of lots and roofs.

#include <array>
#include <cstdint>
#include <vector>

#include "camber/planning/geometry.h"

namespace camber::city {

using planning::Point;
using planning::Polygon;

/// Positive for counterclockwise corners [m^2].
double area_of(const Polygon& polygon);
/// Mean of the corners.
Point center_of(const Polygon& polygon);

/// The box of a polygon along its longest edge.
struct Frame {
  Point along = {1, 0};                  // unit
  double low_along = 0, low_across = 0;  // least coordinates in its axes [m]
  double length = 0, width = 0;          // [m]
};
Frame find_frame(const Polygon& polygon);

/// The part with n . p >= offset; exact for convex polygons, inside the polygon for all.
Polygon clip(const Polygon& polygon, Point n, double offset);
/// A counterclockwise polygon with all edges moved inward; may be empty. Exact for convex ones.
Polygon shrink(const Polygon& polygon, double by);
/// Distance of a point from the polygon's edges [m].
double distance_to_rim(const Polygon& polygon, Point p);

/// Triangles of a polygon with holes by ear clipping [Eberly 1998], as numbers of corners: those of
/// the outer polygon first, then of the holes. O(n^2). Edges that cut each other give triangles
/// that overlap; they never make it fail.
std::vector<std::array<std::uint32_t, 3>> triangulate(const Polygon& outer,
                                                      const std::vector<Polygon>& holes = {});

}  // namespace camber::city
