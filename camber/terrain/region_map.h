#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace camber::terrain {

/// A property of the ground by place: a value everywhere, other values inside polygons or by the
/// cells of a grid. Where several apply, polygons take precedence over the grid, and later polygons
/// over earlier ones.
template <class V>
class RegionMap {
 public:
  struct Polygon {
    std::vector<std::pair<double, double>> corners = {};  // closed automatically [m]
    V value{};
  };
  /// Cell (i, j) reaches from origin + (i, j) spacing to the next one and has the value of its
  /// number.
  struct Grid {
    int nx = 0, ny = 0;
    double spacing = 1.0, origin_x = 0.0, origin_y = 0.0;  // [m]
    std::vector<std::uint8_t> cells = {};                  // nx * ny, each less than values.size()
    std::vector<V> values = {};
  };

  RegionMap() = default;
  explicit RegionMap(V everywhere) : everywhere_(everywhere) {}

  void add(const Polygon& polygon) {
    Bounded b{polygon, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (const auto& [x, y] : polygon.corners) {
      b.x0 = std::min(b.x0, x), b.x1 = std::max(b.x1, x);
      b.y0 = std::min(b.y0, y), b.y1 = std::max(b.y1, y);
    }
    polygons_.push_back(std::move(b));
  }
  void set_grid(Grid grid) { grid_ = std::move(grid); }

  V at(double x, double y) const {
    for (auto b = polygons_.rbegin(); b != polygons_.rend(); ++b) {
      if (x >= b->x0 && x <= b->x1 && y >= b->y0 && y <= b->y1 && inside(b->polygon, x, y)) {
        return b->polygon.value;
      }
    }
    if (grid_.cells.empty()) return everywhere_;
    const double i = std::floor((x - grid_.origin_x) / grid_.spacing);
    const double j = std::floor((y - grid_.origin_y) / grid_.spacing);
    if (!(i >= 0 && j >= 0 && i < grid_.nx && j < grid_.ny)) return everywhere_;
    const auto k = static_cast<std::size_t>(j) * grid_.nx + static_cast<std::size_t>(i);
    return grid_.values[grid_.cells[k]];
  }

  /// Replaces every value by f(value).
  template <class F>
  void transform(const F& f) {
    everywhere_ = f(everywhere_);
    for (Bounded& b : polygons_) b.polygon.value = f(b.polygon.value);
    for (V& value : grid_.values) value = f(value);
  }

  bool is_uniform() const { return polygons_.empty() && grid_.cells.empty(); }
  V everywhere() const { return everywhere_; }

 private:
  struct Bounded {
    Polygon polygon;
    double x0, y0, x1, y1;
  };

  /// Whether a ray to the right crosses the boundary an odd number of times.
  static bool inside(const Polygon& polygon, double x, double y) {
    bool odd = false;
    auto [xa, ya] = polygon.corners.back();
    for (const auto& [xb, yb] : polygon.corners) {
      if ((ya > y) != (yb > y) && x < xa + (y - ya) / (yb - ya) * (xb - xa)) odd = !odd;
      xa = xb, ya = yb;
    }
    return odd;
  }

  V everywhere_{};
  std::vector<Bounded> polygons_;
  Grid grid_;
};

}  // namespace camber::terrain
