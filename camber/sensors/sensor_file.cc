#include "camber/sensors/sensor_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>

#include "camber/core/file.h"
#include "camber/core/file_reference.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"
#include "camber/scene/daylight.h"

namespace camber::sensors {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kHour = 3600;
constexpr double kG = 9.80665;  // [m/s^2]
constexpr double kBig = 1e9;

/// A table whose keys replace values that are there: each key may be missing.
class Keys {
 public:
  explicit Keys(const TomlNode& node) : node_(node) {}

  /// A number in [low, high], in units of the file that are `unit` of ours.
  void number(const char* key, double low, double high, const char* name, double unit,
              double* value) const {
    if (const TomlNode found = node_.find(key)) *value = found.in_range(low, high, name) * unit;
  }
  void number(const char* key, double low, double high, const char* name, double* value) const {
    number(key, low, high, name, 1, value);
  }
  void integer(const char* key, int low, int high, int* value) const {
    if (const TomlNode found = node_.find(key)) *value = static_cast<int>(found.integer(low, high));
  }
  void boolean(const char* key, bool* value) const {
    if (const TomlNode found = node_.find(key)) *value = found.boolean();
  }
  template <class Enum, std::size_t N>
  void word(const char* key, const std::string_view (&words)[N], Enum* value) const {
    const TomlNode found = node_.find(key);
    if (!found) return;
    const std::string text = found.choice(std::span<const std::string_view>(words));
    *value = static_cast<Enum>(std::find(words, words + N, text) - words);
  }
  void list(const char* key, const char* name, double unit, std::vector<double>* values) const {
    const TomlNode found = node_.find(key);
    if (!found) return;
    *values = found.numbers(name);
    for (double& value : *values) value *= unit;
  }
  void pair(const char* key, double low, double high, const char* name, double unit,
            std::array<double, 2>* values) const {
    const TomlNode found = node_.find(key);
    if (!found) return;
    const std::vector<double> two = found.numbers(2, name);
    for (int k = 0; k < 2; ++k) {
      if (!(two[k] >= low && two[k] <= high))
        found.error(concat("must be from ", low, " to ", high, " ", name, ", got ", two[k]));
      (*values)[k] = two[k] * unit;
    }
  }
  /// Two numbers that ascend.
  void range(const char* key, double low, double high, const char* name, double unit,
             std::array<double, 2>* values) const {
    pair(key, low, high, name, unit, values);
    const TomlNode found = node_.find(key);
    if (found && !((*values)[0] < (*values)[1])) found.error("must be [from, to] with from < to");
  }
  const TomlNode& node() const { return node_; }

 private:
  TomlNode node_;
};

void read_weather(const Keys& in, Weather* weather) {
  in.number("rain_mm_h", 0, 500, "mm/h", &weather->rain);
  in.number("fog_visibility", 0, 1e6, "m", &weather->visibility);
  in.number("dust_extinction", 0, 10, "1/m", &weather->dust);
}

void read_keys(const Keys& in, const std::string&, ImuSpec* imu) {
  ImuSpec::Axes& g = imu->gyro;
  ImuSpec::Axes& a = imu->accelerometer;
  in.number("gyro_noise_deg_s_rtHz", 0, 1e3, "deg/s/sqrt(Hz)", kDegree, &g.noise);
  in.number("gyro_bias_deg_h", 0, 1e6, "deg/h", kDegree / kHour, &g.bias);
  in.number("gyro_bias_instability_deg_h", 0, 1e6, "deg/h", kDegree / kHour, &g.bias_instability);
  in.number("gyro_bias_walk", 0, 1, "rad/s^2/sqrt(Hz)", &g.bias_walk);
  in.number("gyro_scale_percent", 0, 50, "%", 0.01, &g.scale);
  in.number("gyro_range_deg_s", 0, 1e6, "deg/s", kDegree, &g.range);
  in.number("gyro_quantum_deg_s", 0, 1e3, "deg/s", kDegree, &g.quantum);
  in.number("gyro_drift_deg_h_K", -1e6, 1e6, "deg/h/K", kDegree / kHour, &g.per_kelvin);
  in.number("accel_noise_ug_rtHz", 0, 1e6, "ug/sqrt(Hz)", 1e-6 * kG, &a.noise);
  in.number("accel_bias_mg", 0, 1e4, "mg", 1e-3 * kG, &a.bias);
  in.number("accel_bias_instability_ug", 0, 1e6, "ug", 1e-6 * kG, &a.bias_instability);
  in.number("accel_bias_walk", 0, 10, "m/s^3/sqrt(Hz)", &a.bias_walk);
  in.number("accel_scale_percent", 0, 50, "%", 0.01, &a.scale);
  in.number("accel_range_g", 0, 1e4, "g", kG, &a.range);
  in.number("accel_quantum_mg", 0, 1e4, "mg", 1e-3 * kG, &a.quantum);
  in.number("accel_drift_ug_K", -1e6, 1e6, "ug/K", 1e-6 * kG, &a.per_kelvin);
  in.number("misalignment_deg", 0, 10, "deg", kDegree, &imu->misalignment);
  in.number("instability_time", 1e-3, 1e6, "s", &imu->instability_time);
  in.number("temperature_rise", -200, 200, "K", &imu->temperature_rise);
  in.number("temperature_time", 1e-3, 1e6, "s", &imu->temperature_time);
}

Geodetic read_origin(const TomlNode& node) {
  const std::vector<double> at = node.numbers(3, "deg, deg, m");
  if (!(std::abs(at[0]) < 90 && std::abs(at[1]) <= 180 && std::abs(at[2]) < 1e5))
    node.error(
        "must be [latitude, longitude, height] with |latitude| < 90 deg and "
        "|longitude| <= 180 deg");
  return {at[0] * kDegree, at[1] * kDegree, at[2]};
}

void read_keys(const Keys& in, const std::string&, GnssSpec* gnss) {
  if (const TomlNode origin = in.node().find("origin")) gnss->origin = read_origin(origin);
  in.number("origin_heading_deg", -360, 360, "deg", kDegree, &gnss->heading);
  in.number("horizontal_sigma", 0, 1e4, "m", &gnss->horizontal);
  in.number("vertical_sigma", 0, 1e4, "m", &gnss->vertical);
  in.number("correlation_time", 1e-3, 1e6, "s", &gnss->correlation_time);
  in.number("white_sigma", 0, 1e4, "m", &gnss->white);
  in.number("velocity_sigma", 0, 1e3, "m/s", &gnss->velocity);
  in.number("ppm", 0, 1e3, "1e-6", &gnss->ppm);
  in.number("baseline", 0, 1e6, "m", &gnss->baseline);
  in.boolean("sky_mask", &gnss->has_sky_mask);
  in.number("elevation_mask_deg", 0, 80, "deg", kDegree, &gnss->elevation_mask);
  in.number("time_of_day", 0, 86400, "s", &gnss->time_of_day);
  in.boolean("multipath", &gnss->has_multipath);
  in.number("wall_reflection", 0, 0.99, "", &gnss->wall_reflection);
  if (const TomlNode multipath = in.node().find("multipath");
      multipath && gnss->has_multipath && !gnss->has_sky_mask)
    multipath.error("needs sky_mask = true");
}

void read_keys(const Keys& in, const std::string&, OdometrySpec* wheel) {
  in.integer("ticks_per_rev", 1, 1000000, &wheel->ticks);
  in.number("radius_error_percent", 0, 50, "%", 0.01, &wheel->radius_error);
  in.number("min_speed", 0, 10, "m/s", &wheel->min_speed);
  in.number("wheel_radius", 1e-3, 10, "m", &wheel->radius);
}

void read_keys(const Keys& in, const std::string&, BusSpec* bus) {
  in.number("steering_quantum_deg", 0, 10, "deg", kDegree, &bus->steering_quantum);
  in.number("brake_quantum", 0, 1, "", &bus->brake_quantum);
  in.number("pedal_quantum", 0, 1, "", &bus->pedal_quantum);
  in.number("engine_quantum_rpm", 0, 1000, "1/min", 2 * std::numbers::pi / 60,
            &bus->engine_quantum);
}

/// Lines "time,azimuth_deg,elevation_deg"; a line that does not start with a number is a comment.
void read_pattern_table(const TomlNode& node, const std::string& folder, LidarSpec* lidar) {
  const std::string path = read_file_reference(node, folder, "");
  if (path.empty()) return;
  constexpr std::size_t kMaxBytes = 256 << 20;
  const std::string text = read_file(path, kMaxBytes);
  lidar->table.clear();
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string row = text.substr(at, end - at);
    at = end + 1;
    ++line;
    const std::size_t first = row.find_first_not_of(" \t\r");
    if (first == std::string::npos || !(std::isdigit(static_cast<unsigned char>(row[first])) != 0))
      continue;
    double t = 0, azimuth = 0, elevation = 0;
    // NOLINTNEXTLINE(cert-err34-c): the count of numbers is checked
    if (std::sscanf(row.c_str(), "%lf,%lf,%lf", &t, &azimuth, &elevation) != 3 ||
        !std::isfinite(t + azimuth + elevation)) {
      node.error(concat(path, ":", line, ": expected time, azimuth_deg, elevation_deg"));
      return;
    }
    lidar->table.push_back({t, azimuth * kDegree, elevation * kDegree});
  }
  if (lidar->table.empty()) node.error(concat(path, " has no rays"));
}

void read_keys(const Keys& in, const std::string& folder, LidarSpec* lidar) {
  in.word("pattern", kLidarPatternWords, &lidar->pattern);
  in.list("elevation_deg", "deg", kDegree, &lidar->elevation);
  in.list("azimuth_offset_deg", "deg", kDegree, &lidar->azimuth_offset);
  in.list("height_offset", "m", 1, &lidar->height_offset);
  in.list("left_offset", "m", 1, &lidar->left_offset);
  in.number("firing_cycle_us", 0.01, 1e6, "us", 1e-6, &lidar->firing_cycle);
  in.number("channel_interval_us", 0, 1e6, "us", 1e-6, &lidar->channel_interval);
  in.integer("lasers_per_slot", 1, 1024, &lidar->lasers_per_slot);
  in.boolean("clockwise", &lidar->is_clockwise);
  in.integer("columns", 1, 10000, &lidar->columns);
  in.integer("rows", 1, 10000, &lidar->rows);
  in.range("azimuth_deg", -180, 180, "deg", kDegree, &lidar->azimuth_range);
  in.range("elevation_range_deg", -90, 90, "deg", kDegree, &lidar->elevation_range);
  if (const TomlNode table = in.node().find("pattern_file"))
    read_pattern_table(table, folder, lidar);
  in.number("max_range", 0.1, 1e4, "m", &lidar->max_range);
  in.number("min_range", 0, 1e3, "m", &lidar->min_range);
  in.number("reference_reflectivity", 1e-3, 10, "", &lidar->reference_reflectivity);
  in.number("max_incidence_deg", 1, 90, "deg", kDegree, &lidar->max_incidence);
  in.number("range_sigma", 0, 10, "m", &lidar->sigma);
  in.number("range_bias", 0, 10, "m", &lidar->bias);
  in.number("angle_sigma_deg", 0, 5, "deg", kDegree, &lidar->angle_sigma);
  in.number("range_quantum", 0, 1, "m", &lidar->quantum);
  in.pair("divergence_mrad", 0, 100, "mrad", 1e-3, &lidar->divergence);
  in.integer("sub_rays", 1, 9, &lidar->sub_rays);
  if (lidar->sub_rays != 1 && lidar->sub_rays != 4 && lidar->sub_rays != 9)
    in.node().find("sub_rays").error("must be 1, 4 or 9");
  in.number("pulse_length", 0, 100, "m", &lidar->pulse_length);
  in.number("wavelength_nm", 200, 3000, "nm", 1e-9, &lidar->wavelength);
  in.number("dropout", 0, 1, "", &lidar->dropout);
  in.word("returns", kLidarReturnsWords, &lidar->returns);
  in.boolean("sees_own_vehicle", &lidar->sees_own_vehicle);
  read_weather(in, &lidar->weather);
}

void read_keys(const Keys& in, const std::string&, CameraSpec* camera) {
  in.integer("width", 1, 16384, &camera->width);
  in.integer("height", 1, 16384, &camera->height);
  in.number("hfov_deg", 1, 170, "deg", kDegree, &camera->field_of_view);
  in.number("k1", -5, 5, "", &camera->k1);
  in.number("k2", -5, 5, "", &camera->k2);
  in.number("p1", -1, 1, "", &camera->p1);
  in.number("p2", -1, 1, "", &camera->p2);
  in.number("vignetting", 0, 1, "", &camera->vignetting);
  in.number("readout", 0, 10, "s", &camera->readout);
  in.number("read_noise_e", 0, 1e5, "e", &camera->read_noise);
  in.number("full_well_e", 1, kBig, "e", &camera->full_well);
  in.number("exposure", 1e-3, 1e3, "", &camera->exposure);
  in.number("max_depth", 1, 1e5, "m", &camera->max_depth);
  in.number("baseline", 0, 10, "m", &camera->baseline);
  in.number("disparity_sigma_px", 0, 100, "px", &camera->disparity_sigma);
  in.boolean("auto_exposure", &camera->has_auto_exposure);
  in.number("exposure_time", 0, 10, "s", &camera->exposure_time);
  in.integer("blur_samples", 1, 64, &camera->blur_samples);
  in.boolean("flow", &camera->has_flow);
  in.boolean("sees_own_vehicle", &camera->sees_own_vehicle);
  read_weather(in, &camera->weather);
  if (const TomlNode date = in.node().find("date_utc")) {
    try {
      camera->date = scene::parse_utc(date.text());
    } catch (const std::invalid_argument& error) {
      date.error(error.what());
    }
  }
  if (const TomlNode origin = in.node().find("origin")) {
    const Geodetic at = read_origin(origin);
    camera->latitude = at.latitude;
    camera->longitude = at.longitude;
  }
  in.number("origin_heading_deg", -360, 360, "deg", kDegree, &camera->heading);
}

void read_keys(const Keys& in, const std::string&, RadarSpec* radar) {
  in.range("range", 0, 1e4, "m", 1, &radar->range);
  in.range("azimuth_deg", -180, 180, "deg", kDegree, &radar->azimuth_range);
  in.range("elevation_deg", -90, 90, "deg", kDegree, &radar->elevation_range);
  in.number("range_sigma", 0, 100, "m", &radar->range_sigma);
  in.number("azimuth_sigma_deg", 0, 45, "deg", kDegree, &radar->azimuth_sigma);
  in.number("speed_sigma", 0, 100, "m/s", &radar->speed_sigma);
  in.number("ray_spacing_deg", 0.01, 45, "deg", kDegree, &radar->ray_spacing);
  in.number("reference_cross_section_dbsm", -100, 100, "dBsm", &radar->reference_cross_section);
  in.integer("max_objects", 1, 1000, &radar->max_objects);
  in.boolean("fluctuation", &radar->has_fluctuation);
  in.pair("beam_width_deg", 0, 360, "deg", kDegree, &radar->beam_width);
  in.boolean("ground_multipath", &radar->has_ground_multipath);
  in.boolean("ghosts", &radar->has_ghosts);
  in.number("wall_reflection", 0, 1, "", &radar->wall_reflection);
  constexpr double kLight = 299792458;  // [m/s]
  double frequency = kLight / radar->wavelength * 1e-9;
  in.number("frequency_ghz", 1, 1000, "GHz", &frequency);
  radar->wavelength = kLight / (1e9 * frequency);
  in.number("ground_permittivity", 1, 100, "", &radar->ground_permittivity);
  in.number("ground_roughness_mm", 0, 100, "mm", 1e-3, &radar->ground_roughness);
}

void read_mount(const TomlNode& node, Mount* mount) {
  if (const TomlNode body = node.find("body")) mount->body = body.text();
  if (const TomlNode at = node.find("position")) {
    const std::vector<double> p = at.numbers(3, "m");
    mount->pose.position = {p[0], p[1], p[2]};
  }
  double roll = 0, pitch = 0, yaw = 0;
  const Keys in(node);
  in.number("roll_deg", -360, 360, "deg", kDegree, &roll);
  in.number("pitch_deg", -360, 360, "deg", kDegree, &pitch);
  in.number("yaw_deg", -360, 360, "deg", kDegree, &yaw);
  mount->pose.rotation = rotation_of_vector({0, 0, yaw}) * rotation_of_vector({0, pitch, 0}) *
                         rotation_of_vector({roll, 0, 0});
}

/// The keys that a model's file and a scenario's table have in common.
void read_values(const TomlNode& node, const std::string& folder, SensorSpec* spec) {
  const Keys in(node);
  in.number("rate", 1e-3, 1e6, "Hz", &spec->timing.rate);
  in.number("phase", 0, 1e6, "s", &spec->timing.phase);
  in.number("latency", 0, 1e3, "s", &spec->timing.latency);
  in.number("jitter", 0, 1e3, "s", &spec->timing.jitter);
  std::visit([&](auto& kind) { read_keys(in, folder, &kind); }, spec->kind);
}

template <std::size_t I = 0>
SensorKind make_kind(std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<SensorKind>) {
    if (index != I) return make_kind<I + 1>(index);
  }
  return SensorKind(std::in_place_index<I>);
}

void read_kind(const TomlNode& node, SensorSpec* spec) {
  const std::string word = node.choice(std::span<const std::string_view>(kSensorKindWords));
  spec->kind = make_kind(static_cast<std::size_t>(
      std::find(std::begin(kSensorKindWords), std::end(kSensorKindWords), word) -
      std::begin(kSensorKindWords)));
}

/// The file of a model: a path, or a name in models/sensors of a folder above. Empty with an error at
/// the node if there is none.
std::string find_model(const TomlNode& node, const std::string& folder) {
  namespace fs = std::filesystem;
  const std::string name = node.text();
  if (name.ends_with(".toml") || name.find('/') != std::string::npos)
    return read_file_reference(node, folder, "sensor");
  std::error_code error;
  std::vector<std::string> known;
  fs::path at = fs::path(folder.empty() ? "." : folder);
  for (int level = 0; level < 8; ++level, at /= "..") {
    const fs::path models = at / "models" / "sensors";
    if (!fs::is_directory(models, error)) continue;
    const fs::path file = models / (name + ".toml");
    if (fs::exists(file, error)) return file.lexically_normal().string();
    for (const auto& entry : fs::directory_iterator(models, error))
      if (entry.path().extension() == ".toml") known.push_back(entry.path().stem().string());
  }
  std::ranges::sort(known);
  if (!name.empty())
    node.error(concat("no sensor model \"", name, "\"", did_you_mean(name, known),
                      known.empty() ? "; there is no folder models/sensors" : ""));
  return "";
}

}  // namespace

SensorSpec load_sensor(const std::string& path) {
  TomlFile file = load_toml(path);
  const TomlNode root = file.root();
  root.at("kind").choice({"sensor"});
  SensorSpec spec;
  spec.model = path;
  spec.like = root.get("like", std::string()).text();
  root.get("about", std::string()).text();
  read_kind(root.at("sensor"), &spec);
  read_values(root, folder_of(path), &spec);
  file.finish();
  return spec;
}

SensorSpec read_sensor(const TomlNode& table, const std::string& folder) {
  SensorSpec spec;
  const TomlNode model = table.find("model");
  const TomlNode kind = table.find("sensor");
  if (model) {
    const std::string path = find_model(model, folder);
    if (!path.empty()) spec = load_sensor(path);
    if (kind) kind.error("is the model's: expected either sensor or model");
  } else {
    read_kind(table.at("sensor"), &spec);
  }
  spec.name = table.at("name").text();
  const bool is_name = !spec.name.empty() && std::ranges::all_of(spec.name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
  if (!is_name && table.find("name") && table.find("name").is_text())
    table.at("name").error("must be letters, digits, '_' and '-': it names files and groups");
  if (const TomlNode mount = table.find("mount")) read_mount(mount, &spec.mount);
  const Keys in(table);
  in.word("fidelity", kFidelityWords, &spec.fidelity);
  in.integer("threads", 1, 256, &spec.threads);
  in.word("files", kScanFilesWords, &spec.files);
  in.integer("save_every", 1, 1000000, &spec.save_every);
  read_values(table, folder, &spec);
  return spec;
}

}  // namespace camber::sensors
