// The readers of files, one target each, and the table of all targets.

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "camber/autonomy/path_file.h"
#include "camber/city/city_file.h"
#include "camber/city/cityjson_file.h"
#include "camber/city/opendrive_file.h"
#include "camber/city/osm_file.h"
#include "camber/core/file.h"
#include "camber/core/temporary_folder.h"
#include "camber/dynamics/equipment_file.h"
#include "camber/lagrange/model_file.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/urdf_file.h"
#include "camber/planning/plan_file.h"
#include "camber/record/log_writer.h"
#include "camber/report/folder_report.h"
#include "camber/report/load_run.h"
#include "camber/rolling_wheel/wheel_file.h"
#include "camber/run/checkpoint.h"
#include "camber/scenario/scenario_file.h"
#include "camber/scene/mesh_file.h"
#include "camber/scene/render.h"
#include "camber/scene/scene_file.h"
#include "camber/sensors/scan_file.h"
#include "camber/sensors/sensor_file.h"
#include "camber/terrain/crg_road.h"
#include "camber/terrain/raster_file.h"
#include "camber/terrain/terrain.h"
#include "camber/terrain/terrain_file.h"
#include "camber/tire/magic_formula.h"
#include "camber/tire/tir_file.h"
#include "camber/tire/tire_file.h"
#include "camber/vehicle/problems.h"
#include "camber/vehicle/vehicle_file.h"
#include "tests/fuzz/targets.h"

namespace camber::fuzz {
namespace {

namespace fs = std::filesystem;

/// A file for readers that take a path. It is overwritten by the next one of the same name.
std::string write_temporary(const std::string& name, std::string_view bytes) {
  static const TemporaryFolder kFolder;
  const std::string path = (kFolder.path() / name).string();
  fs::create_directories(fs::path(path).parent_path());
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    std::abort();
  std::fclose(file);
  return path;
}

/// The first byte chooses among `count` readers that share a target.
std::size_t choose(std::string_view bytes, std::size_t count) {
  return bytes.empty() ? count : static_cast<unsigned char>(bytes[0]) % count;
}

void check(bool holds) {
  if (!holds) std::abort();
}

// --- Models ---

void read_lagrangian(std::string_view bytes) {
  lagrange::parse_lagrangian(std::string(bytes), "fuzz.toml");
}

void read_mechanism(std::string_view bytes) {
  multibody::parse_mechanism(std::string(bytes), "fuzz.toml");
}

void read_urdf(std::string_view bytes) {
  multibody::MechanismPlaces places;
  multibody::UrdfNotes notes;
  multibody::parse_urdf(std::string(bytes), "fuzz.urdf", {}, &places, &notes);
}

void read_vehicle(std::string_view bytes) {
  vehicle::find_unlikely(vehicle::parse_vehicle(std::string(bytes), "models/fuzz.toml"));
}

void read_equipment(std::string_view bytes) {
  dynamics::read_equipment(parse_toml(std::string(bytes), "models/equipment/fuzz.toml"));
}

void read_tire(std::string_view bytes) {
  const std::string path = "models/tires/fuzz.toml";
  tire::read_tire_file(parse_toml(std::string(bytes), path), path);
}

/// A tire that could be read has finite forces at its nominal load.
void read_tir(std::string_view bytes) {
  const tire::MagicFormulaTire tire = tire::parse_tir(bytes, "fuzz.tir").tire;
  const tire::Slip<double> slip{.kappa = 0.01, .tan_alpha = 0.01, .Fz = tire.FNOMIN};
  const tire::TireForce<double> force = tire::calc_steady_force(tire, slip);
  check(std::isfinite(force.Fx) && std::isfinite(force.Fy));
}

void read_rolling_wheel(std::string_view bytes) {
  rolling_wheel::read_wheel_scenario(parse_toml(std::string(bytes), "scenarios/fuzz.toml"));
}

// --- Surroundings ---

void sample(const terrain::Terrain& ground) {
  terrain::TerrainCache cache = ground.make_cache();
  for (const double at : {0.0, -3.7, 1e7}) ground.sample(at, 2 * at, &cache);
}

void read_terrain(std::string_view bytes) {
  const std::string path = "terrains/fuzz.toml";
  sample(terrain::read_terrain_file(parse_toml(std::string(bytes), path), path));
}

/// A road that could be read has a finite height where the vehicle starts, or none.
void read_crg(std::string_view bytes) {
  const terrain::CrgData data = terrain::parse_crg(std::string(bytes), "fuzz.crg");
  const double x = data.x, y = data.y;
  try {
    const terrain::CrgRoad road(data);
    road.sample(x, y);
    road.sample(x + 10, y - 1e6);
  } catch (const std::invalid_argument&) {  // data that contradict each other
  }
}

void read_esri_grid(std::string_view bytes) { terrain::parse_esri_grid(bytes, "fuzz.asc"); }

void read_png(std::string_view bytes) {
  const terrain::GrayImage image = terrain::load_png(write_temporary("fuzz.png", bytes));
  check(image.pixels.size() == static_cast<std::size_t>(image.width) * image.height);
}

void read_city(std::string_view bytes) { city::load_city(write_temporary("city.toml", bytes)); }

void read_city_map(std::string_view bytes) {
  switch (choose(bytes, 3)) {
    case 0:
      city::parse_osm(bytes.substr(1), "fuzz");
      break;
    case 1:
      city::parse_opendrive(bytes.substr(1), "fuzz");
      break;
    case 2:
      city::parse_cityjson(bytes.substr(1), "fuzz");
      break;
  }
}

void read_mesh(std::string_view bytes) {
  scene::MeshOptions options;
  options.max_vertices = options.max_triangles = 10000;
  switch (choose(bytes, 4)) {
    case 0:
      scene::parse_obj(bytes.substr(1), "fuzz", options);
      break;
    case 1:
      scene::parse_stl(bytes.substr(1), "fuzz", options);
      break;
    case 2:
      scene::parse_ply(bytes.substr(1), "fuzz", options);
      break;
    case 3:
      scene::parse_gltf(bytes.substr(1), "fuzz", "", options);
      break;
  }
}

/// What could be read can be looked at.
void read_scene(std::string_view bytes) {
  const scene::SceneFile file = scene::parse_scene(std::string(bytes), "no-such-folder/fuzz.toml");
  scene::View view = file.view;
  view.width = view.height = 4;
  scene::draw_scene(file.scene, file.light, view);
}

void read_sensor(std::string_view bytes) {
  TomlFile file = parse_toml(std::string(bytes), "no-such-folder/fuzz.toml");
  sensors::read_sensor(file.root(), "no-such-folder");
  file.finish();
}

/// What could be read can be drawn.
void read_scan(std::string_view bytes) {
  const std::size_t kind = choose(bytes, 2);
  if (kind == 2) return;
  const std::string file(bytes.substr(1));
  const auto points =
      kind == 0 ? sensors::parse_pcd(file, "fuzz.pcd") : sensors::parse_las(file, "fuzz.las");
  sensors::draw_scan(points, 20, 16, sensors::find_height_range(points));
}

// --- Tasks ---

void read_scenario(std::string_view bytes) {
  scenario::parse_scenario(std::string(bytes), "scenarios/fuzz.toml");
}

void read_plan(std::string_view bytes) {
  TomlFile file = parse_toml(std::string(bytes), "plans/fuzz.toml");
  planning::read_plan(&file);
}

void read_path_points(std::string_view bytes) {
  for (const auto& [x, y] : autonomy::load_path_points(write_temporary("path.csv", bytes)))
    check(std::isfinite(x) && std::isfinite(y));
}

// --- What camber writes, and what became of it ---

/// A run's folder can be compared and reported, or std::invalid_argument says why not.
void read_run(const std::string& folder) {
  try {
    report::load_run(folder);
  } catch (const std::invalid_argument&) {
  }
  try {
    report::make_folder_report(folder);
  } catch (const std::invalid_argument&) {
  }
}

void read_log(std::string_view bytes) {
  const fs::path log = write_temporary("log/log.h5", bytes);
  read_run(log.parent_path().string());
}

/// A summary beside a log that is as it was written.
void read_summary(std::string_view bytes) {
  const fs::path folder = fs::path(write_temporary("run/summary.json", bytes)).parent_path();
  static const bool kWritten = [&] {
    record::LogWriter log((folder / "log.h5").string(),
                          {.channels = {{.name = "load", .shape = {2}, .units = {"N"}}}});
    const std::array<double, 2> loads = {1, 2};
    log.append(0, {loads});
    log.append(1, {loads});
    log.close();
    return true;
  }();
  check(kWritten);
  read_run(folder.string());
}

void read_checkpoint(std::string_view bytes) {
  const run::RunSource source{.model_file = "a.toml", .model_text = "text", .program = "camber"};
  run::read_checkpoint(write_temporary("checkpoint.json", bytes), source, {});
}

constexpr std::array kTargets = {
    Target{"address", Format::kBytes, read_address},
    Target{"checkpoint", Format::kText, read_checkpoint},
    Target{"city", Format::kToml, read_city},
    Target{"city_map", Format::kText, read_city_map},
    Target{"crg", Format::kText, read_crg},
    Target{"equipment", Format::kToml, read_equipment},
    Target{"esri_grid", Format::kText, read_esri_grid},
    Target{"expression", Format::kBytes, read_expression},
    Target{"frame", Format::kBytes, read_frame},
    Target{"journal", Format::kText, read_journal},
    Target{"lagrangian", Format::kToml, read_lagrangian},
    Target{"log", Format::kBytes, read_log},
    Target{"mechanism", Format::kToml, read_mechanism},
    Target{"mesh", Format::kText, read_mesh},
    Target{"moving_ai", Format::kText, read_moving_ai},
    Target{"overrides", Format::kBytes, read_overrides},
    Target{"path_points", Format::kText, read_path_points},
    Target{"plan", Format::kToml, read_plan},
    Target{"png", Format::kPng, read_png},
    Target{"request", Format::kBytes, read_request},
    Target{"rolling_wheel", Format::kToml, read_rolling_wheel},
    Target{"scan", Format::kBytes, read_scan},
    Target{"scenario", Format::kToml, read_scenario},
    Target{"scene", Format::kToml, read_scene},
    Target{"sensor", Format::kToml, read_sensor},
    Target{"study", Format::kToml, read_study},
    Target{"summary", Format::kText, read_summary},
    Target{"terrain", Format::kToml, read_terrain},
    Target{"tir", Format::kText, read_tir},
    Target{"tire", Format::kToml, read_tire},
    Target{"toml", Format::kBytes, read_toml},
    Target{"urdf", Format::kText, read_urdf},
    Target{"vehicle", Format::kToml, read_vehicle},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace camber::fuzz
