#include "camber/world/outline.h"

#include <algorithm>
#include <cmath>

namespace camber::world {

std::array<double, 2> PlacedOutline::to_own(double px, double py) const {
  const double c = std::cos(yaw), s = std::sin(yaw);
  return {c * (px - x) + s * (py - y) - 0.5 * (outline.front + outline.rear),
          c * (py - y) - s * (px - x) - 0.5 * (outline.left + outline.right)};
}

std::array<std::array<double, 2>, 4> PlacedOutline::corners() const {
  const double c = std::cos(yaw), s = std::sin(yaw);
  const auto at = [&](double ahead, double left) {
    return std::array<double, 2>{x + c * ahead - s * left, y + s * ahead + c * left};
  };
  return {at(outline.front, outline.left), at(outline.front, outline.right),
          at(outline.rear, outline.right), at(outline.rear, outline.left)};
}

double PlacedOutline::distance(double px, double py) const {
  const auto [ahead, left] = to_own(px, py);
  return std::hypot(std::max(std::abs(ahead) - half_length(), 0.0),
                    std::max(std::abs(left) - half_width(), 0.0));
}

namespace {

/// Gap between two rectangles along the two axes of the first; negative if their shadows overlap.
double find_gap(const PlacedOutline& a, const PlacedOutline& b) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (const auto& corner : b.corners()) {
    const std::array<double, 2> own = a.to_own(corner[0], corner[1]);
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], own[k]);
      high[k] = std::max(high[k], own[k]);
    }
  }
  const double half[2] = {a.half_length(), a.half_width()};
  double gap = -HUGE_VAL;
  for (int k = 0; k < 2; ++k) gap = std::max({gap, low[k] - half[k], -half[k] - high[k]});
  return gap;
}

}  // namespace

// Separating axes tell whether rectangles overlap. If they do not, one end of the shortest line
// between them is a corner.
double find_clearance(const PlacedOutline& a, const PlacedOutline& b) {
  const double gap = std::max(find_gap(a, b), find_gap(b, a));
  if (gap <= 0) return gap;
  double distance = HUGE_VAL;
  for (const auto& corner : a.corners())
    distance = std::min(distance, b.distance(corner[0], corner[1]));
  for (const auto& corner : b.corners())
    distance = std::min(distance, a.distance(corner[0], corner[1]));
  return distance;
}

}  // namespace camber::world
