#pragma once

#include <cstdint>
#include <vector>

#include "camber/terrain/terrain.h"

namespace camber::terrain {

/// A picture of the terrain: heights as color, lit from the north-west, trees as dots. The top is
/// north.
struct TerrainPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb = {};
  double lowest = 0.0, highest = 0.0;  // of the ground in it [m]
  double steepest = 0.0;               // slope at the pixels [-]
};

/// `pixels` is the longer side's. Throws std::invalid_argument for an empty box or no pixels.
TerrainPicture draw_terrain(const Terrain& terrain, const Box2& box, int pixels);

}  // namespace camber::terrain
