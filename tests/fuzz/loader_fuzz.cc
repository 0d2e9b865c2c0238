// All loaders of files, one of which --loader=NAME chooses: any bytes are either what the loader is
// for or give its own kind of error; nothing crashes, hangs or reads outside its memory. TOML is
// changed by the readers' own keys (toml_mutator.h).

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <sys/mman.h>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/temporary_folder.h"
#include "camber/core/toml_reader.h"
#include "camber/driveline/driveline_file.h"
#include "camber/dynamics/equipment_file.h"
#include "camber/lagrange/model_file.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/urdf_file.h"
#include "camber/planning/plan_file.h"
#include "camber/record/log_reader.h"
#include "camber/record/log_writer.h"
#include "camber/report/load_run.h"
#include "camber/rolling_wheel/wheel_file.h"
#include "camber/run/checkpoint.h"
#include "camber/scenario/scenario_file.h"
#include "camber/terrain/crg_road.h"
#include "camber/terrain/raster_file.h"
#include "camber/terrain/terrain_file.h"
#include "camber/tire/magic_formula.h"
#include "camber/tire/tir_file.h"
#include "camber/tire/tire_file.h"
#include "camber/vehicle/vehicle_file.h"
#include "tests/fuzz/toml_mutator.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace camber::fuzz {
namespace {

const std::string kFile = "no-such-folder/fuzz.toml";

/// A file in memory that holds the input, for loaders that take a path.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("fuzz", 0)) {
    if (descriptor_ < 0) std::abort();
  }
  std::string hold(const std::string& bytes) {
    if (::ftruncate(descriptor_, 0) != 0 ||
        ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      std::abort();
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_;
};

std::string hold(const std::string& bytes) {
  static MemoryFile file;
  return file.hold(bytes);
}

// --- Loaders ---

void load_equipment_text(const std::string& text) {
  static const std::vector<driveline::AxleWheels> axles = {{"front", 0, 1}, {"rear", 2, 3}};
  dynamics::read_equipment(parse_toml(text, kFile), axles);
}

void load_terrain_text(const std::string& text) {
  const terrain::Terrain ground = terrain::read_terrain_file(parse_toml(text, kFile), kFile);
  terrain::TerrainCache cache = ground.make_cache();
  ground.sample(1.5, -2.5, &cache);
}

void load_road(const std::string& text) {
  try {
    terrain::CrgRoad(terrain::parse_crg(text, kFile)).sample(1.5, -2.5);
  } catch (const std::invalid_argument&) {  // terrain files report it
  }
}

void load_grid(const std::string& text) { terrain::parse_esri_grid(text, kFile); }
void load_png(const std::string& text) { terrain::load_png(hold(text)); }

void load_log(const std::string& text) {
  const record::LogReader log(hold(text));
  try {
    for (const record::Channel& channel : log.channels()) log.read(channel.name);
  } catch (const std::invalid_argument&) {
  }
}

/// summary.json of a folder with a small log.
void load_summary(const std::string& text) {
  static const TemporaryFolder folder;
  static const bool has_log = [] {
    const record::LogLayout layout{.channels = {{.name = "x", .units = {"m"}}}};
    record::LogWriter log((folder.path() / "log.h5").string(), layout);
    const double x = 1.5;
    log.append(0, {std::span(&x, 1)});
    log.close();
    return true;
  }();
  std::ofstream(folder.path() / "summary.json", std::ios::binary) << text;
  if (!has_log) return;
  try {
    report::load_run(folder.path().string());
  } catch (const std::invalid_argument&) {
  }
}

void load_checkpoint(const std::string& text) {
  run::read_checkpoint(hold(text), {.model_file = "s.toml", .model_text = "t", .program = "p"}, {});
}

void load_robot(const std::string& text) {
  multibody::UrdfNotes notes;
  multibody::parse_urdf(text, kFile, {}, nullptr, &notes);
}

void load_plan_text(const std::string& text) {
  TomlFile file = parse_toml(text, kFile);
  planning::read_plan(&file);
}

/// Key by key with some of a .tir file's own.
std::string mutate_tir(const std::string& text, unsigned seed) {
  std::string changed = mutate_toml(text, seed);
  if (seed % 3 != 0) return changed;
  const auto keys = tire::magic_formula_keys();
  const auto& key = keys[seed / 3 % keys.size()];
  return changed + std::string(key.name) + " = " + (seed % 2 == 0 ? "-1e300" : "0") + "\n";
}

struct Loader {
  void (*load)(const std::string& text);
  std::string (*mutate)(const std::string& text, unsigned seed) = nullptr;  // nullptr: bytes
};

const std::map<std::string, Loader> kLoaders = {
    {"checkpoint", {load_checkpoint}},
    {"crg", {load_road, mutate_toml}},
    {"equipment", {load_equipment_text, mutate_toml}},
    {"grid", {load_grid}},
    {"lagrangian",
     {[](const std::string& t) { lagrange::parse_lagrangian(t, kFile); }, mutate_toml}},
    {"log", {load_log}},
    {"mechanism",
     {[](const std::string& t) { multibody::parse_mechanism(t, kFile); }, mutate_toml}},
    {"plan", {load_plan_text, mutate_toml}},
    {"png", {load_png}},
    {"summary", {load_summary}},
    {"scenario", {[](const std::string& t) { scenario::parse_scenario(t, kFile); }, mutate_toml}},
    {"terrain", {load_terrain_text, mutate_toml}},
    {"tir", {[](const std::string& t) { tire::parse_tir(t, kFile); }, mutate_tir}},
    {"tire",
     {[](const std::string& t) { tire::read_tire_file(parse_toml(t, kFile), kFile); },
      mutate_toml}},
    {"urdf", {load_robot}},
    {"vehicle", {[](const std::string& t) { vehicle::parse_vehicle(t, kFile); }, mutate_toml}},
    {"wheel",
     {[](const std::string& t) { rolling_wheel::read_wheel_scenario(parse_toml(t, kFile)); },
      mutate_toml}},
};

const Loader* chosen = nullptr;

}  // namespace
}  // namespace camber::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const std::string option = "--loader=";
  for (int i = 1; i < *argc; ++i) {
    const std::string argument = (*argv)[i];
    if (!argument.starts_with(option)) continue;
    const auto found = camber::fuzz::kLoaders.find(argument.substr(option.size()));
    if (found != camber::fuzz::kLoaders.end()) camber::fuzz::chosen = &found->second;
  }
  if (camber::fuzz::chosen != nullptr) return 0;
  std::cerr << "loader_fuzz: needs --loader=NAME, one of";
  for (const auto& loader : camber::fuzz::kLoaders) std::cerr << ' ' << loader.first;
  std::cerr << '\n';
  std::exit(2);
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  const camber::fuzz::Loader& loader = *camber::fuzz::chosen;
  if (loader.mutate == nullptr || seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text = loader.mutate(std::string(reinterpret_cast<const char*>(data), size), seed);
  if (text.size() > max_size) text.resize(max_size);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    camber::fuzz::chosen->load(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const camber::ModelFileError&) {
  } catch (const camber::FileError&) {
  }
  return 0;
}
