#include "camber/dynamics/equipment_file.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"

namespace camber::dynamics {

namespace {

using driveline::AxleWheels;

/// Tables of [brakes] that are not axles.
constexpr std::string_view kBrakeTables[] = {"booster", "modulator", "abs", "tcs", "esc"};

class Reader {
 public:
  Reader(TomlFile file, std::span<const AxleWheels> axles)
      : file_(std::move(file)), axles_(axles.begin(), axles.end()) {}

  Equipment read() {
    const TomlNode root = file_.root();
    root.at("kind").choice({"equipment"});
    equipment_.name = root.at("name").text();
    root.get("about", std::string()).text();
    const TomlNode brakes = root.at("brakes");
    if (axles_.empty()) axles_ = find_axles(brakes);
    equipment_.driveline = driveline::read_driveline(root, axles_);
    read_brakes(brakes);
    read_steering(root.at("steering"));
    read_air(root.at("air"));
    file_.finish();
    require_tree(equipment_.driveline, driveline::count_wheels(axles_));
    return std::move(equipment_);
  }

 private:
  static std::vector<AxleWheels> find_axles(const TomlNode& brakes) {
    std::vector<AxleWheels> axles;
    if (!brakes || !brakes.is_table()) return axles;
    for (const TomlNode& node : brakes.entries()) {
      if (!node.is_table() || std::ranges::find(kBrakeTables, node.key()) != std::end(kBrakeTables))
        continue;
      const auto first = static_cast<int>(2 * axles.size());
      axles.push_back({.name = node.key(), .left = first, .right = first + 1});
    }
    return axles;
  }

  void read_brakes(const TomlNode& node) {
    for (const char* axle : {"front", "rear"})
      if (const TomlNode old = node.find(concat(axle, "_capacity")))
        old.error(concat("is now [brakes.", axle, "] capacity"));
    if (const TomlNode old = node.find("parking"); old && !old.is_table())
      old.error("is now [brakes.NAME] parking = true, NAME being the axle that it acts on");
    const auto wheels = static_cast<std::size_t>(driveline::count_wheels(axles_));
    equipment_.brakes.assign(wheels, {});
    equipment_.has_parking_brake.assign(wheels, false);
    equipment_.brake_lag = node.at("lag").positive("s");
    equipment_.brake_dead_time = node.get("dead_time", 0.0).in_range(0, 1, "s");
    if (const TomlNode booster = node.find("booster")) read_booster(booster);
    read_assistance(node);
    equipment_.brake_valves.assign(wheels, {});
    std::vector<std::string> names;
    for (const AxleWheels& axle : axles_) {
      names.push_back(axle.name);
      const TomlNode brake = axle.is_towed ? node.find(axle.name) : node.at(axle.name);
      if (!brake || !brake.is_table()) continue;
      const double capacity = brake.at("capacity").non_negative("N m");
      const bool parks = brake.get("parking", false).boolean();
      BrakeValve valve;
      if (const TomlNode knee = brake.find("knee")) {
        valve.knee = knee.in_range(0, 1, "");
        valve.slope = brake.at("slope").in_range(0, 1, "");
      }
      for (const int wheel : {axle.left, axle.right}) {
        if (wheel < 0) continue;
        equipment_.brakes[static_cast<std::size_t>(wheel)].capacity = capacity;
        equipment_.has_parking_brake[static_cast<std::size_t>(wheel)] = parks;
        equipment_.brake_valves[static_cast<std::size_t>(wheel)] = valve;
      }
    }
    if (!node.is_table()) return;
    for (const TomlNode& entry : node.entries()) {
      if (!entry.is_table() || std::ranges::find(names, entry.key()) != names.end() ||
          std::ranges::find(kBrakeTables, entry.key()) != std::end(kBrakeTables))
        continue;
      entry.error(concat("the vehicle has no axle \"", entry.key(), "\"",
                         did_you_mean(entry.key(), names)));
    }
  }

  void read_booster(const TomlNode& node) {
    BrakeBooster& booster = equipment_.brake_booster;
    booster.gain = node.at("gain").in_range(1, 100, "");
    booster.runout = node.at("runout").in_range(0.01, 1, "");
  }

  void read_assistance(const TomlNode& node) {
    const auto read_interval = [](const TomlNode& table, double* interval) {
      *interval = table.get("interval", *interval).in_range(1e-4, 1, "s");
    };
    const auto positive = [](const TomlNode& table, const char* key, const char* unit,
                             double* value) { *value = table.get(key, *value).positive(unit); };
    const auto share = [](const TomlNode& table, const char* key, double* value) {
      *value = table.get(key, *value).in_range(0, 1, "");
    };
    if (const TomlNode table = node.find("modulator")) {
      BrakeModulator& m = equipment_.brake_modulator.emplace();
      positive(table, "lag", "s", &m.lag);
      positive(table, "rise_rate", "1/s", &m.rise_rate);
      positive(table, "fall_rate", "1/s", &m.fall_rate);
    }
    if (const TomlNode table = node.find("abs")) {
      AntiLockBrakes& abs = equipment_.abs.emplace();
      read_interval(table, &abs.interval);
      share(table, "slip", &abs.slip);
      positive(table, "deceleration", "m/s^2", &abs.deceleration);
      positive(table, "acceleration", "m/s^2", &abs.acceleration);
      positive(table, "build_rate", "1/s", &abs.build_rate);
      positive(table, "min_speed", "m/s", &abs.min_speed);
      abs.has_select_low = table.get("select_low", abs.has_select_low).boolean();
    }
    if (const TomlNode table = node.find("tcs")) {
      TractionControl& tcs = equipment_.tcs.emplace();
      read_interval(table, &tcs.interval);
      share(table, "slip", &tcs.slip);
      positive(table, "engine_gain", "1/s", &tcs.engine_gain);
      positive(table, "brake_gain", "", &tcs.brake_gain);
      share(table, "max_pressure", &tcs.max_pressure);
      positive(table, "min_speed", "m/s", &tcs.min_speed);
    }
    if (const TomlNode table = node.find("esc")) {
      StabilityControl& esc = equipment_.esc.emplace();
      read_interval(table, &esc.interval);
      positive(table, "characteristic_speed", "m/s", &esc.characteristic_speed);
      positive(table, "dead_band", "rad/s", &esc.dead_band);
      positive(table, "gain", "s/rad", &esc.gain);
      share(table, "max_pressure", &esc.max_pressure);
      positive(table, "reserve", "m/s^2", &esc.reserve);
      positive(table, "lag", "s", &esc.lag);
      positive(table, "min_speed", "m/s", &esc.min_speed);
    }
  }

  void read_steering(const TomlNode& node) {
    SteeringGear& gear = equipment_.steering;
    node.renamed("greatest_rate", "max_rate");
    node.renamed("greatest_torque", "max_torque");
    gear.ratio = node.at("ratio").positive("(1 at a pitman arm) or rad/m");
    if (const TomlNode curve = node.find("ratio_curve")) read_ratios(curve, &gear);
    gear.stiffness = node.at("stiffness").positive("N m/rad or N/m");
    gear.damping = node.at("damping").non_negative("N m s/rad or N s/m");
    gear.lag = node.at("lag").positive("s");
    gear.max_rate = node.at("max_rate").positive("rad/s or m/s");
    gear.max_torque = node.at("max_torque").positive("N m or N");
    gear.lock = node.at("lock").positive("rad or m");
    if (const TomlNode assist = node.find("assist")) read_assist(assist, &gear);
    if (const TomlNode shares = node.find("assist_over_speed")) read_shares(shares, &gear);
    if (const TomlNode inertia = node.find("wheel_inertia"))
      gear.wheel_inertia = inertia.positive("kg m^2");
    gear.wheel_damping = node.get("wheel_damping", 0.0).non_negative("N m s/rad");
    gear.friction = node.get("friction", 0.0).non_negative("N m");
  }

  /// Pairs [position of the gear, ratio there] to either side, after that in the middle.
  static void read_ratios(const TomlNode& node, SteeringGear* gear) {
    gear->ratio_positions = {0};
    gear->ratios = {gear->ratio};
    for (const TomlNode& row : node.elements()) {
      const std::vector<double> pair = row.numbers(2, "rad, or m of a rack; ratio");
      if (pair[0] <= gear->ratio_positions.back())
        row.error("positions must be > 0 and ascend: `ratio` is the one in the middle");
      if (pair[1] <= 0) row.error(concat("ratios must be > 0, got ", pair[1]));
      gear->ratio_positions.push_back(pair[0]);
      gear->ratios.push_back(pair[1]);
    }
    if (gear->ratios.size() < 2) node.error("must have at least 1 pair");
  }

  /// Pairs [speed of the vehicle, share of the assistance].
  static void read_shares(const TomlNode& node, SteeringGear* gear) {
    if (gear->driver_torque.empty()) node.error("is a share of assist, which is missing");
    for (const TomlNode& row : node.elements()) {
      const std::vector<double> pair = row.numbers(2, "m/s; 1");
      if (pair[0] < 0 || (!gear->assist_speeds.empty() && pair[0] <= gear->assist_speeds.back()))
        row.error("speeds must be >= 0 m/s and ascend");
      if (pair[1] < 0) row.error(concat("shares must be >= 0, got ", pair[1]));
      gear->assist_speeds.push_back(pair[0]);
      gear->assist_shares.push_back(pair[1]);
    }
    if (gear->assist_speeds.size() < 2) node.error("must have at least 2 pairs");
  }

  /// Pairs [driver's torque, torque that is added], from [0, 0] on; neither may fall.
  static void read_assist(const TomlNode& node, SteeringGear* gear) {
    for (const TomlNode& row : node.elements()) {
      const std::vector<double> pair = row.numbers(2, "N m");
      const bool is_first = gear->driver_torque.empty();
      if (is_first && (pair[0] != 0 || pair[1] != 0))
        row.error("must be [0, 0]: without the driver's torque there is no assistance");
      if (!is_first &&
          (pair[0] <= gear->driver_torque.back() || pair[1] < gear->assist_torque.back()))
        row.error("must ascend: the driver's torque, and what is added to it");
      gear->driver_torque.push_back(pair[0]);
      gear->assist_torque.push_back(pair[1]);
    }
    if (gear->driver_torque.size() < 2) node.error("must have at least 2 pairs");
  }

  void read_air(const TomlNode& node) {
    equipment_.air.drag_area = node.at("drag_area").non_negative("m^2");
    equipment_.air.density = node.get("density", 1.225).non_negative("kg/m^3");
    const std::vector<double> center = node.at("center").numbers(3, "m");
    equipment_.air.center = {center[0], center[1], center[2]};
  }

  TomlFile file_;
  std::vector<AxleWheels> axles_;
  Equipment equipment_;
};

}  // namespace

Equipment read_equipment(TomlFile file, std::span<const AxleWheels> axles) {
  return Reader(std::move(file), axles).read();
}

Equipment read_equipment(TomlFile file) { return Reader(std::move(file), {}).read(); }

Equipment load_equipment(const std::string& path, std::span<const AxleWheels> axles,
                         const Overrides& overrides, std::string_view part) {
  return read_equipment(load_toml(path, overrides, part), axles);
}

Equipment load_equipment(const std::string& path, const Overrides& overrides,
                         std::string_view part) {
  return read_equipment(load_toml(path, overrides, part));
}

}  // namespace camber::dynamics
