#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace camber::planning {

/// A point or a vector in the plane [m].
struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// Position and direction of a vehicle: x, y [m] of its reference point, heading [rad],
/// counterclockwise from x.
struct Pose {
  double x = 0, y = 0, heading = 0;
  friend bool operator==(const Pose&, const Pose&) = default;
};

/// Corners in order, either sense; the last one is connected to the first.
using Polygon = std::vector<Point>;

/// Outline of a vehicle: a rectangle in its own axes, from the reference point (rear axle).
struct Footprint {
  double front = 0, rear = 0;  // [m] distances ahead of and behind the reference point
  double left = 0, right = 0;  // [m] to the sides

  /// The same with all sides further out by `margin` [m].
  Footprint inflated(double margin) const {
    return {front + margin, rear + margin, left + margin, right + margin};
  }
  /// Distance of the corner that is farthest from the reference point [m].
  double max_radius() const {
    return std::hypot(std::max(std::abs(front), std::abs(rear)),
                      std::max(std::abs(left), std::abs(right)));
  }
};

/// The footprint's corners at a pose, counterclockwise from the rear right one.
Polygon make_outline(const Footprint& footprint, const Pose& pose);

/// Whether the segment from a to b has a point in common with the closed rectangle of the footprint
/// in its own axes.
bool meets_rectangle(const Footprint& rectangle, Point a, Point b);

/// Whether a point is inside a polygon (even-odd rule).
bool is_inside(const Polygon& polygon, Point p);

/// Whether two polygons, taken as closed areas, have a point in common.
bool overlap(const Polygon& a, const Polygon& b);

/// Distance of two polygons' areas [m]; 0 if they overlap.
double calc_distance(const Polygon& a, const Polygon& b);

/// The same angle in [-pi, pi].
inline double wrap_angle(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

/// The pose after a drive of signed `length` [m] on a circle of `curvature` [1/m], positive to the
/// left.
inline Pose drive(const Pose& from, double curvature, double length) {
  const double half = 0.5 * curvature * length;
  // The chord: 2 sin(half) / curvature long, at half the change of heading.
  const double chord = std::abs(half) > 1e-8 ? length * std::sin(half) / half : length;
  return {from.x + chord * std::cos(from.heading + half),
          from.y + chord * std::sin(from.heading + half), from.heading + 2 * half};
}

}  // namespace camber::planning
