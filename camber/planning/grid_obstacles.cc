#include "camber/planning/grid_obstacles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "camber/planning/placed_footprint.h"

namespace camber::planning {
namespace {

/// Squared distance of a point to a rectangle about the origin; 0 inside.
double squared_distance(double x, double y, double half_x, double half_y) {
  const double dx = std::max(std::abs(x) - half_x, 0.0), dy = std::max(std::abs(y) - half_y, 0.0);
  return dx * dx + dy * dy;
}

}  // namespace

void GridObstacles::commit() {
  if (changed_.empty()) return;
  field_.update(grid_, changed_);
  changed_.clear();
}

double GridObstacles::min_distance(Point p) const {
  const Point low = grid_.origin();
  const double h = grid_.resolution();
  const double to_bounds = std::min({p.x - low.x, low.x + grid_.width() * h - p.x, p.y - low.y,
                                     low.y + grid_.height() * h - p.y});
  if (!(to_bounds > 0)) return 0;
  const Cell c = grid_.cell_of(p);
  if (!grid_.contains(c)) return 0;
  // From center to center; the point and the nearest part are up to half a diagonal nearer each.
  return std::max(0.0, std::min(to_bounds, field_.distance(c) - std::numbers::sqrt2 * h));
}

// The footprint is longer and wider than a cell, so that the two nearest points of a footprint and
// a square include a corner of one of them, also where they overlap.
double GridObstacles::calc_clearance(const Footprint& footprint, const Pose& pose,
                                     double max) const {
  const PlacedFootprint placed(footprint, pose);
  const double h = grid_.resolution();
  const Point low = grid_.origin(), high{low.x + grid_.width() * h, low.y + grid_.height() * h};
  const double clearance = std::min(
      {max, placed.center.x - placed.reach_x - low.x, high.x - placed.center.x - placed.reach_x,
       placed.center.y - placed.reach_y - low.y, high.y - placed.center.y - placed.reach_y});
  if (!(clearance > 0)) return 0;
  const Cell middle = grid_.cell_of(placed.center);
  if (!grid_.contains(middle)) return 0;
  const double near = field_.distance(middle) - std::numbers::sqrt2 * h -
                      std::hypot(placed.half_length, placed.half_width);
  if (near >= clearance) return clearance;

  const double reach_x = placed.reach_x + clearance, reach_y = placed.reach_y + clearance;
  const Cell first = grid_.cell_of({placed.center.x - reach_x, placed.center.y - reach_y}),
             last = grid_.cell_of({placed.center.x + reach_x, placed.center.y + reach_y});
  const int x0 = std::max(first.x, 0), x1 = std::min(last.x, grid_.width() - 1);
  const double half = 0.5 * h, half_diagonal = half * std::numbers::sqrt2;
  const double corner_x[4] = {placed.half_length, placed.half_length, -placed.half_length,
                              -placed.half_length},
               corner_y[4] = {placed.half_width, -placed.half_width, -placed.half_width,
                              placed.half_width};
  double squared = clearance * clearance, root = clearance;
  const auto take = [&](int x, int y) {
    const Point center = grid_.center({x, y});
    const Point c = placed.to_box(center);
    const double bound = root + half_diagonal;
    if (squared_distance(c.x, c.y, placed.half_length, placed.half_width) > bound * bound) return;
    // Half sides of the square along the rectangle's axes.
    const double a = half * placed.c, b = half * placed.s;
    double best = squared;
    for (const auto& [dx, dy] :
         {Point{a + b, a - b}, Point{a - b, -a - b}, Point{-a - b, b - a}, Point{b - a, a + b}})
      best = std::min(best,
                      squared_distance(c.x + dx, c.y + dy, placed.half_length, placed.half_width));
    for (int k = 0; k < 4; ++k) {
      // A corner of the rectangle along the square's axes, which are the world's.
      const double ux = corner_x[k] - c.x, uy = corner_y[k] - c.y;
      best = std::min(best, squared_distance(placed.c * ux - placed.s * uy,
                                             placed.s * ux + placed.c * uy, half, half));
    }
    if (best >= squared) return;
    squared = best;
    root = std::sqrt(best);
  };
  for (int y = std::max(first.y, 0); y <= std::min(last.y, grid_.height() - 1); ++y) {
    const std::uint64_t* words = grid_.row_words(y);
    // Bit x + 1 of a row is column x.
    for (int word = (x0 + 1) >> 6; word <= (x1 + 1) >> 6; ++word) {
      for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
        const int x = word * 64 + std::countr_zero(bits) - 1;
        if (x < x0 || x > x1) continue;
        take(x, y);
        if (squared == 0) return 0;
      }
    }
  }
  return root;
}

}  // namespace camber::planning
