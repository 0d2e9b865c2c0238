#include "camber/view/stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "camber/city/city.h"
#include "camber/city/surfaces.h"
#include "camber/city/things.h"
#include "camber/core/require.h"
#include "camber/scene/scene.h"
#include "camber/view/json_values.h"
#include "camber/view/run_description.h"

namespace camber::view {
namespace {

using internal::round_length;
using Json = nlohmann::ordered_json;

scene::Mesh make_ground_mesh(const city::Block& block, const Vector3& middle) {
  scene::Mesh mesh = city::make_surface_mesh(middle);
  for (const city::Facet& facet : block.ground) city::add_facet(facet, &mesh);
  for (const city::Facet& facet : block.faces) city::add_facet(facet, &mesh);
  return mesh;
}

scene::Mesh make_houses(const city::Block& block, const Vector3& middle) {
  scene::Mesh mesh = city::make_surface_mesh(middle);
  for (const city::Building& building : block.buildings)
    if (building.is_drawn) city::add_building(building, &mesh);
  return mesh;
}

/// Surfaces of a city's mesh are numbers of city::Surface; as materials they have the same numbers.
void number_surfaces(scene::Mesh* mesh) {
  for (std::size_t k = 0; k < mesh->surfaces.size(); ++k)
    mesh->surfaces[k].material = static_cast<int>(k);
}

std::shared_ptr<const terrain::Terrain> make_plane(double height) {
  auto plane = std::make_shared<terrain::Terrain>();
  plane->name = "plane";
  plane->base = terrain::Plane{.height = height};
  return plane;
}

}  // namespace

Stage::Stage(double plane_height)
    : ground_(std::make_unique<GroundTiles>(make_plane(plane_height), GroundOptions{})) {}

Stage::Stage(const run::Simulation& simulation) : Stage(simulation.built()) { add_run(simulation); }

Stage::Stage(const scenario::BuiltScenario& built) {
  const scenario::Scenario& s = *built.scenario;
  GroundOptions options;
  options.has_ruts = s.ground.soil_level == scenario::SoilLevel::kGrid;
  options.rut_spacing = s.ground.soil_spacing;
  if (built.parts->city) options.city = built.parts->city->name;
  ground_ = std::make_unique<GroundTiles>(built.world.shared_terrain(), options);
  if (built.parts->city)
    add_city(built.parts->city);
  else
    add_obstacles(built.world.terrain());
}

int Stage::add_run(const run::Simulation& simulation) {
  return add_run(describe_run(simulation, &meshes_));
}

int Stage::add_run(Json run) {
  runs_.push_back(std::move(run));
  return static_cast<int>(runs_.size()) - 1;
}

// Blocks are chunks: their ground is fetched near the vehicle, their buildings are seen from afar.
// Meshes are made when they are asked for; the city is constant and shared.
void Stage::add_city(std::shared_ptr<const city::City> city) {
  scene::Scene surfaces;
  std::vector<int> materials;
  for (const city::SurfaceNumbers& numbers : city::add_surfaces(city->storey_height, &surfaces))
    materials.push_back(meshes_.add_material(surfaces.material(numbers.material)));
  for (std::size_t b = 0; b < city->blocks.size(); ++b) {
    const city::Block& block = city->blocks[b];
    const terrain::Box2 box = city::extent_of(block);
    if (!(box.x0 <= box.x1)) continue;
    const Vector3 middle(0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1), 0);
    const double radius = 0.5 * std::hypot(box.x1 - box.x0, box.y1 - box.y0);
    const auto add = [&](const char* layer,
                         scene::Mesh (*make)(const city::Block&, const Vector3&)) {
      const int mesh = meshes_.add_later(
          [city, b, middle, make] {
            scene::Mesh made = make(city->blocks[b], middle);
            number_surfaces(&made);
            return made;
          },
          materials);
      static_.push_back({{"id", concat(layer, "-", block.i, "-", block.j)},
                         {"kind", "mesh"},
                         {"layer", layer},
                         {"mesh", mesh},
                         {"center", {round_length(middle.x()), round_length(middle.y()), 0}},
                         {"radius", round_length(radius)}});
    };
    if (!block.ground.empty() || !block.faces.empty()) add("ground", make_ground_mesh);
    if (std::ranges::any_of(block.buildings, &city::Building::is_drawn))
      add("buildings", make_houses);
  }
  // Things of one shape are instances of one mesh.
  std::map<std::array<int, 2>, Json> poses;
  for (const city::Block& block : city->blocks)
    for (const city::Thing& t : block.things) {
      const int shape = t.variant % city::variant_count(t.kind);
      auto& list = poses[{static_cast<int>(t.kind), shape}];
      if (list.is_null()) list = Json::array();
      list.push_back({round_length(t.x), round_length(t.y), round_length(t.z), round_length(t.yaw),
                      round_length(t.scale)});
    }
  for (auto& [key, list] : poses) {
    const auto kind = static_cast<city::ThingKind>(key[0]);
    const int mesh = meshes_.add_later(
        [kind, variant = key[1]] {
          scene::Mesh made = city::make_thing_mesh(kind, variant);
          number_surfaces(&made);
          return made;
        },
        materials);
    static_.push_back({{"id", concat(city::name_of(kind), "-", key[1])},
                       {"kind", "instances"},
                       {"mesh", mesh},
                       {"name", city::name_of(kind)},
                       {"poses", std::move(list)}});
  }
}

// Trees and posts come by squares; buildings and parked cars of a terrain's file as prisms.
void Stage::add_obstacles(const terrain::Terrain& terrain) {
  const auto* map = std::get_if<terrain::TiledMap>(&terrain.base);
  const auto* hills =
      map != nullptr ? std::get_if<terrain::ProceduralGround>(&map->source()) : nullptr;
  if (!terrain.obstacles.empty() || (hills != nullptr && hills->spec().tree_density > 0))
    static_.push_back({{"id", "trees"}, {"kind", "trees"}});
  for (const terrain::Prism& prism : terrain.prisms) {
    Json corners = Json::array();
    double x = 0, y = 0;
    for (const terrain::Point2& p : prism.corners) {
      corners.push_back({round_length(p.x), round_length(p.y)});
      x += p.x / static_cast<double>(prism.corners.size());
      y += p.y / static_cast<double>(prism.corners.size());
    }
    static_.push_back({{"id", concat("prism-", static_.size())},
                       {"kind", "prism"},
                       {"corners", std::move(corners)},
                       {"z", round_length(ground_->height(x, y))},
                       {"height", prism.height},
                       {"name", prism.name}});
  }
}

Json Stage::hello(std::string_view kind, std::string_view program) const {
  return {{"type", "hello"},
          {"protocol", "camber.v1"},
          {"program", program},
          {"kind", kind},
          {"you", {{"id", 0}}},
          {"driver", 0},
          {"runs", runs_},
          {"ground", ground_->describe()},
          {"sky", {{"sun", {0.4, 0.3, 0.85}}}},
          {"materials", meshes_.list_materials()},
          {"static", static_}};
}

Answer Stage::answer(std::string_view target) const {
  const std::optional<Address> address = parse_address(target);
  if (!address) return refuse(400, "this is not an address");
  return answer(*address);
}

Answer Stage::answer(const Address& address) const {
  constexpr std::int64_t kFar = 1 << 24;
  const std::vector<std::string>& parts = address.parts;
  const auto is = [&](std::string_view name, std::size_t count) {
    return parts.size() == count && parts[0] == "api" && parts[1] == name;
  };
  const auto found = [](std::string bytes) {
    const int status = bytes.empty() ? 204 : 200;
    return Answer{status, "application/octet-stream", std::move(bytes)};
  };
  if (is("tile", 5) || is("trees", 4)) {
    const bool is_tile = parts.size() == 5;
    const auto level = is_tile ? parse_integer(parts[2], 0, 30) : 0;
    const auto i = parse_integer(parts[parts.size() - 2], -kFar, kFar);
    const auto j = parse_integer(parts[parts.size() - 1], -kFar, kFar);
    if (!level || !i || !j)
      return refuse(400, "expected integers: /api/tile/L/I/J, /api/trees/I/J");
    if (ground_->is_plane() && is_tile) return found({});
    return found(is_tile ? ground_->make_tile(static_cast<int>(*level), *i, *j)
                         : ground_->make_trees(*i, *j));
  }
  if (is("mesh", 3)) {
    const auto k = parse_integer(parts[2], 0, kFar);
    if (!k) return refuse(400, "expected the number of a mesh: /api/mesh/K");
    if (*k >= meshes_.mesh_count()) return refuse(404, "there is no such mesh");
    return found(meshes_.bytes(static_cast<int>(*k)));
  }
  if (is("soil", 2)) return {200, "application/json", ground_->describe_ruts().dump()};
  return refuse(404, "there is no such address");
}

}  // namespace camber::view
