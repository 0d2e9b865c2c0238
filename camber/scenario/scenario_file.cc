#include "camber/scenario/scenario_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <numbers>
#include <optional>
#include <utility>

#include "camber/autonomy/path.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/figures/key_figures.h"
#include "camber/record/channel_names.h"
#include "camber/terrain/soil.h"
#include "camber/terrain/terrain_file.h"

namespace camber::scenario {
namespace {

namespace fs = std::filesystem;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kFar = 1e7;        // no ground is larger [m]
constexpr double kFast = 200;       // no vehicle is faster [m/s]
constexpr double kLong = 1e6;       // no drive is longer [s]
constexpr double kShort = 1e-3;     // nor shorter, nor is a steer step quicker [s]
constexpr double kMaxSteps = 1e10;  // nor has more steps or samples

class Reader {
 public:
  Reader(const TomlNode& root, fs::path folder, const Diagnostics& found)
      : root_(root), folder_(std::move(folder)), found_(found) {}

  Scenario read() {
    root_.at("kind").choice({"scenario"});
    scenario_.name = root_.at("name").text();
    scenario_.about = root_.get("about", std::string()).text();
    read_vehicle(root_.at("vehicle"), &scenario_.vehicle);
    if (const auto node = root_.find("tire")) read_tire(node, &scenario_.tire);
    if (const auto node = root_.find("ground")) read_ground(node, &scenario_.ground);
    check_tire();
    if (const auto node = root_.find("driver")) {
      read_driver(node, &scenario_.driver);
      check_direction(node);
    }
    read_run(root_.at("run"), &scenario_.run);
    if (const auto list = root_.find("stop")) {
      for (const TomlNode& node : list.tables()) scenario_.stops.push_back(read_stop(node));
    }
    if (const auto list = root_.find("figures")) {
      for (const TomlNode& node : list.tables()) read_figure(node);
    }
    note_unused();
    return std::move(scenario_);
  }

 private:
  // --- Values ---

  template <class Enum, std::size_t N>
  static Enum read_word(const TomlNode& node, const std::string_view (&words)[N]) {
    const std::string word = node.choice(std::span<const std::string_view>(words));
    return static_cast<Enum>(std::find(words, words + N, word) - words);
  }

  template <class Enum, std::size_t N>
  static Enum read_word_or(const TomlNode& table, std::string_view key,
                           const std::string_view (&words)[N], Enum fallback) {
    return read_word<Enum>(table.get(key, std::string(word_of(fallback, words))), words);
  }

  static double read_degrees(const TomlNode& node, double most) {
    return node.in_range(-most, most, "deg") * kDegree;
  }

  static double number_or(const TomlNode& table, std::string_view key, double fallback, double low,
                          double high, std::string_view unit) {
    return table.get(key, fallback).in_range(low, high, unit);
  }

  /// [[x, y], ...] with ascending x; y from low to high.
  static Table read_table(const TomlNode& node, std::string_view y_unit, double low, double high,
                          double scale = 1) {
    Table table;
    for (const TomlNode& row : node.elements()) {
      const std::vector<TomlNode> pair = row.elements();
      if (pair.size() != 2) {
        if (row.is_array())
          row.error(concat("expected [time, value], found ", pair.size(), " values"));
        continue;
      }
      const double x = pair[0].in_range(-kLong, kLong, "s");
      if (!table.x.empty() && x <= table.x.back())
        pair[0].error(concat("times must increase, got ", x, " after ", table.x.back()));
      table.x.push_back(x);
      table.y.push_back(scale * pair[1].in_range(low, high, y_unit));
    }
    if (node.is_array() && node.elements().empty())
      node.error("needs one pair [time, value] at least");
    return table;
  }

  // --- Files ---

  /// The path that a key names, checked: it is there and, of a TOML file, of this kind.
  std::string read_path(const TomlNode& node, std::string_view kind) {
    const std::string text = node.text();
    if (text.empty()) {
      if (node.is_text()) node.error("expected the name of a file");
      return "";
    }
    std::string path = (folder_ / text).lexically_normal().string();
    std::error_code problem;
    if (!fs::is_regular_file(path, problem)) {
      node.error(concat("there is no file ", path, did_you_mean_file(path)));
      return path;
    }
    if (!kind.empty()) check_kind(node, path, kind);
    return path;
  }

  static std::string did_you_mean_file(const fs::path& path) {
    std::vector<std::string> names;
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(path.parent_path(), problem))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return did_you_mean(path.filename().string(), names);
  }

  static void check_kind(const TomlNode& node, const std::string& path, std::string_view kind) {
    try {
      TomlFile file = load_toml(path);
      const TomlNode found = file.root().find("kind");
      const std::string text = found && found.is_text() ? found.text() : "";
      if (text != kind)
        node.error(
            concat(path, " is not of kind \"", kind, "\"", text.empty() ? "" : ", but of ", text));
    } catch (const ModelFileError& error) {
      node.error(to_text(error.diagnostics().front()));
    }
  }

  // --- Vehicle, tires, ground ---

  void read_vehicle(const TomlNode& node, VehicleSetup* vehicle) {
    vehicle->model = read_path(node.at("model"), "vehicle");
    if (const auto file = node.find("equipment")) vehicle->equipment = read_path(file, "equipment");
    vehicle->level = read_word_or(node, "level", kVehicleLevelWords, vehicle->level);
    vehicle->formulation =
        read_word_or(node, "formulation", kFormulationWords, vehicle->formulation);
    if (const auto list = node.find("payload")) {
      for (const TomlNode& load : list.tables()) {
        const std::vector<double> at = load.at("at").numbers(3, "m");
        vehicle->payload.push_back({load.at("mass").in_range(0, 1e6, "kg"), {at[0], at[1], at[2]}});
      }
    }
    if (const auto height = node.find("center_of_mass_height"))
      vehicle->center_of_mass_height = height.in_range(0.01, 10, "m");
    if (const auto start = node.find("start")) read_start(start, &vehicle->start);
  }

  void read_start(const TomlNode& node, Start* start) {
    start->x = number_or(node, "x", 0, -kFar, kFar, "m");
    start->y = number_or(node, "y", 0, -kFar, kFar, "m");
    start->heading = read_degrees(node.get("heading_deg", 0.0), 360);
    start->speed = number_or(node, "speed", 0, -kFast, kFast, "m/s");
    const std::size_t mistakes = found_.error_count();
    start->gear = static_cast<int>(node.get("gear", std::int64_t{1}).integer(-1, 20));
    is_gear_good_ = found_.error_count() == mistakes;
  }

  void read_tire(const TomlNode& node, TireSetup* tire) {
    tire->contact = read_word_or(node, "contact", kTireContactWords, tire->contact);
    tire->friction = number_or(node, "friction", tire->friction, 0, 10, "");
    tire->slip_speed = number_or(node, "slip_speed", tire->slip_speed, 1e-6, kFast, "m/s");
    const TomlNode file = node.find("file"), model = node.find("model");
    const bool is_tir = file && file.is_text() && file.text().ends_with(".tir");
    if (file) tire->file = read_path(file, is_tir ? "" : "tire");
    const std::optional<TireModel> own =
        is_tir ? TireModel::kMagicFormula : find_model_of(tire->file);
    tire->model = own.value_or(tire->model);
    if (!model) return;
    tire->has_model = true;
    tire->model = read_word<TireModel>(model, kTireModelWords);
    if (tire->model == TireModel::kMagicFormula) node.at("file");
    // A rolling constraint takes any tire's size and spring.
    const bool agrees = !own || tire->model == *own || tire->model == TireModel::kRelaxedRolling;
    if (agrees || !model.is_text() || model.text() != word_of(tire->model, kTireModelWords)) return;
    model.error(concat("is \"", word_of(tire->model, kTireModelWords), "\", but ", tire->file,
                       " is of \"", word_of(*own, kTireModelWords),
                       "\": expected the same, no tire.model, or another tire.file"));
  }

  /// What a file of kind "tire" has for its model; none where there is no such word or file.
  static std::optional<TireModel> find_model_of(const std::string& path) {
    if (path.empty()) return {};
    try {
      TomlFile file = load_toml(path);
      const TomlNode table = file.root().find("tire");
      if (!table || !table.is_table()) return {};
      const TomlNode model = table.find("model");
      if (!model || !model.is_text()) return {};
      const auto* found =
          std::find(std::begin(kTireModelWords), std::end(kTireModelWords), model.text());
      if (found == std::end(kTireModelWords)) return {};
      return static_cast<TireModel>(found - std::begin(kTireModelWords));
    } catch (const ModelFileError&) {
      return {};  // the reader of the tire says what is wrong
    }
  }

  /// A rigid wheel has no law of slip: it drives only where soil gives the forces. A rolling
  /// constraint needs four wheels of a vehicle, and ground that does not yield.
  void check_tire() {
    const VehicleLevel level = scenario_.vehicle.level;
    const bool has_slip = scenario_.tire.model != TireModel::kRigid;
    const bool is_on_soil =
        level == VehicleLevel::kFull && scenario_.ground.soil_level != SoilLevel::kRigid;
    const TomlNode tire = root_.find("tire");
    if (!tire || !tire.is_table()) return;
    const TomlNode model = tire.find("model");
    if (!model) return;  // that of a file, whose place the drive names
    if (scenario_.tire.model == TireModel::kRelaxedRolling &&
        (is_on_soil || level == VehicleLevel::kSingleTrack))
      model.error(
          "\"relaxed_rolling\" is for the full vehicle on rigid ground: expected vehicle.level = "
          "\"full\" and no soil that yields, or another tire");
    if (has_slip || is_on_soil || level == VehicleLevel::kPointMass || !scenario_.tire.file.empty())
      return;
    model.error(
        "\"rigid\" does not drive on rigid ground: expected tmeasy, fiala, brush, magic_formula "
        "or relaxed_rolling");
  }

  void read_ground(const TomlNode& node, Ground* ground) {
    const TomlNode terrain = node.get("terrain", std::string("flat"));
    const bool is_flat = terrain.is_text() && terrain.text() == "flat";
    if (!is_flat) ground->terrain = read_path(terrain, "terrain");
    ground->friction = number_or(node, "friction", 1, 0, 10, "");
    for (const char* key : {"slope", "slope_heading_deg", "soil"}) {
      const TomlNode value = node.find(key);
      if (value && !is_flat) value.error("is for flat ground: a terrain's file says it itself");
    }
    ground->slope = number_or(node, "slope", 0, -3, 3, "rise over run");
    ground->slope_heading = read_degrees(node.get("slope_heading_deg", 0.0), 360);
    read_soil(node, is_flat, ground);
    if (const auto list = node.find("bump")) ground->bumps = terrain::read_bumps(list);
  }

  void read_soil(const TomlNode& node, bool is_flat, Ground* ground) {
    const TomlNode soil = node.get("soil", std::string("rigid"));
    ground->soil = soil.text();
    std::vector<std::string> names = terrain::soil_names();
    names.emplace_back("rigid");
    if (soil.is_text() && std::find(names.begin(), names.end(), ground->soil) == names.end())
      soil.error(concat("no soil \"", ground->soil, "\"", did_you_mean(ground->soil, names)));
    const bool yields = is_flat && ground->soil != "rigid";
    const TomlNode level = node.find("soil_level");
    ground->soil_level = yields ? SoilLevel::kLumped : SoilLevel::kRigid;
    if (level) ground->soil_level = read_word<SoilLevel>(level, kSoilLevelWords);
    if (level && is_flat && !yields && ground->soil_level != SoilLevel::kRigid)
      level.error("needs a soil: the ground is rigid");
    ground->soil_spacing = number_or(node, "soil_spacing", ground->soil_spacing, 0.005, 1, "m");
    const TomlNode limit = node.get("bearing_limit", false);
    ground->has_bearing_limit = limit.boolean();
    if (ground->has_bearing_limit && ground->soil_level != SoilLevel::kGrid)
      limit.error("needs soil_level = \"grid\"");
  }

  // --- Driver ---

  void read_driver(const TomlNode& node, Driver* driver) {
    driver->sample_time = number_or(node, "sample_time", driver->sample_time, 1e-5, 10, "s");
    driver->range = read_word_or(node, "range", kRangeWords, driver->range);
    driver->has_parking_brake = node.get("parking_brake", false).boolean();
    const TomlNode path = node.find("path");
    if (path) read_path_spec(path, &driver->path);
    if (const auto steering = node.find("steering")) read_steering(steering, &driver->steering);
    if (const auto speed = node.find("speed")) read_speed(speed, &driver->speed);
    if (driver->steering.follows_path() && !path)
      node.error("steering follows a path: [driver.path] is missing");
  }

  void read_steering(const TomlNode& node, SteeringSpec* s) {
    s->kind = read_word<SteeringKind>(node.at("kind"), kSteeringKindWords);
    const auto read_at = [&] { s->at = number_or(node, "at", 0, 0, kLong, "s"); };
    const auto read_angle = [&](std::string_view key) {
      s->angle = read_degrees(node.at(key), 60);
    };
    const auto read_frequency = [&](double fallback) {
      const TomlNode f = fallback > 0 ? node.get("frequency", fallback) : node.at("frequency");
      s->frequency = f.in_range(1e-3, 50, "Hz");
    };
    const auto read_slip = [&](std::string_view key, double* slip) {
      *slip = number_or(node, key, 0, -0.1, 0.1, "rad s^2/m");
    };
    const auto read_limit = [&](std::string_view key, std::string_view unit,
                                std::optional<double>* limit) {
      if (const auto given = node.find(key)) *limit = given.in_range(0.1, 1000, unit) * kDegree;
    };
    read_limit("greatest_angle_deg", "deg", &s->greatest_angle);
    read_limit("greatest_rate_deg", "deg/s", &s->greatest_rate);
    switch (s->kind) {
      case SteeringKind::kNone:
        break;
      case SteeringKind::kTable:
        s->table = read_table(node.at("table_deg"), "deg", -60, 60, kDegree);
        break;
      case SteeringKind::kStep:
        read_at();
        read_angle("angle_deg");
        s->rise = number_or(node, "rise", s->rise, kShort, 10, "s");
        break;
      case SteeringKind::kRamp:
        read_at();
        read_angle("angle_deg");
        s->rate = node.at("rate_deg").in_range(1e-3, 1000, "deg/s") * kDegree;
        break;
      case SteeringKind::kSine:
        read_at();
        read_angle("angle_deg");
        read_frequency(0);
        s->cycles = static_cast<int>(node.get("cycles", std::int64_t{1}).integer(0, 1000000));
        break;
      case SteeringKind::kSineWithDwell:
        read_at();
        read_angle("angle_deg");
        read_frequency(0.7);
        s->dwell = number_or(node, "dwell", s->dwell, 0, 10, "s");
        break;
      case SteeringKind::kPurePursuit:
        s->look_ahead_time = number_or(node, "look_ahead_time", s->look_ahead_time, 0, 10, "s");
        s->look_ahead_least =
            number_or(node, "look_ahead_least", s->look_ahead_least, 0.1, 1000, "m");
        s->look_ahead_most =
            number_or(node, "look_ahead_most", std::max(s->look_ahead_most, s->look_ahead_least),
                      s->look_ahead_least, 1000, "m");
        read_slip("understeer", &s->understeer);
        break;
      case SteeringKind::kStanley:
        s->gain = number_or(node, "gain", s->gain, 1e-3, 100, "1/s");
        s->soft_speed = number_or(node, "soft_speed", s->soft_speed, 0.01, 50, "m/s");
        s->yaw_damping = number_or(node, "yaw_damping", 0, 0, 10, "s");
        read_slip("front_slip", &s->front_slip);
        break;
      case SteeringKind::kPreview:
        s->preview_time = number_or(node, "preview_time", s->preview_time, 0.05, 10, "s");
        s->preview_least = number_or(node, "preview_least", s->preview_least, 0.1, 1000, "m");
        break;
    }
  }

  void read_path_spec(const TomlNode& node, PathSpec* path) {
    path->kind = read_word<PathKind>(node.at("kind"), kPathKindWords);
    switch (path->kind) {
      case PathKind::kStraight:
        break;
      case PathKind::kCircle: {
        const double radius = node.at("radius").in_range(1, 1e5, "m");
        const std::string turn = node.get("turn", std::string("left")).choice({"left", "right"});
        path->radius = turn == "left" ? radius : -radius;
        break;
      }
      case PathKind::kLaneChange:
        read_changes(node.at("change"), &path->changes);
        break;
      case PathKind::kIso3888:
        path->entry = number_or(node, "entry", 0, 0, kFar, "m");
        path->vehicle_width = node.at("vehicle_width").in_range(0.5, 5, "m");
        path->vehicle_length = node.at("vehicle_length").in_range(1, 30, "m");
        read_clearance(node, path);
        break;
      case PathKind::kPoints:
        path->is_closed = node.get("closed", false).boolean();
        read_points(node.at("points"), path);
        break;
    }
  }

  /// At most what the narrowest lane, of 1.1 w + 0.25 m, leaves at each side.
  static void read_clearance(const TomlNode& node, PathSpec* path) {
    const double room = 0.5 * (0.1 * path->vehicle_width + 0.25);
    path->clearance = number_or(node, "clearance", std::min(0.15, room), 0, room, "m");
  }

  void read_changes(const TomlNode& list, std::vector<LaneChange>* changes) {
    for (const TomlNode& node : list.tables()) {
      LaneChange change;
      const TomlNode time = node.find("time"), distance = node.find("distance");
      if (time) change.time = time.in_range(0, kLong, "s");
      if (distance) change.distance = distance.in_range(0, kFar, "m");
      if (change.time.has_value() == change.distance.has_value())
        node.error("begins at a time [s] or at a distance [m]: give one of the two");
      change.offset = node.at("offset").in_range(-100, 100, "m");
      change.duration = node.at("duration").in_range(0.1, 1000, "s");
      if (!changes->empty()) check_order(changes->back(), change, node);
      changes->push_back(change);
    }
    if (list.is_array() && changes->empty()) list.error("needs one change at least");
  }

  static void check_order(const LaneChange& last, const LaneChange& next, const TomlNode& node) {
    if (last.time && next.time && *next.time < *last.time + last.duration) {
      node.error(concat("begins at ", *next.time, " s, before the one ahead of it ends, at ",
                        *last.time + last.duration, " s"));
    }
    if (last.distance && next.distance && *next.distance <= *last.distance) {
      node.error(concat("begins at ", *next.distance, " m, but the one ahead of it at ",
                        *last.distance, " m"));
    }
    if (last.time.has_value() != next.time.has_value())
      node.error("all changes of a path begin by time, or all by distance");
  }

  void read_points(const TomlNode& node, PathSpec* path) {
    const std::vector<TomlNode> rows = node.elements();
    bool are_points = node.is_array();
    for (const TomlNode& row : rows) {
      const bool is_pair = row.is_array() && row.elements().size() == 2;
      const std::vector<double> xy = row.numbers(2, "m");
      const bool is_near = std::abs(xy[0]) <= kFar && std::abs(xy[1]) <= kFar;
      if (!is_near) row.error(concat("must be within ", kFar, " m"));
      are_points = are_points && is_pair && is_near;
      path->points.push_back({xy[0], xy[1]});
    }
    if (!are_points) return;
    if (const auto problem = autonomy::find_path_problem(path->points, path->is_closed)) {
      (rows.empty() ? node : rows[problem->point]).error(problem->text);
      return;
    }
    constexpr double kTight = 4;  // the turning circles of small cars
    const double least = autonomy::make_spline(path->points, path->is_closed).least_radius();
    if (least < kTight)
      scenario_.notes.push_back(concat("driver.path.points bend with a radius of ",
                                       std::round(least * 10) / 10,
                                       " m: few vehicles turn in less than ", kTight, " m"));
  }

  void read_speed(const TomlNode& node, SpeedSpec* speed) {
    speed->kind = read_word<SpeedKind>(node.at("kind"), kSpeedKindWords);
    switch (speed->kind) {
      case SpeedKind::kNone:
        break;
      case SpeedKind::kHold:
        speed->target = node.at("target").in_range(-kFast, kFast, "m/s");
        break;
      case SpeedKind::kProfile:
        speed->profile = read_table(node.at("table"), "m/s", -kFast, kFast);
        break;
      case SpeedKind::kOpen:
        speed->throttle = speed->brake = {{0}, {0}};
        if (const auto table = node.find("throttle")) speed->throttle = read_table(table, "", 0, 1);
        if (const auto table = node.find("brake")) speed->brake = read_table(table, "", 0, 1);
        break;
    }
  }

  /// The gear of the start decides: nobody shifts between forward and reverse.
  void check_direction(const TomlNode& driver) const {
    if (!is_gear_good_) return;
    const bool is_backward = scenario_.vehicle.start.gear < 0;
    const SpeedSpec& speed = scenario_.driver.speed;
    const std::string_view key = speed.kind == SpeedKind::kHold      ? "target"
                                 : speed.kind == SpeedKind::kProfile ? "table"
                                                                     : "";
    const std::vector<double> wanted =
        speed.kind == SpeedKind::kHold ? std::vector<double>{speed.target} : speed.profile.y;
    for (const double v : key.empty() ? std::vector<double>{} : wanted) {
      if (is_backward ? v <= 0 : v >= 0) continue;
      driver.at("speed").at(key).error(
          is_backward
              ? concat("must be <= 0 m/s with vehicle.start.gear = -1, which drives backward, got ",
                       v)
              : concat("must be >= 0 m/s, got ", v,
                       "; to drive backward, vehicle.start.gear = -1"));
      break;
    }
    if (is_backward && scenario_.driver.steering.follows_path())
      driver.at("steering")
          .at("kind")
          .error(
              "follows a path forward: expected vehicle.start.gear >= 0, or steering that follows "
              "none");
  }

  // --- Run, stops, figures ---

  void read_run(const TomlNode& node, RunSetup* run) {
    run->duration = node.at("duration").in_range(kShort, kLong, "s");
    run->step = number_or(node, "step", run->step, 1e-6, 0.1, "s");
    run->sample_interval = number_or(node, "sample_interval",
                                     std::max(run->sample_interval, run->step), 1e-6, 1000, "s");
    run->seed = static_cast<std::uint64_t>(node.get("seed", std::int64_t{1}).integer(0, INT64_MAX));
    run->method = read_word_or(node, "method", kRunMethodWords, run->method);
    check_step(node);
    check_sample_interval(node);
    if (run->duration / std::min(run->step, run->sample_interval) > kMaxSteps)
      node.error(concat("more than ", kMaxSteps, " steps or samples"));
  }

  /// The driver looks between steps.
  void check_step(const TomlNode& node) {
    const double step = scenario_.run.step, sample_time = scenario_.driver.sample_time;
    if (step > sample_time && node.find("step"))
      node.at("step").error(
          concat("must be <= driver.sample_time = ", sample_time, " s, got ", step));
    else if (step > sample_time)
      root_.at("driver")
          .at("sample_time")
          .error(concat("must be >= run.step = ", step, " s, got ", sample_time));
  }

  /// Steps end at samples: a sample within a step would shorten it.
  void check_sample_interval(const TomlNode& node) {
    const double step = scenario_.run.step, interval = scenario_.run.sample_interval;
    constexpr double kRounding = 1e-9;
    if (interval < step * (1 - kRounding)) {
      node.at("sample_interval")
          .error(concat("must be >= run.step = ", step, " s, got ", interval,
                        ": there is nothing to log within a step"));
      return;
    }
    const double steps = interval / step;
    if (std::abs(steps - std::round(steps)) <= kRounding * steps) return;
    scenario_.notes.push_back(
        concat("run.sample_interval of ", interval, " s is no multiple of run.step of ", step,
               " s: steps are shortened to ", interval / std::ceil(steps), " s and less"));
  }

  StopCondition read_stop(const TomlNode& node) {
    StopCondition stop;
    stop.kind = read_word<StopKind>(node.at("when"), kStopKindWords);
    const TomlNode value = node.at("value");
    switch (stop.kind) {
      case StopKind::kSpeedBelow:
        stop.value = value.in_range(0, kFast, "m/s");
        break;
      case StopKind::kRollAbove:
        stop.value = value.in_range(0, 180, "deg") * kDegree;
        break;
      case StopKind::kXBeyond:
        stop.value = value.in_range(-kFar, kFar, "m");
        break;
      case StopKind::kDeviationAbove:
        stop.value = value.in_range(0, kFar, "m");
        if (!root_.find("driver") || !root_.at("driver").find("path"))
          node.at("when").error("needs [driver.path]");
        break;
      case StopKind::kWheelLifted:
      case StopKind::kTime:
        stop.value = value.in_range(0, kLong, "s");
        break;
    }
    stop.after = number_or(node, "after", 0, 0, kLong, "s");
    stop.outcome = read_word<StopOutcome>(node.at("then"), kStopOutcomeWords);
    return stop;
  }

  void read_figure(const TomlNode& node) {
    figures::FigureRequest request;
    const TomlNode name = node.at("figure");
    request.figure = name.text();
    request.name = node.get("name", request.figure).text();
    const auto read_optional = [&](std::string_view key, std::string_view unit,
                                   std::optional<double>* value) {
      if (const auto given = node.find(key)) *value = given.number(unit);
    };
    read_optional("after", "s", &request.after);
    read_optional("before", "s", &request.before);
    if (request.after && request.before && *request.before <= *request.after)
      node.at("before").error(concat("must be > after = ", *request.after, " s"));
    const bool is_duration_good = scenario_.run.duration > kShort;  // else that is noted
    if (is_duration_good && request.after && *request.after >= scenario_.run.duration)
      node.at("after").error(concat("the run lasts ", scenario_.run.duration, " s"));
    const figures::KeyFigure* figure = figures::find_key_figure(request.figure);
    if (figure == nullptr) {
      if (name.is_text())
        name.error(concat("no key figure \"", request.figure, "\"",
                          did_you_mean(request.figure, figures::key_figure_names())));
      node.entries();  // its keys may be right
      return;
    }
    read_optional("least", figure->unit, &request.least);
    read_optional("most", figure->unit, &request.most);
    if (request.least && request.most && *request.most < *request.least)
      node.at("most").error(concat("must be >= least = ", *request.least));
    request.source = node.get("source", std::string()).text();
    for (const figures::FigureParameter& parameter : figure->parameters) {
      const TomlNode given = parameter.fallback ? node.get(parameter.name, *parameter.fallback)
                                                : node.at(parameter.name);
      request.parameters[std::string(parameter.name)] = given.number(parameter.unit);
    }
    check_course(name, *figure);
    scenario_.figures.push_back(std::move(request));
  }

  /// What is measured against a path or course needs one.
  void check_course(const TomlNode& name, const figures::KeyFigure& figure) {
    const PathSpec& path = scenario_.driver.path;
    if (figure.name == "cone_margin" && path.kind != PathKind::kIso3888)
      name.error("needs driver.path.kind = \"iso3888_1\"");
    const bool needs_path = std::find(figure.channels.begin(), figure.channels.end(),
                                      record::channel::kPathDeviation) != figure.channels.end();
    const TomlNode driver = root_.find("driver");
    if (needs_path && (!driver || !driver.find("path"))) name.error("needs [driver.path]");
  }

  // --- What has no effect ---

  bool has(const char* table, const char* key) const {
    const TomlNode found = root_.find(table);
    return found && found.is_table() && found.find(key);
  }

  void note(std::string_view key, std::string_view why) {
    scenario_.notes.push_back(concat(key, " is not used: ", why));
  }

  /// Keys that are right, but not for what the rest of the scenario says. Others may take the same
  /// file with another level, tire or soil: so it is not refused.
  void note_unused() {
    const Scenario& s = scenario_;
    const bool is_full = s.vehicle.level == VehicleLevel::kFull;
    const bool is_grid = s.ground.soil_level == SoilLevel::kGrid;
    const bool has_contact = s.tire.contact != TireContact::kPoint;
    if (s.tire.model != TireModel::kRelaxedRolling) {
      for (const char* key : {"friction", "slip_speed"}) {
        if (has("tire", key))
          note(concat("tire.", key), concat("it is of \"relaxed_rolling\", and the tire is of \"",
                                            word_of(s.tire.model, kTireModelWords),
                                            "\"; ground.friction scales the grip of all"));
      }
    }
    if (has("ground", "soil_spacing") && !is_grid)
      note("ground.soil_spacing", "there is no ground.soil_level = \"grid\"");
    if (!is_full) {
      const std::string why =
          concat("vehicle.level is \"", word_of(s.vehicle.level, kVehicleLevelWords), "\"");
      if (has("vehicle", "formulation")) note("vehicle.formulation", why);
      if (has_contact) note("tire.contact", why);
      if (has("run", "method") && s.run.method != RunMethod::kRungeKutta4)
        note("run.method", why + ", whose steps are of rk4");
      return;
    }
    if (has_contact && is_grid)
      note("tire.contact", "on ground.soil_level = \"grid\" a tire meets the nodes under it");
    if (s.vehicle.formulation == Formulation::kFa && s.run.method == RunMethod::kMidpoint)
      scenario_.notes.push_back(
          "vehicle.formulation = \"fa\" wants run.method = \"rk4\": wheels that turn as free "
          "bodies leave the midpoint rule some millimeters a second");
  }

  TomlNode root_;
  fs::path folder_;
  const Diagnostics& found_;
  bool is_gear_good_ = true;
  Scenario scenario_;
};

}  // namespace

Scenario read_scenario(TomlFile file, const std::string& path, std::string text,
                       const Overrides& overrides) {
  constexpr std::string_view kParts[] = {"vehicle", "equipment", "tire", "terrain"};
  overrides.require_parts(kParts);
  overrides.apply("", &file);
  Scenario scenario = Reader(file.root(), fs::path(path).parent_path(), file.diagnostics()).read();
  file.finish();
  scenario.source = {path, std::move(text), overrides};
  return scenario;
}

Position find_place(const std::string& text, const std::string& file, const Overrides& overrides,
                    std::string_view key) {
  TomlFile toml = parse_toml(text, file);
  overrides.apply("", &toml);
  TomlNode node = toml.root();
  Position place{.file = file};
  for (std::string_view rest = key; !rest.empty();) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    if (!node.is_table()) break;
    node = node.find(rest.substr(0, dot));
    if (!node) break;
    place = node.position();
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  place.key = key;
  return place;
}

Scenario load_scenario(const std::string& path, const Overrides& overrides) {
  constexpr std::size_t kMaxBytes = 8 << 20;
  try {
    return parse_scenario(read_file(path, kMaxBytes), path, overrides);
  } catch (const FileError& error) {
    throw ModelFileError({path}, error.reason());
  }
}

Scenario parse_scenario(std::string text, const std::string& file, const Overrides& overrides) {
  TomlFile toml = parse_toml(text, file);
  return read_scenario(std::move(toml), file, std::move(text), overrides);
}

}  // namespace camber::scenario
