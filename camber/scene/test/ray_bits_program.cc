// All that rays need, compiled for one instruction set: prints the bits of their results. Its own
// program, since code for several instruction sets does not fit together in one
// (docs/decisions/0006-instruction-set.md). What is not used is left out by the linker.

#include <iostream>

#include "camber/core/file.cc"
#include "camber/core/random.cc"
#include "camber/core/require.cc"
#include "camber/core/suggestion.cc"
#include "camber/math/lanes.cc"
#include "camber/math/sincos.cc"
#include "camber/scene/fan.cc"
#include "camber/scene/ground_cell.cc"
#include "camber/scene/ground_rays.cc"
#include "camber/scene/ground_tree.cc"
#include "camber/scene/mesh.cc"
#include "camber/scene/mesh_tree.cc"
#include "camber/scene/packet.cc"
#include "camber/scene/scene.cc"
#include "camber/scene/scene_rays.cc"
#include "camber/scene/shape_rays.cc"
#include "camber/scene/test/ray_bits.h"
#include "camber/scene/tree.cc"
#include "camber/terrain/bump.cc"
#include "camber/terrain/crg_road.cc"
#include "camber/terrain/elevation_map.cc"
#include "camber/terrain/noise.cc"
#include "camber/terrain/procedural.cc"
#include "camber/terrain/roughness.cc"
#include "camber/terrain/soil_laws.cc"
#include "camber/terrain/soil_library.cc"
#include "camber/terrain/terrain.cc"
#include "camber/terrain/tiled_map.cc"

int main() {
  std::cout << camber::scene::make_ray_bits();
  return 0;
}
