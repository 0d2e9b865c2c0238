#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "camber/terrain/surface_point.h"

namespace camber::terrain {

/// Heights on a regular grid as a file gives them: node (i, j) is at
/// (origin_x + i spacing, origin_y + j spacing), i runs first.
struct HeightGrid {
  int nx = 0, ny = 0;
  double spacing = 1.0;                   // [m]
  double origin_x = 0.0, origin_y = 0.0;  // of node (0, 0) [m]
  std::vector<float> heights = {};        // nx * ny [m]
};

/// A grid of heights as a surface, C1 (bicubic.h), held in memory. Node positions are doubles and
/// heights floats: at 100 m a height is good to 8 um. Outside the grid the height of its nearest
/// edge is used; contains() tests for it. Copies share the nodes.
class ElevationMap {
 public:
  /// Needs at least 3 x 3 nodes, all finite. Throws std::invalid_argument.
  explicit ElevationMap(const HeightGrid& grid);

  SurfaceSample sample(double x, double y) const;
  EightSlopes sample(const EightNumbers& x, const EightNumbers& y) const;
  bool contains(double x, double y) const;

  int nx() const { return nx_; }
  int ny() const { return ny_; }
  double spacing() const { return spacing_; }
  double origin_x() const { return origin_x_; }
  double origin_y() const { return origin_y_; }
  /// (nx + 2) x (ny + 2) heights: the nodes with one more on each side, from which the splines of
  /// the cells at the edge are made.
  const std::shared_ptr<const std::vector<float>>& nodes_with_rim() const { return nodes_; }

 private:
  int nx_, ny_;
  double spacing_, inverse_spacing_, origin_x_, origin_y_;
  // With a rim of one node at each side, extrapolated so that quadratics stay exact.
  std::shared_ptr<const std::vector<float>> nodes_;
};

/// A cell of a grid with n nodes that holds the coordinate g (in spacings), and the place in it;
/// outside, the nearest edge.
struct GridCell {
  int index;
  double t;  // in [0, 1]
  bool inside;
};
inline GridCell find_cell(double g, int n) {
  if (!(g >= 0)) return {0, 0.0, false};
  if (g >= n - 1) return {n - 2, 1.0, g == n - 1};
  const int i = static_cast<int>(g);
  return {i, g - i, true};
}
/// Beyond an edge the height is constant.
inline void level_outside(bool inside_x, bool inside_y, SurfaceSample* s) {
  if (!inside_x) s->hx = s->hxx = s->hxy = 0.0;
  if (!inside_y) s->hy = s->hyy = s->hxy = 0.0;
}

}  // namespace camber::terrain
