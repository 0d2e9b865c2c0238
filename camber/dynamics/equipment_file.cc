#include "camber/dynamics/equipment_file.h"

#include <numbers>
#include <numeric>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/toml_reader.h"

namespace camber::dynamics {

namespace {

constexpr double kRpm = std::numbers::pi / 30;  // [rad/s]

class Reader {
 public:
  explicit Reader(TomlFile file) : file_(std::move(file)) {}

  Equipment read() {
    const TomlNode root = file_.root();
    root.at("kind").choice({"equipment"});
    root.at("name").text();
    root.get("about", std::string()).text();
    read_engine(root.at("engine"));
    read_converter(root.at("converter"));
    read_gearbox(root.at("gearbox"));
    read_driveline(root.at("driveline"));
    read_brakes(root.at("brakes"));
    read_steering(root.at("steering"));
    read_air(root.at("air"));
    file_.finish();
    return std::move(equipment_);
  }

 private:
  driveline::Driveline& d() { return equipment_.driveline; }

  /// A table of two arrays: the first ascends, both are equally long.
  static void read_table(const TomlNode& node, const char* x_key, const char* x_unit,
                         const char* y_key, const char* y_unit, std::vector<double>* x,
                         std::vector<double>* y) {
    *x = node.at(x_key).numbers(x_unit);
    *y = node.at(y_key).numbers(y_unit);
    if (x->size() < 2) {
      node.at(x_key).error("must have at least 2 numbers");
      *x = {0, 1};
    }
    for (std::size_t i = 1; i < x->size(); ++i) {
      if ((*x)[i] > (*x)[i - 1]) continue;
      node.at(x_key).error(concat("must ascend: ", (*x)[i], " comes behind ", (*x)[i - 1]));
      std::iota(x->begin(), x->end(), 0.0);  // to go on with
      break;
    }
    if (y->size() != x->size()) {
      node.at(y_key).error(
          concat("must have as many numbers as ", x_key, ", ", x->size(), ", got ", y->size()));
      y->assign(x->size(), 0);
    }
  }

  static void scale(double factor, std::vector<double>* values) {
    for (double& value : *values) value *= factor;
  }

  void read_engine(const TomlNode& node) {
    driveline::Engine& engine = d().engine;
    std::vector<double> speed, torque, motoring_speed, motoring_torque;
    read_table(node, "speed_rpm", "rpm", "torque", "N m", &speed, &torque);
    read_table(node, "motoring_speed_rpm", "rpm", "motoring_torque", "N m", &motoring_speed,
               &motoring_torque);
    scale(kRpm, &speed);
    scale(kRpm, &motoring_speed);
    engine.torque = {speed, torque};
    engine.motoring = {motoring_speed, motoring_torque};
    for (const double braking : motoring_torque) {
      if (braking <= 0) continue;
      node.at("motoring_torque").error(concat("must be <= 0 N m: friction brakes; got ", braking));
      break;
    }
    engine.inertia = node.at("inertia").positive("kg m^2");
    engine.idle_speed = kRpm * node.at("idle_rpm").positive("rpm");
  }

  void read_converter(const TomlNode& node) {
    std::vector<double> speed_ratio, torque_ratio, capacity;
    read_table(node, "speed_ratio", "", "torque_ratio", "", &speed_ratio, &torque_ratio);
    read_table(node, "speed_ratio", "", "capacity", "rpm / (N m)^0.5", &speed_ratio, &capacity);
    if (speed_ratio.front() < 0 || speed_ratio.back() >= 1)
      node.at("speed_ratio").error("must lie in 0 .. below 1");
    for (std::size_t i = 0; i < speed_ratio.size(); ++i) {
      const double efficiency = speed_ratio[i] * torque_ratio[i];
      if (efficiency <= 1) continue;
      node.at("torque_ratio")
          .error(concat("gives more power than it takes at speed ratio ", speed_ratio[i], ": ",
                        efficiency, " times"));
    }
    for (double& K : capacity) {
      if (K <= 0) {
        node.at("capacity").error(concat("must be > 0, got ", K));
        K = 1;
      }
      K = 1 / (K * kRpm * K * kRpm);
    }
    d().converter = driveline::make_converter(speed_ratio, torque_ratio, capacity);
  }

  void read_gearbox(const TomlNode& node) {
    driveline::Gearbox& gearbox = d().gearbox;
    gearbox.ratios = node.at("ratios").numbers("");
    if (gearbox.ratios.empty()) node.at("ratios").error("must have at least 1 number");
    for (const double ratio : gearbox.ratios)
      if (ratio <= 0) node.at("ratios").error(concat("must be > 0, got ", ratio));
    gearbox.reverse_ratio = node.at("reverse_ratio").positive("");
    const auto shifts = [&](const char* key) {
      std::vector<double> speeds = node.at(key).numbers("rpm");
      if (speeds.size() + 1 != gearbox.ratios.size()) {
        node.at(key).error(concat("must have one number less than ratios, ",
                                  gearbox.ratios.size() - 1, ", got ", speeds.size()));
        speeds.assign(gearbox.ratios.size(), 0);
      }
      for (std::size_t i = 0; i < speeds.size() && i < gearbox.ratios.size(); ++i)
        speeds[i] = speeds[i] * kRpm / gearbox.ratios[i];
      return speeds;
    };
    gearbox.upshift_full = shifts("upshift_full_rpm");
    gearbox.upshift_closed = shifts("upshift_closed_rpm");
    gearbox.hysteresis = node.at("hysteresis").in_range(0, 1, "");
    gearbox.shift_time = node.at("shift_time").non_negative("s");
  }

  void read_driveline(const TomlNode& node) {
    d().transfer_high = node.get("transfer_high", 1.0).positive("");
    d().transfer_low = node.get("transfer_low", d().transfer_high).positive("");
    d().axle_ratio = node.at("axle_ratio").positive("");
    d().hub_ratio = node.get("hub_ratio", 1.0).positive("");
    d().efficiency = node.at("efficiency").in_range(0.1, 1, "");
    const auto bias = [&](const char* key) { return node.get(key, 1.0).in_range(1, 100, ""); };
    d().center.bias = bias("center_bias");
    d().front.bias = bias("front_bias");
    d().rear.bias = bias("rear_bias");
    d().low_range_lock = node.get("low_range_lock", 0.0).non_negative("N m s/rad");
    const std::string driven =
        node.get("driven", std::string("all")).choice({"all", "front", "rear"});
    d().center.first_share = driven == "front" ? 1 : driven == "rear" ? 0 : 0.5;
    if (driven == "all") {
      d().center.first_share = node.get("front_share", 0.5).in_range(0.01, 0.99, "");
      return;
    }
    for (const char* key : {"front_share", "center_bias", "low_range_lock"})
      if (const TomlNode both = node.find(key))
        both.error(concat("is for driven = \"all\": the ", driven, " wheels alone are driven"));
  }

  void read_brakes(const TomlNode& node) {
    driveline::Brake front, rear;
    front.capacity = node.at("front_capacity").non_negative("N m");
    rear.capacity = node.at("rear_capacity").non_negative("N m");
    equipment_.brakes = {front, front, rear, rear};
    const std::string parking =
        node.get("parking", std::string("rear")).choice({"none", "front", "rear", "all"});
    const bool in_front = parking == "front" || parking == "all";
    const bool behind = parking == "rear" || parking == "all";
    equipment_.has_parking_brake = {in_front, in_front, behind, behind};
    equipment_.brake_lag = node.at("lag").positive("s");
  }

  void read_steering(const TomlNode& node) {
    SteeringGear& gear = equipment_.steering;
    gear.stiffness = node.at("stiffness").positive("N m/rad or N/m");
    gear.damping = node.at("damping").non_negative("N m s/rad or N s/m");
    gear.lag = node.at("lag").positive("s");
    gear.greatest_rate = node.at("greatest_rate").positive("rad/s or m/s");
    gear.greatest_torque = node.at("greatest_torque").positive("N m or N");
    gear.lock = node.at("lock").positive("rad or m");
  }

  void read_air(const TomlNode& node) {
    equipment_.air.drag_area = node.at("drag_area").non_negative("m^2");
    equipment_.air.density = node.get("density", 1.225).non_negative("kg/m^3");
    const std::vector<double> center = node.at("center").numbers(3, "m");
    equipment_.air.center = {center[0], center[1], center[2]};
  }

  TomlFile file_;
  Equipment equipment_;
};

}  // namespace

Equipment read_equipment(TomlFile file) { return Reader(std::move(file)).read(); }

Equipment load_equipment(const std::string& path, const Overrides& overrides,
                         std::string_view part) {
  return read_equipment(load_toml(path, overrides, part));
}

}  // namespace camber::dynamics
