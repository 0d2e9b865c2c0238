#pragma once

// The scene of the benchmark of rays: 2 km x 2 km of ground at 1 m, 400 blocks with buildings,
// kerbs, trees, poles and cars, some 2.4 million triangles; and the rays of a 64-beam LIDAR that
// drives through it.

#include <memory>
#include <vector>

#include "camber/scene/mesh.h"
#include "camber/scene/ray.h"
#include "camber/terrain/terrain.h"

namespace camber::bench {

struct City {
  std::shared_ptr<const terrain::Terrain> ground;  // an ElevationMap
  int nodes = 0;                                   // of the ground, per side
  double spacing = 1.0;                            // [m]
  std::vector<scene::Mesh> blocks;                 // in the axes of the world
  std::size_t triangles = 0;
};

/// `blocks_per_side` squared blocks of 100 m about the origin, from a fixed seed.
City make_city(int blocks_per_side);

/// Turns of 64 beams x 2048 columns from +2 to -24.8 deg, 120 m, the pose moving at 10 m/s from
/// column to column. Sixteen neighboring azimuths of one beam follow each other.
/// Rays are floats, so that engines of floats cast the same ones.
std::vector<scene::Ray> make_scan(const City& city, int turns);

/// Range of a ray through the objects by brute force in long doubles, infinite where nothing is met:
/// the referee.
double find_range(const City& city, const scene::Ray& ray);

}  // namespace camber::bench
