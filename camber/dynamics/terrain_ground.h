#pragma once

#include <span>

#include "camber/dynamics/simple_ground.h"
#include "camber/terrain/terrain.h"

namespace camber::dynamics {

/// The ground of a terrain under a simple vehicle.
struct TerrainGround {
  const terrain::Terrain* terrain;
  terrain::TerrainCache* cache;

  SimpleGround<double> operator()(double x, double y) const {
    const terrain::Point2 place{x, y};
    terrain::GroundPoint ground;
    terrain->query(std::span(&place, 1), cache, std::span(&ground, 1));
    return {
        .slope_x = ground.surface.hx, .slope_y = ground.surface.hy, .friction = ground.friction};
  }
};

}  // namespace camber::dynamics
