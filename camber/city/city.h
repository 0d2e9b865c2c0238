#pragma once

// A city: streets, blocks, buildings and things from a seed, or from an imported file. One
// description gives everything that a drive needs:
//
//   const City city = load_city("cities/downtown.toml");
//   terrain = make_terrain(city);        // what wheels feel, kerbs as edges
//   add_to_scene(city, box, &scene);     // what sensors see
//   city.lanes                           // where traffic drives
//   find_obstacles(city, box);           // what is in the way

#include <string>
#include <vector>

#include "camber/city/block.h"
#include "camber/city/city_spec.h"
#include "camber/city/lane_graph.h"
#include "camber/planning/obstacles.h"
#include "camber/scene/scene.h"
#include "camber/terrain/terrain.h"

namespace camber::city {

struct City {
  std::string name = {};
  std::string attribution = {};  // whom the license of its data asks to name
  double storey_height = 3.1;    // of the rows of windows [m]
  std::vector<Block> blocks = {};
  LaneGraph lanes = {};
  int car_count = 0, pedestrian_count = 0;  // of its traffic
  std::uint64_t seed = 1;
};

/// Throws std::invalid_argument if there is no room for a block.
City make_city(const CitySpec& spec);

/// The ground: triangles of streets, sidewalks and blocks, with things to hit as obstacles. Throws
/// std::invalid_argument for a city without ground.
terrain::Terrain make_terrain(const City& city);

/// Adds all blocks that reach into the box, with their materials and classes. Instances of one
/// shape share a mesh. Call it once for a scene.
void add_to_scene(const City& city, const terrain::Box2& box, scene::Scene* scene);
/// All of it, committed.
scene::Scene make_scene(const City& city);

/// Something that a vehicle must not touch.
struct CityObstacle {
  Polygon outline = {};  // round things have eight corners outside of their circle
  double height = 0;     // above the ground there [m]
  const char* name = "";
};
/// Buildings and things whose outline reaches into the box, in a fixed order.
std::vector<CityObstacle> find_obstacles(const City& city, const terrain::Box2& box);

/// The same for planners, inside the box; with `islands`, ground behind kerbs is an obstacle, too.
/// Throws std::invalid_argument for a box that is empty or larger than planning::Obstacles takes.
planning::Obstacles make_obstacle_map(const City& city, const terrain::Box2& box, bool islands);

/// The rectangle of ground that the city covers.
terrain::Box2 extent_of(const City& city);

}  // namespace camber::city
