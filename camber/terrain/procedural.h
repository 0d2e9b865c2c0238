#pragma once

#include <cstdint>
#include <vector>

#include "camber/terrain/noise.h"
#include "camber/terrain/roughness.h"

namespace camber::terrain {

/// An obstacle on the ground that a vehicle hits instead of driving over it: an upright cylinder.
struct Obstacle {
  double x = 0.0, y = 0.0;            // [m]
  double radius = 0.0, height = 0.0;  // [m]
};

/// A rectangle on the ground.
struct Box2 {
  double x0 = 0.0, y0 = 0.0, x1 = 0.0, y1 = 0.0;  // [m]
};

/// Off-road ground from a seed: hills, ridges, roughness, trees.
struct ProceduralSpec {
  FractalNoise hills = {};
  RoughnessSpec roughness = {};  // its n_max follows from the spacing: 0.4/spacing
  double tree_density = 0.0;     // [1/m^2]
  double tree_radius = 0.15;     // mean trunk [m]
  std::uint64_t seed = 1;        // of the trees
};

/// Heights of nodes and positions of trees depend on the place alone, not on the order of queries.
/// Constant once built.
class ProceduralGround {
 public:
  ProceduralGround(const ProceduralSpec& spec, double spacing);

  /// Heights of nodes (i0 + i, j0 + j), row by row, in `heights` [m].
  void calc_block(std::int64_t i0, std::int64_t j0, int nx, int ny, float* heights) const;

  /// Trees whose center is inside the box, in a fixed order. No two are closer than
  /// 0.3/sqrt(density).
  std::vector<Obstacle> find_trees(const Box2& box) const;

  const ProceduralSpec& spec() const { return spec_; }

 private:
  ProceduralSpec spec_;
  double spacing_;
  Roughness roughness_;
};

}  // namespace camber::terrain
