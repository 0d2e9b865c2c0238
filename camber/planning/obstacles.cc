#include "camber/planning/obstacles.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "camber/core/require.h"
#include "camber/planning/placed_footprint.h"

namespace camber::planning {
namespace {

/// Cells of about a quarter meter where the area is small, at most 1,500 along a side.
OccupancyGrid make_coarse_map(const Obstacles::Bounds& bounds) {
  const double w = bounds.high.x - bounds.low.x, h = bounds.high.y - bounds.low.y;
  require(w > 0 && h > 0 && w <= Obstacles::kMaxSide && h <= Obstacles::kMaxSide,
          "Obstacles: bounds must have sides > 0 m and at most ", Obstacles::kMaxSide, " m, got ",
          w, " x ", h);
  const double cell = std::max(0.25, std::max(w, h) / 1500);
  return {static_cast<int>(std::ceil(w / cell)), static_cast<int>(std::ceil(h / cell)), cell,
          bounds.low};
}

}  // namespace

Obstacles::Obstacles(std::vector<Polygon> polygons, const Bounds& bounds)
    : polygons_(std::move(polygons)), bounds_(bounds), map_(make_coarse_map(bounds)), field_(map_) {
  require(polygons_.size() <= kMaxPolygons, "Obstacles: ", polygons_.size(),
          " polygons are more than ", kMaxPolygons);
  for (const Polygon& polygon : polygons_) {
    require(polygon.size() >= 3, "Obstacles: a polygon has ", polygon.size(),
            " corners, needs at least 3");
    for (const Point p : polygon) {
      require(std::isfinite(p.x) && std::isfinite(p.y), "Obstacles: a corner is not finite");
    }
  }
  fill_map();
}

Obstacles::Obstacles(const OccupancyGrid& grid)
    : Obstacles(make_polygons(grid),
                Bounds{grid.origin(),
                       {grid.origin().x + grid.width() * grid.resolution(),
                        grid.origin().y + grid.height() * grid.resolution()}}) {}

void Obstacles::fill_map() {
  const double h = map_.resolution();
  const std::size_t cells = static_cast<std::size_t>(map_.width()) * map_.height();
  std::vector<std::pair<std::int32_t, Edge>> placed;
  const auto clamp_cell = [&](Point p) {
    const Cell c = map_.cell_of(p);
    return Cell{std::clamp(c.x, 0, map_.width() - 1), std::clamp(c.y, 0, map_.height() - 1)};
  };
  const Footprint half{0.5 * h, 0.5 * h, 0.5 * h, 0.5 * h};
  std::int32_t id = 0;
  for (const Polygon& polygon : polygons_) {
    Point low = polygon[0], high = polygon[0];
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
      const Point a = polygon[j], b = polygon[i];
      ++id;
      low = {std::min(low.x, b.x), std::min(low.y, b.y)};
      high = {std::max(high.x, b.x), std::max(high.y, b.y)};
      const Cell first = clamp_cell({std::min(a.x, b.x), std::min(a.y, b.y)});
      const Cell last = clamp_cell({std::max(a.x, b.x), std::max(a.y, b.y)});
      for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
          // A little more than the cell, against rounding.
          const Point c = map_.center({x, y});
          if (!meets_rectangle(half.inflated(1e-6 * h), {a.x - c.x, a.y - c.y},
                               {b.x - c.x, b.y - c.y})) {
            continue;
          }
          placed.push_back({y * map_.width() + x, {a, b, id}});
          map_.set_blocked({x, y}, true);
        }
      }
    }
    // Cells inside: whole rows of centers between crossings.
    const Cell first = clamp_cell(low), last = clamp_cell(high);
    for (int y = first.y; y <= last.y; ++y) {
      const double center_y = map_.center({0, y}).y;
      std::vector<double> crossings;
      for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const Point a = polygon[j], b = polygon[i];
        if ((a.y > center_y) == (b.y > center_y)) continue;
        crossings.push_back(a.x + (b.x - a.x) * (center_y - a.y) / (b.y - a.y));
      }
      std::sort(crossings.begin(), crossings.end());
      for (std::size_t k = 0; k + 1 < crossings.size(); k += 2) {
        const int from = clamp_cell({crossings[k], center_y}).x,
                  to = clamp_cell({crossings[k + 1], center_y}).x;
        for (int x = from; x <= to; ++x) {
          const double center_x = map_.center({x, y}).x;
          if (crossings[k] <= center_x && center_x <= crossings[k + 1]) {
            map_.set_blocked({x, y}, true);
          }
        }
      }
    }
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  edge_first_.assign(cells + 1, 0);
  edges_.reserve(placed.size());
  for (const auto& [cell, edge] : placed) {
    ++edge_first_[cell + 1];
    edges_.push_back(edge);
  }
  for (std::size_t k = 0; k < cells; ++k) edge_first_[k + 1] += edge_first_[k];
  field_ = DistanceField(map_);
}

double Obstacles::min_distance(Point p) const {
  const double to_bounds = std::min(
      {p.x - bounds_.low.x, bounds_.high.x - p.x, p.y - bounds_.low.y, bounds_.high.y - p.y});
  if (!(to_bounds > 0)) return 0;
  const Cell c = map_.cell_of(p);
  if (!map_.contains(c)) return 0;
  // From center to center; the point and the nearest part are up to half a diagonal nearer each.
  const double to_polygons = field_.distance(c) - std::numbers::sqrt2 * map_.resolution();
  return std::max(0.0, std::min(to_bounds, to_polygons));
}

bool Obstacles::touches(const Footprint& footprint, const Pose& pose) const {
  const PlacedFootprint placed(footprint, pose);
  const Point center = placed.center;
  const double half_length = placed.half_length, half_width = placed.half_width;
  const double reach_x = placed.reach_x, reach_y = placed.reach_y;
  if (!(center.x - reach_x >= bounds_.low.x && center.x + reach_x <= bounds_.high.x &&
        center.y - reach_y >= bounds_.low.y && center.y + reach_y <= bounds_.high.y)) {
    return true;
  }
  const Cell middle = map_.cell_of(center);
  if (!map_.contains(middle)) return true;
  const double radius = std::hypot(half_length, half_width);
  const double near = field_.distance(middle) - std::numbers::sqrt2 * map_.resolution();
  if (near > radius) return false;

  const Cell first = map_.cell_of({center.x - reach_x, center.y - reach_y}),
             last = map_.cell_of({center.x + reach_x, center.y + reach_y});
  const Footprint box{half_length, half_length, half_width, half_width};
  for (int y = std::max(first.y, 0); y <= std::min(last.y, map_.height() - 1); ++y) {
    for (int x = std::max(first.x, 0); x <= std::min(last.x, map_.width() - 1); ++x) {
      const std::size_t k = static_cast<std::size_t>(y) * map_.width() + x;
      for (std::int32_t e = edge_first_[k]; e < edge_first_[k + 1]; ++e) {
        if (meets_rectangle(box, placed.to_box(edges_[e].a), placed.to_box(edges_[e].b)))
          return true;
      }
    }
  }
  // No edge meets the footprint: it is inside of a polygon as a whole, or outside.
  if (!map_.is_blocked(middle.x, middle.y)) return false;
  return std::any_of(polygons_.begin(), polygons_.end(),
                     [&](const Polygon& polygon) { return is_inside(polygon, center); });
}

double Obstacles::calc_clearance(const Footprint& footprint, const Pose& pose, double max) const {
  const PlacedFootprint placed(footprint, pose);
  const Point center = placed.center;
  const double half_length = placed.half_length, half_width = placed.half_width;
  const double reach_x = placed.reach_x, reach_y = placed.reach_y;
  double clearance =
      std::min({max, center.x - reach_x - bounds_.low.x, bounds_.high.x - center.x - reach_x,
                center.y - reach_y - bounds_.low.y, bounds_.high.y - center.y - reach_y});
  if (!(clearance > 0)) return 0;
  const Cell middle = map_.cell_of(center);
  if (!map_.contains(middle)) return 0;
  const double near = field_.distance(middle) - std::numbers::sqrt2 * map_.resolution() -
                      std::hypot(half_length, half_width);
  if (near >= clearance) return clearance;

  const Cell first = map_.cell_of({center.x - reach_x - clearance, center.y - reach_y - clearance}),
             last = map_.cell_of({center.x + reach_x + clearance, center.y + reach_y + clearance});
  const Footprint box{half_length, half_length, half_width, half_width};
  double squared = clearance * clearance;
  std::int32_t seen = 0;  // a long edge is in many cells, one after the other
  const auto take_corner = [&](double x, double y, Point a, Point b) {
    const double ux = b.x - a.x, uy = b.y - a.y, length2 = ux * ux + uy * uy;
    double t = length2 > 0 ? ((x - a.x) * ux + (y - a.y) * uy) / length2 : 0;
    t = std::clamp(t, 0.0, 1.0);
    const double dx = x - a.x - t * ux, dy = y - a.y - t * uy;
    squared = std::min(squared, dx * dx + dy * dy);
  };
  for (int y = std::max(first.y, 0); y <= std::min(last.y, map_.height() - 1); ++y) {
    const std::size_t row = static_cast<std::size_t>(y) * map_.width();
    for (int x = std::max(first.x, 0); x <= std::min(last.x, map_.width() - 1); ++x) {
      for (std::int32_t e = edge_first_[row + x]; e < edge_first_[row + x + 1]; ++e) {
        if (edges_[e].id == seen) continue;
        seen = edges_[e].id;
        const Point a = placed.to_box(edges_[e].a), b = placed.to_box(edges_[e].b);
        const double reach = std::sqrt(squared);
        if (std::min(a.x, b.x) > half_length + reach || std::max(a.x, b.x) < -half_length - reach ||
            std::min(a.y, b.y) > half_width + reach || std::max(a.y, b.y) < -half_width - reach) {
          continue;
        }
        if (meets_rectangle(box, a, b)) return 0;
        for (const Point p : {a, b}) {
          const double dx = std::max(std::abs(p.x) - half_length, 0.0),
                       dy = std::max(std::abs(p.y) - half_width, 0.0);
          squared = std::min(squared, dx * dx + dy * dy);
        }
        for (const double side : {-half_length, half_length}) {
          take_corner(side, -half_width, a, b);
          take_corner(side, half_width, a, b);
        }
      }
    }
  }
  if (map_.is_blocked(middle.x, middle.y) &&
      std::any_of(polygons_.begin(), polygons_.end(),
                  [&](const Polygon& polygon) { return is_inside(polygon, center); })) {
    return 0;
  }
  return std::sqrt(squared);
}

double ClearanceMap::calc_free_length(const Footprint& footprint, const Pose& from,
                                      double curvature, double length, double tolerance) const {
  const double whole = std::abs(length), sign = length < 0 ? -1 : 1;
  // No point of the footprint moves faster than this times the reference point.
  const double radius = footprint.max_radius(), pace = 1 + std::abs(curvature) * radius;
  double done = 0;
  while (true) {
    const Pose at = drive(from, curvature, sign * done);
    double clearance = min_distance({at.x, at.y}) - radius;
    if (clearance < tolerance) clearance = calc_clearance(footprint, at, 1.0);
    if (clearance < tolerance) return std::max(0.0, done);
    if (done >= whole) return whole;
    done = std::min(whole, done + clearance / pace);
  }
}

}  // namespace camber::planning
