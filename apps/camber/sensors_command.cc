#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/commands.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"
#include "camber/record/log_reader.h"
#include "camber/sensors/animated_png.h"
#include "camber/sensors/ground_map.h"
#include "camber/sensors/layer_picture.h"
#include "camber/sensors/scan_file.h"
#include "camber/terrain/raster_file.h"

namespace camber::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kGroup = "sensors/";

struct SensorsOptions {
  std::string folder, sensor, output;
  bool csv = false, picture = false, animation = false, elevation = false, json = false;
  double time = -1;       // [s]; negative: the first scan
  double reach = 60;      // [m]
  double spacing = 0.25;  // [m]
  double max_step = 0.4;  // [m]
  int pixels = 800;
  double fps = 0;  // of an animation; 0: as it was taken [1/s]
  sensors::Layer layer = sensors::Layer::kColor;
};

/// Scans of a sensor, by name.
std::vector<fs::path> list_scans(const SensorsOptions& options, const std::string& name,
                                 std::string_view ending) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(fs::path(options.folder) / "sensors" / name, error)) {
    if (entry.path().extension() == ending) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

struct Summary {
  std::string name;
  std::size_t samples = 0, files = 0;
  double rate = 0, delay = 0;  // [Hz], [s]
  std::vector<std::string> channels = {};
};

std::vector<Summary> summarize(const SensorsOptions& options, const record::LogReader& log) {
  std::vector<Summary> list;
  for (const record::Series& series : log.series()) {
    if (!series.group.starts_with(kGroup)) continue;
    Summary one{.name = series.group.substr(kGroup.size()), .samples = series.chunk_samples};
    for (const record::Channel& channel : series.channels)
      if (channel.name != "available") one.channels.push_back(channel.name);
    const std::vector<double> time = log.read_series(series.group, "time"),
                              available = log.read_series(series.group, "available");
    if (time.size() > 1)
      one.rate = static_cast<double>(time.size() - 1) / (time.back() - time.front());
    for (std::size_t i = 0; i < time.size(); ++i)
      one.delay += (available[i] - time[i]) / static_cast<double>(time.size());
    for (const char* ending : {".pcd", ".las", ".png"})
      one.files += list_scans(options, one.name, ending).size();
    list.push_back(std::move(one));
  }
  return list;
}

ExitCode print_list(const SensorsOptions& options, const std::vector<Summary>& list) {
  if (options.json) {
    Json json = Json::array();
    for (const Summary& one : list)
      json.push_back({{"name", one.name},
                      {"samples", one.samples},
                      {"rate", one.rate},
                      {"mean_delay", one.delay},
                      {"files", one.files},
                      {"channels", one.channels}});
    std::cout << json.dump(2) << '\n';
    return kOk;
  }
  if (list.empty()) std::cout << options.folder << ": the run has no sensors\n";
  std::size_t width = 0;
  for (const Summary& one : list) width = std::max(width, one.name.size());
  for (const Summary& one : list) {
    std::string channels;
    for (const std::string& name : one.channels) channels += (channels.empty() ? "" : ", ") + name;
    std::cout << "  " << padded(one.name, static_cast<int>(width) + 2)
              << count_text(static_cast<std::int64_t>(one.samples), "sample") << ", "
              << short_text(one.rate, 4) << " Hz, available after " << short_text(one.delay, 3)
              << " s";
    if (one.files > 0)
      std::cout << ", " << count_text(static_cast<std::int64_t>(one.files), "file");
    std::cout << ": " << channels << '\n';
  }
  return kOk;
}

ExitCode print_csv(const SensorsOptions& options, const record::LogReader& log,
                   const std::string& group) {
  const record::Series& series = *log.find_series(group);
  std::string text = "time";
  std::vector<std::vector<double>> columns = {log.read_series(group, "time")};
  std::vector<std::size_t> widths = {1};
  for (const record::Channel& channel : series.channels) {
    for (std::size_t k = 0; k < channel.entries(); ++k)
      text += "," + channel.name + (channel.names.empty() ? "" : "_" + channel.names[k]);
    columns.push_back(log.read_series(group, channel.name));
    widths.push_back(channel.entries());
  }
  text += "\n";
  for (std::size_t i = 0; i < series.chunk_samples; ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t k = 0; k < widths[c]; ++k)
        text += concat(c + k == 0 ? "" : ",", columns[c][i * widths[c] + k]);
    text += "\n";
  }
  if (options.output.empty())
    std::cout << text;
  else
    write_file_atomically(options.output, text);
  return kOk;
}

/// A scan or a picture that the run has.
struct Frame {
  fs::path file;
  double time = 0;  // [s]
};

/// Scans of a LIDAR, or pictures of a camera, in the order of time.
std::vector<Frame> list_frames(const SensorsOptions& options, const record::LogReader& log,
                               const std::string& group) {
  std::vector<fs::path> files;
  for (const char* ending : {".pcd", ".las", ".png"})
    if (files.empty()) files = list_scans(options, options.sensor, ending);
  const std::vector<double> time = log.read_series(group, "time");
  std::vector<Frame> frames;
  for (const fs::path& file : files) {
    const std::string stem = file.stem().string();  // "000050"; other layers are "000050-depth"
    if (stem.empty() || !std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; }))
      continue;
    const std::size_t number = stem.size() < 10 ? std::stoul(stem) : time.size();
    if (number < time.size()) frames.push_back({file, time[number]});
  }
  require(!frames.empty(), options.sensor,
          ": the run has no scans or pictures of it; expected files = \"pcd\" in its [[sensor]] "
          "table");
  return frames;
}

bool is_camera(const Frame& frame) { return frame.file.extension() == ".png"; }

std::string draw_frame(const SensorsOptions& options, const Frame& frame,
                       std::optional<std::array<double, 2>>* heights) {
  if (is_camera(frame)) {
    fs::path stem = frame.file;
    return sensors::draw_layer(stem.replace_extension().string(), options.layer);
  }
  const auto points = sensors::load_scan(frame.file.string());
  if (!*heights) *heights = sensors::find_height_range(points);
  const auto picture = sensors::draw_scan(points, options.reach, options.pixels, **heights);
  return terrain::encode_png(picture.width, picture.height, 3, picture.rgb);
}

ExitCode write_picture(const SensorsOptions& options, const record::LogReader& log,
                       const std::string& group) {
  const std::vector<Frame> frames = list_frames(options, log, group);
  const Frame frame = options.time < 0 ? frames.front()
                                       : *std::ranges::min_element(frames, {}, [&](const Frame& f) {
                                           return std::abs(f.time - options.time);
                                         });
  std::optional<std::array<double, 2>> heights;
  const std::string text = draw_frame(options, frame, &heights);
  const std::string path = options.output.empty()
                               ? options.sensor + "-" + frame.file.stem().string() + ".png"
                               : options.output;
  write_file_atomically(path, text);
  std::cout << frame.file.string() << ": t = " << short_text(frame.time, 4) << " s";
  if (!is_camera(frame))
    std::cout << ", " << sensors::load_scan(frame.file.string()).size() << " points";
  std::cout << '\n';
  std::cerr << "picture: " << path << '\n';
  return kOk;
}

/// All scans or pictures one after the other, as fast as they were taken or as asked for. Colors are
/// those of the first scan's heights.
ExitCode write_animation(const SensorsOptions& options, const record::LogReader& log,
                         const std::string& group) {
  const std::vector<Frame> frames = list_frames(options, log, group);
  std::optional<std::array<double, 2>> heights;
  std::vector<std::string> pictures;
  for (const Frame& frame : frames) pictures.push_back(draw_frame(options, frame, &heights));
  const double span = frames.back().time - frames.front().time;
  double seconds = frames.size() > 1 ? span / static_cast<double>(frames.size() - 1) : 1;
  if (options.fps > 0) seconds = 1 / options.fps;
  const std::string path =
      options.output.empty() ? options.sensor + "-animation.png" : options.output;
  write_file_atomically(path, sensors::join_png(pictures, std::clamp(seconds, 1e-3, 60.0)));
  std::cout << count_text(static_cast<std::int64_t>(frames.size()), "picture")
            << " from t = " << short_text(frames.front().time, 4) << " to "
            << short_text(frames.back().time, 4) << " s\n";
  std::cerr << "animation: " << path << '\n';
  return kOk;
}

/// Places on the ground below the sensor, where its vehicle drove.
std::vector<math::Vec3<double>> list_seeds(const record::LogReader& log, const std::string& group,
                                           std::span<const sensors::ScanPoint> points) {
  const std::vector<double> poses = log.read_series(group, "pose");
  constexpr std::size_t kPose = 12;  // numbers of a pose
  constexpr double kReach = 8;       // the nearest ground that a LIDAR on a roof sees [m]
  std::vector<math::Vec3<double>> seeds;
  const std::size_t count = poses.size() / kPose, step = 1 + count / 100;
  for (std::size_t i = 0; i < count; i += step) {
    const double x = poses[kPose * i], y = poses[kPose * i + 1], z = poses[kPose * i + 2];
    double lowest = z;
    for (const sensors::ScanPoint& p : points)
      if (std::hypot(p.position[0] - x, p.position[1] - y) < kReach)
        lowest = std::min(lowest, p.position[2]);
    if (lowest < z) seeds.emplace_back(x, y, lowest);
  }
  return seeds;
}

ExitCode write_elevation(const SensorsOptions& options, const record::LogReader& log,
                         const std::string& group) {
  const std::vector<fs::path> files = list_scans(options, options.sensor, ".las");
  require(
      !files.empty(), options.sensor,
      ": the run has no scans in the world's frame; expected files = \"las\" or \"both\" in its "
      "[[sensor]] table");
  std::vector<sensors::ScanPoint> points;
  for (const fs::path& file : files) {
    const auto more = sensors::load_scan(file.string());
    points.insert(points.end(), more.begin(), more.end());
  }
  sensors::GroundMapOptions how;
  how.spacing = options.spacing;
  how.max_step = options.max_step;
  how.seeds = list_seeds(log, group, points);
  const terrain::HeightGrid grid = sensors::make_ground_map(points, how);
  const std::string path = options.output.empty() ? options.sensor + ".asc" : options.output;
  sensors::write_esri_grid(path, grid);
  std::cout << count_text(static_cast<std::int64_t>(files.size()), "scan") << ", " << points.size()
            << " points: " << grid.nx << " x " << grid.ny << " nodes every " << grid.spacing
            << " m from x = " << short_text(grid.origin_x)
            << " m, y = " << short_text(grid.origin_y) << " m\n";
  std::cerr << "map: " << path << '\n';
  return kOk;
}

ExitCode run_sensors(const SensorsOptions& options) {
  int actions = 0;
  for (const bool is_asked : {options.csv, options.picture, options.animation, options.elevation})
    actions += is_asked ? 1 : 0;
  require(actions <= 1, "expected one of --csv, --picture, --animation and --elevation");
  require(actions == 0 || !options.sensor.empty(), "expected the name of a sensor after the run");
  std::unique_ptr<record::LogReader> log;
  try {
    log = std::make_unique<record::LogReader>(options.folder + "/log.h5");
  } catch (const FileError& error) {
    throw std::invalid_argument(error.what());
  }
  std::vector<Summary> list = summarize(options, *log);
  if (!options.sensor.empty()) {
    std::vector<std::string> names;
    for (const Summary& one : list) names.push_back(one.name);
    require(std::ranges::find(names, options.sensor) != names.end(), "the run has no sensor \"",
            options.sensor, "\"", did_you_mean(options.sensor, names));
    std::erase_if(list, [&](const Summary& one) { return one.name != options.sensor; });
  }
  const std::string group = std::string(kGroup) + options.sensor;
  if (options.csv) return print_csv(options, *log, group);
  try {
    if (options.picture) return write_picture(options, *log, group);
    if (options.animation) return write_animation(options, *log, group);
  } catch (const FileError& error) {  // a layer that the camera does not have
    throw std::invalid_argument(error.what());
  }
  if (options.elevation) return write_elevation(options, *log, group);
  return print_list(options, list);
}

}  // namespace

void add_sensors_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<SensorsOptions>();
  CLI::App* command = app->add_subcommand(
      "sensors", "What the sensors of a run measured: lists, tables, pictures, maps");
  command->add_option("RUN", options->folder, "Folder of the run")->required();
  command->add_option("SENSOR", options->sensor, "Name of a sensor; all if not given");
  command->add_flag("--csv", options->csv, "Print its samples as CSV");
  command->add_flag("--picture", options->picture,
                    "Draw a scan from above, or a picture of a camera, as PNG");
  command->add_flag("--animation", options->animation,
                    "Make an animated PNG of all scans or pictures");
  command->add_option("--fps", options->fps, "Pictures per second; as they were taken if not given")
      ->check(CLI::Range(0.02, 1000.0));
  std::map<std::string, sensors::Layer> layers;
  for (std::size_t k = 0; k < std::size(sensors::kLayerWords); ++k)
    layers.emplace(sensors::kLayerWords[k], static_cast<sensors::Layer>(k));
  command
      ->add_option("--layer", options->layer,
                   "Of a camera: color, right, depth, class, instance or flow")
      ->transform(CLI::CheckedTransformer(layers));
  command->add_option("--time", options->time,
                      "Time of the scan or picture to draw [s]; the first if not given");
  command->add_option("--reach", options->reach, "From the middle of the picture to its sides [m]")
      ->check(CLI::Range(0.1, 1e5));
  command->add_option("--pixels", options->pixels, "Side of the picture")
      ->check(CLI::Range(1, 20000));
  command->add_flag("--elevation", options->elevation,
                    "Make an elevation map (ESRI grid) of the ground in all scans");
  command->add_option("--spacing", options->spacing, "Of the map's nodes [m]")
      ->check(CLI::Range(1e-3, 1e3));
  command
      ->add_option("--max-step", options->max_step,
                   "Ground of the map rises at most this from node to node, beside its slope [m]")
      ->check(CLI::Range(1e-3, 10.0));
  command->add_option("-o,--output", options->output, "File to write");
  command->add_flag("--json", options->json, "Print as JSON");
  command->footer(
      "Examples:\n"
      "  camber sensors runs/posts-with-sensors-001\n"
      "  camber sensors runs/posts-with-sensors-001 imu --csv > imu.csv\n"
      "  camber sensors runs/posts-with-sensors-001 lidar --picture --time 5 -o scan.png\n"
      "  camber sensors runs/posts-with-sensors-001 lidar --animation -o scans.png\n"
      "  camber sensors runs/posts-with-sensors-001 lidar --elevation -o seen.asc");
  command->callback([=] { *chosen = [=] { return run_sensors(*options); }; });
}

}  // namespace camber::app
