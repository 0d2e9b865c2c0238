#include "camber/terrain/terrain_file.h"

#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/file_reference.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/terrain/raster_file.h"

namespace camber::terrain {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kFar = 1e7;  // no ground is larger [m]

double read_degrees(const TomlNode& node, double low, double high) {
  return node.in_range(low, high, "deg") * kDegree;
}

Bump read_bump(const TomlNode& node) {
  Bump bump;
  const std::string shape = node.at("shape").choice({"half_round", "ramp", "step", "sine"});
  bump.x = node.at("x").in_range(-kFar, kFar, "m");
  bump.y = node.get("y", 0.0).in_range(-kFar, kFar, "m");
  bump.heading = read_degrees(node.get("heading_deg", 0.0), -360, 360);
  bump.height = node.at("height").number("m");
  bump.width = node.get("width", 0.0).non_negative("m");
  bump.edge = node.get("edge", 0.0).non_negative("m");
  if (shape == "half_round") {
    bump.shape = BumpShape::kHalfRound;
    bump.radius = node.get("radius", bump.height).positive("m");
  } else if (shape == "ramp") {
    bump.shape = BumpShape::kRamp;
    bump.rise = node.at("rise").positive("m");
    bump.top = node.get("top", 0.0).non_negative("m");
    bump.fall = node.get("fall", bump.rise).non_negative("m");
    bump.blend = node.get("blend", 0.0).non_negative("m");
  } else if (shape == "step") {
    bump.shape = BumpShape::kStep;
    bump.rise = node.get("rise", 0.0).non_negative("m");
    bump.blend = node.get("blend", 0.5 * bump.rise).non_negative("m");
  } else {
    bump.shape = BumpShape::kSine;
    bump.length = node.at("length").positive("m");
    bump.count = static_cast<int>(node.get("count", std::int64_t{1}).integer(1, 100000));
  }
  return bump;
}

class Reader {
 public:
  Reader(const TomlNode& table, std::string folder) : table_(table), folder_(std::move(folder)) {}

  Terrain read() {
    read_base();
    if (const TomlNode bumps = table_.find("bump")) terrain_.bumps = read_bumps(bumps);
    read_own_soils();
    read_soil_map();
    read_friction();
    read_obstacles();
    return std::move(terrain_);
  }

 private:
  // --- The base ---

  void read_base() {
    const std::string kind =
        table_.at("kind").choice({"flat", "plane", "map", "procedural", "crg"});
    try {
      if (kind == "flat") {
        terrain_.base = Plane{.height = table_.get("height", 0.0).number("m")};
      } else if (kind == "plane") {
        read_plane();
      } else if (kind == "map") {
        read_map();
      } else if (kind == "procedural") {
        read_procedural();
      } else if (kind == "crg") {
        if (const auto path = file_path()) terrain_.base = CrgRoad(load_crg(*path));
      }
    } catch (const FileError& error) {
      table_.at("file").error(error.what());
    } catch (const std::invalid_argument& error) {  // errors that only the whole surface shows
      table_.error(error.what());
    }
  }

  void read_plane() {
    const double slope = std::tan(read_degrees(table_.at("slope_deg"), -80, 80));
    const double heading = read_degrees(table_.get("heading_deg", 0.0), -360, 360);
    terrain_.base = Plane{.height = table_.get("height", 0.0).number("m"),
                          .slope_x = slope * std::cos(heading),
                          .slope_y = slope * std::sin(heading)};
  }

  /// The path that `file` names; empty if the key is missing, which is reported.
  std::optional<std::string> file_path() {
    const std::string name = table_.at("file").text();
    if (name.empty()) return {};
    std::string path = (std::filesystem::path(folder_) / name).string();
    require_regular_file(path);
    return path;
  }

  std::pair<double, double> read_origin(double x, double y) {
    const TomlNode node = table_.find("origin");
    if (!node) return {x, y};
    const std::vector<double> origin = node.numbers(2, "m");
    return {origin[0], origin[1]};
  }

  void read_map() {
    const auto path = file_path();
    if (!path) return;
    const std::string ending = std::filesystem::path(*path).extension().string();
    const TomlNode format = table_.find("format");
    const std::string kind = format             ? format.choice({"png", "esri", "raw", "gdal"})
                             : ending == ".png" ? "png"
                             : ending == ".asc" ? "esri"
                             : ending == ".raw" || ending == ".bin" ? "raw"
                                                                    : "gdal";
    if (kind == "raw") return read_raw(*path);
    table_.find("origin");  // read also if the file cannot be read
    HeightGrid grid;
    if (kind == "png") {
      const double spacing = table_.at("spacing").positive("m");
      const double low = table_.at("min_height").number("m");
      const double high = table_.at("max_height").number("m");
      if (high < low) table_.at("max_height").error(concat("must be >= min_height = ", low, " m"));
      grid = load_png_heights(*path, spacing, low, high - low);
    } else if (kind == "esri") {
      grid = load_esri_grid(*path);
    } else {
      grid = load_gdal_raster(*path);
    }
    std::tie(grid.origin_x, grid.origin_y) = read_origin(grid.origin_x, grid.origin_y);
    terrain_.base = ElevationMap(grid);
  }

  void read_raw(const std::string& path) {
    RawHeightFile::Layout layout;
    layout.path = path;
    layout.nx = static_cast<int>(table_.at("nx").integer(3, 1 << 24));
    layout.ny = static_cast<int>(table_.at("ny").integer(3, 1 << 24));
    const std::string type =
        table_.get("type", std::string("uint16")).choice({"uint16", "int16", "float32"});
    layout.type = type == "uint16"  ? RawHeightFile::Type::kUint16
                  : type == "int16" ? RawHeightFile::Type::kInt16
                                    : RawHeightFile::Type::kFloat32;
    layout.big_endian = table_.get("big_endian", false).boolean();
    layout.north_up = table_.get("north_up", true).boolean();
    layout.scale = table_.get("scale", 1.0).number("m");
    layout.offset = table_.get("offset", 0.0).number("m");
    const double spacing = table_.at("spacing").positive("m");
    read_cache();
    const auto [x, y] = read_origin(0, 0);
    if (spacing <= 0 || layout.nx < 3 || layout.ny < 3) return;  // noted
    terrain_.base = TiledMap(RawHeightFile(layout), layout.nx, layout.ny, spacing, x, y);
  }

  void read_cache() {
    terrain_.cache_tiles = static_cast<int>(
        table_.get("cache_tiles", std::int64_t{terrain_.cache_tiles}).integer(16, 1 << 20));
  }

  void read_procedural() {
    ProceduralSpec spec;
    spec.seed =
        static_cast<std::uint64_t>(table_.get("seed", std::int64_t{1}).integer(0, INT64_MAX));
    FractalNoise& hills = spec.hills;
    hills.seed = spec.seed;
    hills.amplitude = table_.get("amplitude", 10.0).in_range(0, 5000, "m");
    hills.wavelength = table_.get("wavelength", 200.0).in_range(0.1, kFar, "m");
    hills.octaves = static_cast<int>(table_.get("octaves", std::int64_t{6}).integer(0, 24));
    hills.hurst = table_.get("hurst", 0.9).in_range(0, 2, "");
    hills.ridges = table_.get("ridges", 0.0).in_range(0, 1, "");
    hills.warp = table_.get("warp", 0.0).in_range(0, 1e4, "m");
    spec.roughness.seed = spec.seed;
    spec.roughness.density = read_roughness();
    spec.tree_density = table_.get("trees_per_hectare", 0.0).in_range(0, 1e5, "1/ha") * 1e-4;
    spec.tree_radius = table_.get("tree_radius", 0.15).positive("m");
    const double spacing = table_.get("spacing", 0.25).in_range(0.001, 100, "m");
    std::vector<double> size = {4000, 4000};
    if (const TomlNode node = table_.find("size")) size = node.numbers(2, "m");
    read_cache();
    int nodes[2];
    for (int i = 0; i < 2; ++i) {
      const double n = std::floor(size[i] / spacing) + 1;
      if (!(n >= 3 && n < (1 << 28))) {
        table_.find("size").error(concat("must be between 2 and ", 1 << 28, " spacings of ",
                                         spacing, " m, got ", size[i]));
        return;
      }
      nodes[i] = static_cast<int>(n);
    }
    const auto [x, y] = read_origin(-0.5 * size[0], -0.5 * size[1]);
    terrain_.base = TiledMap(ProceduralGround(spec, spacing), nodes[0], nodes[1], spacing, x, y);
  }

  double read_roughness() {
    const TomlNode node = table_.find("roughness");
    if (!node) return 0.0;
    if (!node.is_text()) return node.in_range(0, 10, "m^3");
    const std::string name = node.choice({"A", "B", "C", "D", "E", "F", "G", "H"});
    return name.size() == 1 ? iso8608_density(name[0]) : 0.0;
  }

  // --- Soils ---

  /// [terrain.soils.NAME]: a soil of the library with some values changed, or one of its own.
  void read_own_soils() {
    const TomlNode list = table_.find("soils");
    if (!list) return;
    for (const TomlNode& node : list.entries()) {
      Soil soil;
      if (const TomlNode base = node.find("base")) soil = named_soil(base).value_or(soil);
      soil.name = node.key();
      if (const TomlNode law = node.find("law")) {
        const std::string name = law.choice({"bekker", "reece", "preston_thomas"});
        soil.law = name == "reece"            ? PressureLaw::kReece
                   : name == "preston_thomas" ? PressureLaw::kPrestonThomas
                                              : PressureLaw::kBekker;
      }
      read_number(node, "n", "", &soil.n);
      read_number(node, "k_c", "N/m^(n+1)", &soil.k_c);
      read_number(node, "k_phi", "N/m^(n+2)", &soil.k_phi);
      read_number(node, "p_1", "Pa", &soil.p_1);
      read_number(node, "z_w", "m", &soil.z_w);
      read_number(node, "cohesion", "Pa", &soil.cohesion);
      if (const TomlNode phi = node.find("friction_angle_deg")) {
        soil.friction_angle = read_degrees(phi, 0, 59);
      }
      read_number(node, "shear_modulus", "m", &soil.shear_modulus);
      read_number(node, "unit_weight", "N/m^3", &soil.unit_weight);
      read_number(node, "elastic_stiffness", "Pa/m", &soil.elastic_stiffness);
      read_number(node, "damping", "Pa s/m", &soil.damping);
      soil.has_bearing_limit = node.get("bearing_limit", soil.has_bearing_limit).boolean();
      try {
        check_soil(soil);
        own_.push_back(soil);
      } catch (const std::invalid_argument& error) {
        node.error(error.what());
      }
    }
  }

  static void read_number(const TomlNode& node, std::string_view key, std::string_view unit,
                          double* value) {
    if (const TomlNode found = node.find(key)) *value = found.number(unit);
  }

  /// A soil of this file, of the library, or "rigid".
  std::optional<Soil> named_soil(const TomlNode& node) {
    const std::string name = node.text();
    if (name == "rigid") return make_rigid_ground();
    std::vector<std::string> names = {"rigid"};
    for (const Soil& soil : own_) {
      if (soil.name == name) return soil;
      names.push_back(soil.name);
    }
    for (const Soil& soil : soil_library()) {
      if (soil.name == name) return soil;
      names.push_back(soil.name);
    }
    if (!name.empty()) node.error(concat("no soil \"", name, "\"", did_you_mean(name, names)));
    return {};
  }

  /// Its number in the terrain's list, which contains each soil once.
  int soil_number(const TomlNode& node) {
    const std::optional<Soil> soil = named_soil(node);
    if (!soil) return 0;
    for (std::size_t i = 0; i < terrain_.soils.size(); ++i) {
      if (terrain_.soils[i].name == soil->name) return static_cast<int>(i);
    }
    if (terrain_.soils.size() >= 16) node.error("more than 16 soils in one terrain");
    terrain_.soils.push_back(*soil);
    return static_cast<int>(terrain_.soils.size()) - 1;
  }

  void read_soil_map() {
    const TomlNode node = table_.find("soil");
    if (!node) return;
    terrain_.soils.clear();
    if (node.is_text()) {  // one soil everywhere
      soil_number(node);
      if (terrain_.soils.empty()) terrain_.soils.push_back(make_rigid_ground());
      return;
    }
    RegionMap<int> map(soil_number(everywhere(node, std::string("rigid"))));
    read_regions(
        node, [&](const TomlNode& region) { return soil_number(region.at("soil")); }, &map);
    read_grid(
        node,
        [&](const TomlNode& list) {
          std::vector<int> numbers;
          for (const TomlNode& name : list.elements()) numbers.push_back(soil_number(name));
          return numbers;
        },
        &map);
    if (terrain_.soils.empty()) terrain_.soils.push_back(make_rigid_ground());
    terrain_.soil_map = map;
  }

  // --- Friction ---

  void read_friction() {
    const TomlNode node = table_.find("friction");
    if (!node) return;
    if (!node.is_table()) {
      terrain_.friction = RegionMap<double>(node.in_range(0, 10, ""));
      return;
    }
    RegionMap<double> map(everywhere(node, 1.0).in_range(0, 10, ""));
    read_regions(
        node, [](const TomlNode& region) { return region.at("value").in_range(0, 10, ""); }, &map);
    read_grid(
        node,
        [](const TomlNode& list) {
          std::vector<double> values;
          for (const TomlNode& value : list.elements()) values.push_back(value.in_range(0, 10, ""));
          return values;
        },
        &map);
    terrain_.friction = map;
  }

  /// Optional if there is a picture.
  static TomlNode everywhere(const TomlNode& node, const TomlDefault& fallback) {
    return node.find("file") ? node.get("everywhere", fallback) : node.at("everywhere");
  }

  template <class V, class Value>
  void read_regions(const TomlNode& node, const Value& value, RegionMap<V>* map) {
    const TomlNode list = node.find("region");
    if (!list) return;
    for (const TomlNode& region : list.tables()) {
      typename RegionMap<V>::Polygon polygon;
      polygon.value = value(region);
      for (const TomlNode& corner : region.at("polygon").elements()) {
        const std::vector<double> xy = corner.numbers(2, "m");
        polygon.corners.emplace_back(xy[0], xy[1]);
      }
      if (polygon.corners.size() < 3) {
        region.at("polygon").error(
            concat("needs at least 3 corners, got ", polygon.corners.size()));
        continue;
      }
      map->add(polygon);
    }
  }

  /// file = "soil.png": the gray value of a pixel (0, 1, 2, ...) is a number in `values`.
  template <class V, class Values>
  void read_grid(const TomlNode& node, const Values& read_values, RegionMap<V>* map) {
    const TomlNode file = node.find("file");
    if (!file) return;
    typename RegionMap<V>::Grid grid;
    grid.spacing = node.at("spacing").positive("m");
    const std::vector<double> origin = node.at("origin").numbers(2, "m");
    grid.origin_x = origin[0], grid.origin_y = origin[1];
    grid.values = read_values(node.at("values"));
    try {
      const std::string path = (std::filesystem::path(folder_) / file.text()).string();
      require_regular_file(path);
      const GrayImage image = load_png(path);
      grid.nx = image.width, grid.ny = image.height;
      for (int j = image.height - 1; j >= 0; --j) {
        for (int i = 0; i < image.width; ++i) {
          const unsigned pixel = image.pixels[static_cast<std::size_t>(j) * image.width + i] / 257U;
          if (pixel >= grid.values.size()) {
            file.error(concat("pixel (", i + 1, ", ", j + 1, ") has the value ", pixel,
                              ", but `values` has only ", grid.values.size()));
            return;
          }
          grid.cells.push_back(static_cast<std::uint8_t>(pixel));
        }
      }
      map->set_grid(std::move(grid));
    } catch (const FileError& error) {
      file.error(error.what());
    }
  }

  // --- Obstacles ---

  void read_obstacles() {
    const TomlNode list = table_.find("obstacle");
    if (!list) return;
    for (const TomlNode& node : list.tables()) {
      terrain_.obstacles.push_back(
          {node.at("x").in_range(-kFar, kFar, "m"), node.at("y").in_range(-kFar, kFar, "m"),
           node.at("radius").positive("m"), node.at("height").positive("m")});
    }
  }

  TomlNode table_;
  std::string folder_;
  std::vector<Soil> own_;
  Terrain terrain_;
};

}  // namespace

std::vector<Bump> read_bumps(const TomlNode& list) {
  std::vector<Bump> bumps;
  for (const TomlNode& node : list.tables()) {
    const Bump bump = read_bump(node);
    try {
      check_bump(bump);
      bumps.push_back(bump);
    } catch (const std::invalid_argument& error) {
      node.error(error.what());
    }
  }
  if (bumps.size() > 1000) list.error("more than 1000 bumps; make a map of them");
  return bumps;
}

Terrain read_terrain(const TomlNode& table, const std::string& folder) {
  return Reader(table, folder).read();
}

Terrain read_terrain_file(TomlFile file, const std::string& path) {
  const TomlNode root = file.root();
  root.at("kind").choice({"terrain"});
  const std::string name = root.at("name").text();
  root.get("about", std::string()).text();
  Terrain terrain =
      read_terrain(root.at("terrain"), std::filesystem::path(path).parent_path().string());
  terrain.name = name;
  file.finish();
  return terrain;
}

Terrain load_terrain(const std::string& path, const Overrides& overrides, std::string_view part) {
  return read_terrain_file(load_toml(path, overrides, part), path);
}

}  // namespace camber::terrain
