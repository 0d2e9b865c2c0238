#include "camber/dynamics/equipment_file.h"

#include <algorithm>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"

namespace camber::dynamics {

namespace {

using driveline::AxleWheels;

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
      if (!node.is_table()) continue;
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
    std::vector<std::string> names;
    for (const AxleWheels& axle : axles_) {
      names.push_back(axle.name);
      const TomlNode brake = axle.is_towed ? node.find(axle.name) : node.at(axle.name);
      if (!brake || !brake.is_table()) continue;
      const double capacity = brake.at("capacity").non_negative("N m");
      const bool parks = brake.get("parking", false).boolean();
      for (const int wheel : {axle.left, axle.right}) {
        if (wheel < 0) continue;
        equipment_.brakes[static_cast<std::size_t>(wheel)].capacity = capacity;
        equipment_.has_parking_brake[static_cast<std::size_t>(wheel)] = parks;
      }
    }
    if (!node.is_table()) return;
    for (const TomlNode& entry : node.entries()) {
      if (!entry.is_table() || std::ranges::find(names, entry.key()) != names.end()) continue;
      entry.error(concat("the vehicle has no axle \"", entry.key(), "\"",
                         did_you_mean(entry.key(), names)));
    }
  }

  void read_steering(const TomlNode& node) {
    SteeringGear& gear = equipment_.steering;
    node.renamed("greatest_rate", "max_rate");
    node.renamed("greatest_torque", "max_torque");
    gear.ratio = node.at("ratio").positive("(1 at a pitman arm) or rad/m");
    gear.stiffness = node.at("stiffness").positive("N m/rad or N/m");
    gear.damping = node.at("damping").non_negative("N m s/rad or N s/m");
    gear.lag = node.at("lag").positive("s");
    gear.max_rate = node.at("max_rate").positive("rad/s or m/s");
    gear.max_torque = node.at("max_torque").positive("N m or N");
    gear.lock = node.at("lock").positive("rad or m");
    if (const TomlNode assist = node.find("assist")) read_assist(assist, &gear);
    if (const TomlNode inertia = node.find("wheel_inertia"))
      gear.wheel_inertia = inertia.positive("kg m^2");
    gear.wheel_damping = node.get("wheel_damping", 0.0).non_negative("N m s/rad");
    gear.friction = node.get("friction", 0.0).non_negative("N m");
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
