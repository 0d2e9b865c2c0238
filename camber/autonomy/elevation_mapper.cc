#include "camber/autonomy/elevation_mapper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"

namespace camber::autonomy {

using planning::Cell, planning::Point, planning::Polygon;

ElevationMapper::ElevationMapper(const MapSetup& setup, TrueGround ground)
    : ObstacleMapper(setup), ground_(std::move(ground)) {
  require(static_cast<bool>(ground_.height) && static_cast<bool>(ground_.things),
          "ElevationMapper: needs the true ground");
  const std::size_t count = map_.index({0, map_.cells()});
  heights_.assign(count, {});
  things_.assign(count, 0);
  fixed_.assign(count, 0);
}

/// Asks for the heights of a block of cells and for what stands there. The truth's frames are one.
void ElevationMapper::ask(Cell first, Cell last) {
  const planning::OccupancyGrid& grid = map_.obstacles().grid();
  const double quarter = 0.25 * map_.cell();
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) {
      const Point p = grid.center({x, y});
      // Four points, so that a wall of half a cell is not between them.
      Heights& heights = heights_[map_.index({x, y})];
      heights = {1e30F, -1e30F};
      for (const double dx : {-quarter, quarter}) {
        for (const double dy : {-quarter, quarter}) {
          const auto h = static_cast<float>(ground_.height(p.x + dx, p.y + dy));
          heights = {std::min(heights.low, h), std::max(heights.high, h)};
        }
      }
      things_[map_.index({x, y})] = 0;
      map_.set_seen({x, y}, true);
    }
  }
  const double half = 0.5 * map_.cell();
  const Point low = grid.center(first), high = grid.center(last);
  const Point from{low.x - half, low.y - half}, to{high.x + half, high.y + half};
  for (const Polygon& polygon : ground_.things(from, to)) {
    Point least = polygon[0], most = polygon[0];
    for (const Point& p : polygon) {
      least = {std::min(least.x, p.x), std::min(least.y, p.y)};
      most = {std::max(most.x, p.x), std::max(most.y, p.y)};
    }
    const Cell a = grid.cell_of(least), b = grid.cell_of(most);
    for (int y = std::max(a.y, first.y); y <= std::min(b.y, last.y); ++y) {
      for (int x = std::max(a.x, first.x); x <= std::min(b.x, last.x); ++x) {
        const Point c = grid.center({x, y});
        // A little less than the cell: a thing that only borders on it is not in it.
        const double h = half * (1 - 1e-6);
        const Polygon square{
            {c.x - h, c.y - h}, {c.x + h, c.y - h}, {c.x + h, c.y + h}, {c.x - h, c.y + h}};
        if (planning::overlap(polygon, square)) things_[map_.index({x, y})] = 1;
      }
    }
  }
}

/// A step is within a cell, or down from its mean height to that of one beside it: the upper side is
/// blocked, so that the room between two steps stays what it is.
void ElevationMapper::mark_steps() {
  const int n = map_.cells();
  const auto step = static_cast<float>(setup_.step_height);
  const auto mean = [&](int x, int y) {
    const Heights& h = heights_[map_.index({x, y})];
    return 0.5F * (h.low + h.high);
  };
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const std::size_t k = map_.index({x, y});
      bool is_fixed = things_[k] != 0 || heights_[k].high - heights_[k].low > step;
      const float own = mean(x, y);
      if (x > 0) is_fixed = is_fixed || own - mean(x - 1, y) > step;
      if (x + 1 < n) is_fixed = is_fixed || own - mean(x + 1, y) > step;
      if (y > 0) is_fixed = is_fixed || own - mean(x, y - 1) > step;
      if (y + 1 < n) is_fixed = is_fixed || own - mean(x, y + 1) > step;
      fixed_[k] = is_fixed ? 1 : 0;
    }
  }
}

void ElevationMapper::update(const Estimate& estimate) {
  const Placement& at = estimate.smooth;
  const int n = map_.cells();
  Cell shift;
  if (map_.follow({at.x, at.y}, &shift)) {
    is_asked_ = is_asked_ && std::max(std::abs(shift.x), std::abs(shift.y)) < n;
    if (is_asked_) {
      const std::vector<Heights> heights = heights_;
      const std::vector<std::uint8_t> things = things_;
      for (int y = std::max(0, -shift.y); y < std::min(n, n - shift.y); ++y) {
        for (int x = std::max(0, -shift.x); x < std::min(n, n - shift.x); ++x) {
          heights_[map_.index({x, y})] = heights[map_.index({x + shift.x, y + shift.y})];
          things_[map_.index({x, y})] = things[map_.index({x + shift.x, y + shift.y})];
        }
      }
      // Strips that are new: above or below, then left or right of what is known.
      const int low = std::max(0, -shift.y), high = std::min(n, n - shift.y);
      if (low > 0) ask({0, 0}, {n - 1, low - 1});
      if (high < n) ask({0, high}, {n - 1, n - 1});
      if (shift.x < 0) ask({0, low}, {-shift.x - 1, high - 1});
      if (shift.x > 0) ask({n - shift.x, low}, {n - 1, high - 1});
      mark_steps();
    }
  }
  if (!is_asked_) {
    ask({0, 0}, {n - 1, n - 1});
    mark_steps();
  }
  is_asked_ = true;

  // The ground plane: through the mean of the heights under the four wheels, with their slopes.
  const double c = std::cos(at.yaw), s = std::sin(at.yaw);
  const double l = 0.5 * setup_.wheelbase, w = 0.5 * setup_.track;
  const auto height = [&](double forward, double left) {
    return ground_.height(at.x + c * forward - s * left, at.y + s * forward + c * left);
  };
  const double fl = height(l, w), fr = height(l, -w), rl = height(-l, w), rr = height(-l, -w);
  const double mean = 0.25 * (fl + fr + rl + rr);
  const double ahead = l > 0 ? (fl + fr - rl - rr) / (4 * l) : 0,
               aside = w > 0 ? (fl + rl - fr - rr) / (4 * w) : 0;
  const double slope_x = c * ahead - s * aside, slope_y = s * ahead + c * aside;
  const planning::OccupancyGrid& grid = map_.obstacles().grid();
  for (int y = 0; y < n; ++y) {
    const Point p = grid.center({0, y});
    double plane = mean + slope_x * (p.x - at.x) + slope_y * (p.y - at.y);
    const double step = slope_x * map_.cell();
    const std::size_t row = map_.index({0, y});
    for (int x = 0; x < n; ++x, plane += step) {
      const std::size_t k = row + static_cast<std::size_t>(x);
      const bool is_blocked = fixed_[k] != 0 || heights_[k].high - plane > setup_.step_height;
      map_.set_blocked({x, y}, is_blocked);
    }
  }
  map_.commit();
}

void ElevationMapper::save(StateWriter* out) const {
  map_.save(out);
  out->write(is_asked_ ? 1 : 0);
}

// Heights are asked for again: they do not change.
void ElevationMapper::restore(StateReader* in) {
  map_.restore(in);
  is_asked_ = in->read_bool();
  if (!is_asked_) return;
  ask({0, 0}, {map_.cells() - 1, map_.cells() - 1});
  mark_steps();
}

}  // namespace camber::autonomy
