#include "camber/planning/geometry.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace camber::planning {
namespace {

double cross(Point o, Point a, Point b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

bool is_between(double a, double b, double value) {
  return std::min(a, b) <= value && value <= std::max(a, b);
}

bool segments_meet(Point a, Point b, Point c, Point d) {
  const double c_side = cross(a, b, c), d_side = cross(a, b, d);
  const double a_side = cross(c, d, a), b_side = cross(c, d, b);
  if (((c_side > 0 && d_side < 0) || (c_side < 0 && d_side > 0)) &&
      ((a_side > 0 && b_side < 0) || (a_side < 0 && b_side > 0))) {
    return true;
  }
  const auto lies_on = [](Point p, Point q, Point r, double side) {
    return side == 0 && is_between(p.x, q.x, r.x) && is_between(p.y, q.y, r.y);
  };
  return lies_on(a, b, c, c_side) || lies_on(a, b, d, d_side) || lies_on(c, d, a, a_side) ||
         lies_on(c, d, b, b_side);
}

double distance_to_segment(Point p, Point a, Point b) {
  const double ux = b.x - a.x, uy = b.y - a.y, length2 = ux * ux + uy * uy;
  double t = length2 > 0 ? ((p.x - a.x) * ux + (p.y - a.y) * uy) / length2 : 0;
  t = std::clamp(t, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * ux, p.y - a.y - t * uy);
}

template <class Visit>
void for_each_edge(const Polygon& polygon, const Visit& visit) {
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    visit(polygon[j], polygon[i]);
  }
}

}  // namespace

Polygon make_outline(const Footprint& footprint, const Pose& pose) {
  const double c = std::cos(pose.heading), s = std::sin(pose.heading);
  const auto corner = [&](double forward, double left) {
    return Point{pose.x + c * forward - s * left, pose.y + s * forward + c * left};
  };
  return {corner(-footprint.rear, -footprint.right), corner(footprint.front, -footprint.right),
          corner(footprint.front, footprint.left), corner(-footprint.rear, footprint.left)};
}

// [Liang and Barsky 1984]: the segment's part inside each of the four half planes.
bool meets_rectangle(const Footprint& rectangle, Point a, Point b) {
  double first = 0, last = 1;
  const auto clip = [&](double start, double change, double low, double high) {
    if (change == 0) return low <= start && start <= high;
    double enter = (low - start) / change, leave = (high - start) / change;
    if (enter > leave) std::swap(enter, leave);
    first = std::max(first, enter);
    last = std::min(last, leave);
    return first <= last;
  };
  return clip(a.x, b.x - a.x, -rectangle.rear, rectangle.front) &&
         clip(a.y, b.y - a.y, -rectangle.right, rectangle.left);
}

bool is_inside(const Polygon& polygon, Point p) {
  bool inside = false;
  if (polygon.empty()) return inside;
  for_each_edge(polygon, [&](Point a, Point b) {
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) {
      inside = !inside;
    }
  });
  return inside;
}

bool overlap(const Polygon& a, const Polygon& b) {
  if (a.empty() || b.empty()) return false;
  bool meet = false;
  for_each_edge(a, [&](Point p, Point q) {
    for_each_edge(b, [&](Point r, Point s) { meet = meet || segments_meet(p, q, r, s); });
  });
  return meet || is_inside(a, b[0]) || is_inside(b, a[0]);
}

double calc_distance(const Polygon& a, const Polygon& b) {
  if (overlap(a, b)) return 0;
  double distance = INFINITY;
  for_each_edge(a, [&](Point p, Point q) {
    for_each_edge(b, [&](Point r, Point s) {
      distance = std::min({distance, distance_to_segment(p, r, s), distance_to_segment(q, r, s),
                           distance_to_segment(r, p, q), distance_to_segment(s, p, q)});
    });
  });
  return distance;
}

}  // namespace camber::planning
