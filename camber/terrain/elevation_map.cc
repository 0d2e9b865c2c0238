#include "camber/terrain/elevation_map.h"

#include <cmath>

#include "camber/core/require.h"
#include "camber/terrain/bicubic.h"

namespace camber::terrain {
namespace {

/// The grid with its rim: one more node on each side, from the parabola through the three nearest.
std::vector<float> add_rim(const HeightGrid& grid) {
  const std::size_t nx = grid.nx, ny = grid.ny, width = nx + 2;
  std::vector<float> nodes(width * (ny + 2));
  const auto beyond = [](float a, float b, float c) { return 3 * a - 3 * b + c; };
  for (std::size_t j = 0; j < ny; ++j) {
    const float* from = grid.heights.data() + j * nx;
    float* row = nodes.data() + (j + 1) * width;
    for (std::size_t i = 0; i < nx; ++i) row[i + 1] = from[i];
    row[0] = beyond(row[1], row[2], row[3]);
    row[nx + 1] = beyond(row[nx], row[nx - 1], row[nx - 2]);
  }
  for (std::size_t i = 0; i < width; ++i) {
    const auto at = [&](std::size_t j) -> float& { return nodes[j * width + i]; };
    at(0) = beyond(at(1), at(2), at(3));
    at(ny + 1) = beyond(at(ny), at(ny - 1), at(ny - 2));
  }
  return nodes;
}

}  // namespace

ElevationMap::ElevationMap(const HeightGrid& grid)
    : nx_(grid.nx),
      ny_(grid.ny),
      spacing_(grid.spacing),
      inverse_spacing_(1 / grid.spacing),
      origin_x_(grid.origin_x),
      origin_y_(grid.origin_y) {
  require(nx_ >= 3 && ny_ >= 3, "elevation map: needs at least 3 x 3 nodes, got ", nx_, " x ", ny_);
  require(spacing_ > 0 && std::isfinite(spacing_), "elevation map: spacing must be > 0 m, got ",
          spacing_);
  const std::size_t count = static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_);
  require(grid.heights.size() == count, "elevation map: ", grid.heights.size(), " heights for ",
          nx_, " x ", ny_, " nodes");
  for (std::size_t k = 0; k < count; ++k) {
    require(std::isfinite(grid.heights[k]), "elevation map: the height of node (", k % nx_, ", ",
            k / nx_, ") is not finite");
  }
  nodes_ = std::make_shared<const std::vector<float>>(add_rim(grid));
}

SurfaceSample ElevationMap::sample(double x, double y) const {
  const GridCell i = find_cell((x - origin_x_) * inverse_spacing_, nx_);
  const GridCell j = find_cell((y - origin_y_) * inverse_spacing_, ny_);
  const std::ptrdiff_t width = nx_ + 2;
  const float* first = nodes_->data() + j.index * width + i.index;
  SurfaceSample s = internal::sample_bicubic(first, width, i.t, j.t, inverse_spacing_);
  level_outside(i.inside, j.inside, &s);
  return s;
}

EightSlopes ElevationMap::sample(const EightNumbers& x, const EightNumbers& y) const {
  const std::ptrdiff_t width = nx_ + 2;
  return internal::sample_cells(
      (x - origin_x_) * inverse_spacing_, (y - origin_y_) * inverse_spacing_, nx_, ny_, width,
      inverse_spacing_, [&](int i, int j) { return nodes_->data() + j * width + i; },
      [&](int lane) { return sample(x.lane(lane), y.lane(lane)); });
}

bool ElevationMap::contains(double x, double y) const {
  const double gx = (x - origin_x_) * inverse_spacing_, gy = (y - origin_y_) * inverse_spacing_;
  return gx >= 0 && gy >= 0 && gx <= nx_ - 1 && gy <= ny_ - 1;
}

}  // namespace camber::terrain
