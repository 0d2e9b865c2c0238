#include "camber/city/city_file.h"

#include <algorithm>

#include "camber/city/cityjson_file.h"
#include "camber/city/mesh_city.h"
#include "camber/city/opendrive_file.h"
#include "camber/city/osm_file.h"
#include "camber/core/file.h"
#include "camber/core/file_reference.h"
#include "camber/core/require.h"
#include "camber/core/toml_reader.h"

namespace camber::city {
namespace {

Range read_range(const TomlNode& table, const char* key, const Range& usual, double low,
                 double high, std::string_view unit) {
  const TomlNode node = table.find(key);
  if (!node) return usual;
  const std::vector<double> values = node.numbers(2, unit);
  if (values.size() != 2) return usual;
  if (!(values[0] <= values[1] && values[0] >= low && values[1] <= high)) {
    node.error(concat("needs [from, to] with ", low, " <= from <= to <= ", high, " ", unit));
    return usual;
  }
  return {values[0], values[1]};
}

void read_streets(const TomlNode& node, CitySpec* spec) {
  if (const TomlNode size = node.find("size")) {
    const std::vector<double> values = size.numbers(2, "m");
    if (values.size() == 2) {
      spec->width = values[0], spec->depth = values[1];
      for (const double side : values) {
        if (!(side >= 100 && side <= 20e3)) size.error("each side must be in 100..20000 m");
      }
    }
  }
  spec->layout = node.get("layout", "grid").choice({"grid", "irregular"}) == "irregular"
                     ? Layout::kIrregular
                     : Layout::kGrid;
  spec->block = read_range(node, "block", spec->block, 60, 400, "m");
  spec->jitter = node.get("jitter", spec->jitter).in_range(0, 0.15 * spec->block.low, "m");
  spec->merged = node.get("merged", spec->merged).in_range(0, 1, "");
  spec->avenue_every = static_cast<int>(node.get("avenue_every", std::int64_t{3}).integer(0, 100));
  spec->avenue_lanes = static_cast<int>(node.get("avenue_lanes", std::int64_t{2}).integer(1, 3));
  spec->street_lanes = static_cast<int>(node.get("street_lanes", std::int64_t{1}).integer(1, 3));
  spec->lane_width = node.get("lane_width", spec->lane_width).in_range(2.5, 4.5, "m");
  spec->parking = node.get("parking", spec->parking).in_range(0, 3, "m");
  spec->crown = node.get("crown", spec->crown).in_range(0, 0.06, "rise over run");
  spec->kerb = read_range(node, "kerb", spec->kerb, 0.03, 0.3, "m");
  spec->sidewalk = node.get("sidewalk", spec->sidewalk).in_range(1.5, 4.5, "m");
  spec->corner_radius = read_range(node, "corner_radius", spec->corner_radius, 2, 12, "m");
  if (spec->corner_radius.low < spec->sidewalk + 0.3)
    node.error(concat("corner_radius must be at least sidewalk + 0.3 m = ", spec->sidewalk + 0.3,
                      " m, got ", spec->corner_radius.low));
  spec->street_speed = node.get("street_speed", spec->street_speed).in_range(1, 60, "m/s");
  spec->avenue_speed = node.get("avenue_speed", spec->avenue_speed).in_range(1, 60, "m/s");
}

/// A map of others, by the ending of its name.
City load_map(const std::string& path, const MeshCityOptions& options) {
  if (path.ends_with(".osm")) return load_osm(path);
  if (path.ends_with(".xodr")) return load_opendrive(path);
  if (path.ends_with(".json")) return load_cityjson(path);
  for (const char* ending : {".glb", ".gltf", ".obj", ".ply", ".stl"})
    if (path.ends_with(ending)) return load_mesh_city(path, options);
  throw FileError(path,
                  "expected a name that ends with .osm, .xodr, .city.json, or .glb, .gltf, .obj, "
                  ".ply, .stl for a mesh");
}

/// Keys of a mesh; others have none.
MeshCityOptions read_mesh_options(const TomlNode& source, const std::string& map) {
  MeshCityOptions options;
  const bool is_map = map.ends_with(".osm") || map.ends_with(".xodr") || map.ends_with(".json");
  if (is_map) return options;
  options.mesh.unit = source.get("unit", options.mesh.unit).in_range(1e-6, 1e6, "m");
  const bool is_gltf = map.ends_with(".glb") || map.ends_with(".gltf");
  const char* usual = is_gltf ? "y" : "z";
  options.mesh.up =
      source.get("up", usual).choice({"y", "z"}) == "y" ? scene::UpAxis::kY : scene::UpAxis::kZ;
  if (const TomlNode ground = source.find("ground")) {
    for (const TomlNode& place : ground.elements()) {
      const std::vector<double> p = place.numbers(3, "m");
      if (p.size() == 3) options.ground.push_back({p[0], p[1], p[2]});
    }
  }
  options.spacing = source.get("spacing", options.spacing).in_range(0.05, 5, "m");
  options.max_step = source.get("max_step", options.max_step).in_range(0.05, 2, "m");
  options.max_slope = source.get("max_slope", options.max_slope).in_range(0, 2, "rise over run");
  options.headroom = source.get("headroom", options.headroom).in_range(2, 20, "m");
  return options;
}

}  // namespace

City load_city(const std::string& path, const Overrides& overrides, std::string_view part) {
  TomlFile file = load_toml(path, overrides, part);
  const TomlNode root = file.root();
  CitySpec spec;
  root.at("kind").choice({"city"});
  spec.name = root.at("name").text();
  root.get("about", "").text();
  spec.seed = static_cast<std::uint64_t>(root.get("seed", std::int64_t{1}).integer(0, INT64_MAX));
  if (const TomlNode source = root.find("source")) {
    const TomlNode node = source.at("file");
    const std::string map = read_file_reference(node, folder_of(path), "");
    const std::string attribution = source.get("attribution", "").text();
    const MeshCityOptions options = read_mesh_options(source, map);
    City city;
    if (!map.empty() && file.diagnostics().error_count() == 0) {
      try {
        city = load_map(map, options);
      } catch (const FileError& error) {
        node.error(error.what());
      }
    }
    file.finish();
    city.name = spec.name;
    city.seed = spec.seed;
    if (!attribution.empty()) city.attribution = attribution;
    return city;
  }
  if (const TomlNode node = root.find("streets")) read_streets(node, &spec);
  if (const TomlNode node = root.find("buildings")) {
    spec.storeys = read_range(node, "storeys", spec.storeys, 1, 60, "");
    spec.storey_height = node.get("storey_height", spec.storey_height).in_range(2.5, 5, "m");
    spec.parks = node.get("parks", spec.parks).in_range(0, 1, "");
    spec.squares = node.get("squares", spec.squares).in_range(0, 1, "");
  }
  if (const TomlNode node = root.find("things")) {
    spec.parked = node.get("parked", spec.parked).in_range(0, 1, "");
    spec.tree_spacing = node.get("tree_spacing", spec.tree_spacing).in_range(0, 1000, "m");
    spec.lamp_spacing = node.get("lamp_spacing", spec.lamp_spacing).in_range(0, 1000, "m");
    for (const auto& [key, value] : {std::pair{"tree_spacing", spec.tree_spacing},
                                     std::pair{"lamp_spacing", spec.lamp_spacing}}) {
      if (value > 0 && value < 3) node.at(key).error("must be 0 for none, or at least 3 m");
    }
    spec.cylinders = node.get("cylinders", spec.cylinders).in_range(0, 500, "1/km");
    spec.construction = node.get("construction", spec.construction).in_range(0, 1, "");
  }
  if (const TomlNode node = root.find("traffic")) {
    spec.cars = static_cast<int>(node.get("cars", std::int64_t{0}).integer(0, 1000));
    spec.pedestrians = static_cast<int>(node.get("pedestrians", std::int64_t{0}).integer(0, 2000));
  }
  const auto [shorter, longer] = std::minmax(spec.width, spec.depth);
  const TomlNode streets = root.find("streets") ? root.at("streets") : root;
  if (shorter < 2 * spec.block.high)
    streets.error(concat("size: ", shorter, " m is too little for blocks of up to ",
                         spec.block.high, " m; needs at least ", 2 * spec.block.high, " m"));
  if (longer / spec.block.low > 330) streets.error("size: more than 330 blocks along a side");
  file.finish();
  return make_city(spec);
}

}  // namespace camber::city
