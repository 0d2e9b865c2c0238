#include "camber/terrain/procedural.h"

#include <cmath>

#include "camber/core/require.h"

namespace camber::terrain {
namespace {

RoughnessSpec fit_to_spacing(RoughnessSpec spec, double spacing) {
  // Above 1/(2 spacing) nodes would show a wave as a longer one.
  spec.n_max = 0.4 / spacing;
  return spec;
}

}  // namespace

ProceduralGround::ProceduralGround(const ProceduralSpec& spec, double spacing)
    : spec_(spec), spacing_(spacing), roughness_(fit_to_spacing(spec.roughness, spacing)) {
  const FractalNoise& n = spec.hills;
  require(spacing > 0 && std::isfinite(spacing), "procedural ground: spacing must be > 0 m, got ",
          spacing);
  require(n.wavelength > 0, "procedural ground: wavelength must be > 0 m, got ", n.wavelength);
  require(n.octaves >= 0 && n.octaves <= 24, "procedural ground: 0 to 24 octaves, got ", n.octaves);
  require(n.ridges >= 0 && n.ridges <= 1, "procedural ground: ridges must be in 0..1, got ",
          n.ridges);
  require(spec.tree_density >= 0 && spec.tree_density <= 10,
          "procedural ground: tree density must be in 0..10 1/m^2, got ", spec.tree_density);
}

void ProceduralGround::calc_block(std::int64_t i0, std::int64_t j0, int nx, int ny,
                                  float* heights) const {
  std::vector<double> sum(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny), 0.0);
  if (spec_.hills.octaves > 0 && spec_.hills.amplitude != 0) {
    std::size_t k = 0;
    for (int j = 0; j < ny; ++j) {
      const double y = spacing_ * static_cast<double>(j0 + j);
      for (int i = 0; i < nx; ++i) {
        sum[k++] = fractal_height(spec_.hills, spacing_ * static_cast<double>(i0 + i), y);
      }
    }
  }
  roughness_.add_block(spacing_, i0, j0, nx, ny, &sum);
  for (std::size_t k = 0; k < sum.size(); ++k) heights[k] = static_cast<float>(sum[k]);
}

// At most one tree in each cell of a grid, away from the cell's edges, so that neighbors keep their
// distance; long-wave noise makes clearings.
std::vector<Obstacle> ProceduralGround::find_trees(const Box2& box) const {
  std::vector<Obstacle> trees;
  if (spec_.tree_density == 0) return trees;
  // Half of the cells hold a tree on average.
  const double cell = std::sqrt(0.5 / spec_.tree_density);
  const auto index = [&](double x) { return static_cast<std::int64_t>(std::floor(x / cell)); };
  for (std::int64_t j = index(box.y0); j <= index(box.y1); ++j) {
    for (std::int64_t i = index(box.x0); i <= index(box.x1); ++i) {
      const auto draw = [&](std::uint64_t what) { return uniform_cell(spec_.seed + what, i, j); };
      const double x = (static_cast<double>(i) + 0.22 + 0.56 * draw(101)) * cell;
      const double y = (static_cast<double>(j) + 0.22 + 0.56 * draw(102)) * cell;
      const double wood = 0.5 + 0.8 * gradient_noise(spec_.seed + 103, x / 60, y / 60);
      if (draw(104) > wood) continue;
      if (x < box.x0 || x >= box.x1 || y < box.y0 || y >= box.y1) continue;
      const double size = 0.6 + 0.8 * draw(105);
      trees.push_back({x, y, spec_.tree_radius * size, 60 * spec_.tree_radius * size});
    }
  }
  return trees;
}

}  // namespace camber::terrain
