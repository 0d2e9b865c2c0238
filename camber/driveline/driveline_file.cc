#include "camber/driveline/driveline_file.h"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"

namespace camber::driveline {
namespace {

constexpr double kRpm = std::numbers::pi / 30;  // [rad/s]

/// A table of two arrays: the first ascends, both are equally long.
void read_table(const TomlNode& node, const char* x_key, const char* x_unit, const char* y_key,
                const char* y_unit, std::vector<double>* x, std::vector<double>* y) {
  *x = node.at(x_key).numbers(x_unit);
  *y = node.at(y_key).numbers(y_unit);
  if (x->size() < 2) {
    node.at(x_key).error("must have at least 2 numbers");
    *x = {0, 1};
  }
  for (std::size_t i = 1; i < x->size(); ++i) {
    if ((*x)[i] > (*x)[i - 1]) continue;
    node.at(x_key).error(concat("must ascend: ", (*x)[i], " comes after ", (*x)[i - 1]));
    std::iota(x->begin(), x->end(), 0.0);  // to go on with
    break;
  }
  if (y->size() != x->size()) {
    node.at(y_key).error(
        concat("must have as many numbers as ", x_key, ", ", x->size(), ", got ", y->size()));
    y->assign(x->size(), 0);
  }
}

void scale(double factor, std::vector<double>* values) {
  for (double& value : *values) value *= factor;
}

Engine read_engine(const TomlNode& node) {
  Engine engine;
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
  return engine;
}

TorqueConverter read_converter(const TomlNode& node) {
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
  return make_converter(speed_ratio, torque_ratio, capacity);
}

Coupling read_clutch(const TomlNode& node) {
  Coupling clutch;
  clutch.capacity = node.at("capacity").positive("N m");
  clutch.stiffness = node.at("stiffness").positive("N m/rad");
  clutch.damping = node.get("damping", 0.002).non_negative("s");
  clutch.closes_from = kRpm * node.at("closes_from_rpm").positive("rpm");
  clutch.closes_to = kRpm * node.at("closes_to_rpm").positive("rpm");
  if (clutch.closes_to <= clutch.closes_from) {
    node.at("closes_to_rpm").error("must be above closes_from_rpm");
    clutch.closes_to = clutch.closes_from + 1;
  }
  return clutch;
}

Fuel read_fuel(const TomlNode& node) {
  Fuel fuel;
  fuel.efficiency = node.at("efficiency").in_range(0.01, 1, "");
  fuel.loss_torque = node.at("loss_torque").non_negative("N m");
  fuel.heating_value = node.get("heating_value", fuel.heating_value).positive("J/kg");
  fuel.density = node.get("density", fuel.density).positive("kg/m^3");
  return fuel;
}

Battery read_battery(const TomlNode& node) {
  Battery battery;
  std::vector<double> charge, voltage;
  read_table(node, "charge", "", "voltage", "V", &charge, &voltage);
  for (double& U : voltage) {
    if (U > 0) continue;
    node.at("voltage").error(concat("must be > 0 V, got ", U));
    U = 1;
  }
  battery.voltage = {charge, voltage};
  battery.resistance = node.at("resistance").non_negative("ohm");
  battery.capacity = 3600 * node.at("capacity_ah").positive("A h");
  battery.start_charge = node.get("start_charge", battery.start_charge).in_range(0, 1, "");
  return battery;
}

/// A motor takes the place of engine and converter.
void read_motor(const TomlNode& root, const TomlNode& node, Driveline* d) {
  std::vector<double> speed, torque;
  read_table(node, "speed_rpm", "rpm", "torque", "N m", &speed, &torque);
  scale(kRpm, &speed);
  ElectricDrive& electric = d->electric.emplace();
  electric.fade_speed = kRpm * node.get("fade_rpm", 300.0).positive("rpm");
  const double coast = node.get("coast_torque", 0.0).non_negative("N m"),
               top = std::max(speed.back(), 2 * electric.fade_speed);
  d->engine.torque = {speed, torque};
  d->engine.motoring = {{0, electric.fade_speed, top}, {0, -coast, -coast}};
  d->engine.inertia = node.at("inertia").positive("kg m^2");
  d->engine.idle_speed = 0;
  d->engine.idle_span = 1e12;  // it does not idle
  Coupling& shaft = d->coupling.emplace();
  shaft.is_clutch = false;
  shaft.stiffness = node.at("shaft_stiffness").positive("N m/rad");
  shaft.damping = node.at("shaft_damping").non_negative("N m s/rad");
  electric.regeneration = node.get("regeneration", 0.0).in_range(0, 1, "");
  electric.auxiliary = node.get("auxiliary", 0.0).non_negative("W");
  const TomlNode loss = node.at("loss");
  electric.losses.copper = loss.at("copper").non_negative("W/(N m)^2");
  electric.losses.iron = loss.at("iron").non_negative("W s");
  electric.losses.windage = loss.get("windage", 0.0).non_negative("W s^3");
  electric.losses.constant = loss.get("constant", 0.0).non_negative("W");
  electric.battery = read_battery(root.at("battery"));
}

/// The gears between motor and axle.
Gearbox read_motor_gears(const TomlNode& node) {
  Gearbox gearbox;
  gearbox.ratios = {node.at("ratio").positive("")};
  gearbox.reverse_ratio = gearbox.ratios[0];
  gearbox.shift_time = 0.1;
  return gearbox;
}

Gearbox read_gearbox(const TomlNode& node) {
  Gearbox gearbox;
  gearbox.ratios = node.at("ratios").numbers("");
  if (gearbox.ratios.empty()) node.at("ratios").error("must have at least 1 number");
  for (const double ratio : gearbox.ratios)
    if (ratio <= 0) node.at("ratios").error(concat("must be > 0, got ", ratio));
  gearbox.reverse_ratio = node.at("reverse_ratio").positive("");
  const auto shifts = [&](const char* key) {
    std::vector<double> speeds = node.at(key).numbers("rpm");
    if (!gearbox.ratios.empty() && speeds.size() + 1 != gearbox.ratios.size()) {
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
  gearbox.shift_time = node.at("shift_time").positive("s");
  gearbox.torque_phase = node.get("torque_phase", gearbox.torque_phase).in_range(0.05, 0.95, "");
  gearbox.shift_torque = node.get("shift_torque", gearbox.shift_torque).in_range(0, 1, "");
  gearbox.reserve = node.get("reserve", gearbox.reserve).in_range(0, 10, "");
  gearbox.reversal_time = node.get("reversal_time", gearbox.reversal_time).in_range(0, 60, "s");
  return gearbox;
}

/// Makes a tree of the tables [driveline.differential.NAME]. An axle is a differential of its own
/// between its wheels, with or without a table.
class TreeReader {
 public:
  TreeReader(const TomlNode& differentials, std::span<const AxleWheels> axles, Driveline* d)
      : node_(differentials), axles_(axles), d_(d) {}

  void read() {
    for (const TomlNode& table : node_.entries()) read_table(table);
    for (std::size_t i = 0; i < tables_.size(); ++i) read_outputs(tables_[i]);
    if (has_mistakes_) return;
    const Table* root = find_root();
    if (root == nullptr) return;
    add(root->name, root->node);
    for (const Table& table : tables_)
      if (!table.is_used) note(table.node, "nothing drives it but what it drives itself");
  }

 private:
  struct Table {
    std::string name;
    TomlNode node;
    Differential law;
    double low_range_lock = 0, lock = 0;
    bool is_locked = false;
    std::vector<std::string> outputs;
    const AxleWheels* axle = nullptr;  // or it has outputs
    bool is_driven = false;            // by another differential
    bool is_used = false;
  };

  void note(const TomlNode& node, const std::string& text) {
    node.error(text);
    has_mistakes_ = true;
  }

  const AxleWheels* find_axle(const std::string& name) const {
    const auto found = std::ranges::find(axles_, name, &AxleWheels::name);
    return found == axles_.end() ? nullptr : &*found;
  }

  Table* find_table(const std::string& name) {
    const auto found = std::ranges::find(tables_, name, &Table::name);
    return found == tables_.end() ? nullptr : &*found;
  }

  void read_table(const TomlNode& node) {
    Table table{.name = node.key(), .node = node, .law = {}, .outputs = {}};
    table.axle = find_axle(table.name);
    if (!node.is_table()) {
      note(node, "expected a table");
      return;
    }
    table.law.bias = node.get("bias", 1.0).in_range(1, 100, "");
    table.law.preload = node.get("preload", 0.0).non_negative("N m");
    table.low_range_lock = node.get("low_range_lock", 0.0).non_negative("N m s/rad");
    table.lock = node.get("lock", 0.0).non_negative("N m s/rad");
    table.is_locked = node.get("locked", false).boolean();
    if (table.is_locked && table.lock == 0)
      note(node.at("locked"), "needs lock, the stiffness of its clutch [N m s/rad]");
    const TomlNode outputs = node.find("outputs");
    if (table.axle != nullptr) {
      if (outputs) note(outputs, "an axle's differential drives its two wheels: leave it out");
      if (const TomlNode share = node.find("share"))
        note(share, "an axle's differential has equal shares: leave it out");
      if (table.axle->is_towed) note(node, "is an axle of the trailer: no shaft leads there");
    } else if (!outputs) {
      std::vector<std::string> names;
      for (const AxleWheels& axle : axles_) names.push_back(axle.name);
      note(node, concat("is not an axle and has no outputs: expected outputs = [\"FIRST\", "
                        "\"SECOND\"]",
                        did_you_mean(table.name, names)));
    } else {
      table.outputs = outputs.texts();
      table.law.first_share = node.get("share", 0.5).in_range(0.01, 0.99, "");
      if (table.outputs.size() != 2)
        note(outputs, concat("must be 2 names, got ", table.outputs.size()));
    }
    tables_.push_back(std::move(table));
  }

  void read_outputs(const Table& table) {
    for (const std::string& name : table.outputs) {
      Table* other = find_table(name);
      const AxleWheels* axle = find_axle(name);
      if (other == nullptr && axle == nullptr) {
        std::vector<std::string> names;
        for (const AxleWheels& known : axles_) names.push_back(known.name);
        for (const Table& known : tables_) names.push_back(known.name);
        note(table.node.at("outputs"),
             concat("there is no axle or differential \"", name, "\"", did_you_mean(name, names)));
      } else if (std::ranges::find(driven_, name) != driven_.end()) {
        note(table.node.at("outputs"), concat("\"", name, "\" is driven twice"));
      } else if (axle != nullptr && axle->is_towed) {
        note(table.node.at("outputs"),
             concat("\"", name, "\" is an axle of the trailer: no shaft leads there"));
      }
      driven_.push_back(name);
      if (other != nullptr) other->is_driven = true;
    }
  }

  const Table* find_root() {
    const Table* root = nullptr;
    for (const Table& table : tables_) {
      if (table.is_driven) continue;
      if (root != nullptr) {
        note(table.node, concat("nothing drives it, nor \"", root->name,
                                "\": expected one differential from which all others are driven"));
        return nullptr;
      }
      root = &table;
    }
    if (root == nullptr && tables_.empty())
      note(node_, "expected at least one differential, such as that of a driven axle");
    if (root == nullptr && !tables_.empty())
      note(tables_.front().node, "the differentials drive each other in a circle");
    return root;
  }

  /// Adds a differential and all that it drives; returns its place.
  int add(const std::string& name, const TomlNode& place) {
    if (d_->differentials.size() == kMaxDifferentials) {
      note(place, concat("there are more than ", kMaxDifferentials, " differentials"));
      return 0;
    }
    const auto at = static_cast<int>(d_->differentials.size());
    d_->differentials.emplace_back();
    Table* table = find_table(name);
    DifferentialNode node;
    if (table != nullptr) {
      table->is_used = true;
      node.law = table->law;
      node.low_range_lock = table->low_range_lock;
      node.lock = table->lock;
      node.locked = table->is_locked ? 1 : 0;
    }
    if (const AxleWheels* axle = find_axle(name)) {
      node.outputs[0].wheel = axle->left;
      node.outputs[1].wheel = axle->right;
      if (axle->right < 0) node.law = {.first_share = 1, .bias = 1};
    } else {
      for (std::size_t k = 0; k < 2; ++k)
        node.outputs[k].differential = add(table->outputs[k], table->node);
    }
    d_->differentials[static_cast<std::size_t>(at)] = node;
    return at;
  }

  TomlNode node_;
  std::span<const AxleWheels> axles_;
  Driveline* d_;
  std::vector<Table> tables_;
  std::vector<std::string> driven_;
  bool has_mistakes_ = false;
};

/// Keys of earlier versions, by what takes their place.
void report_old_keys(const TomlNode& node) {
  const std::pair<const char*, const char*> old_keys[] = {
      {"center_bias", "[driveline.differential.center] bias"},
      {"front_bias", "[driveline.differential.front] bias"},
      {"rear_bias", "[driveline.differential.rear] bias"},
      {"low_range_lock", "[driveline.differential.center] low_range_lock"},
      {"front_share", "[driveline.differential.center] share"},
      {"driven",
       "[driveline.differential.NAME], NAME being the driven axle, or a differential "
       "with outputs = [\"front\", \"rear\"]"}};
  for (const auto& [key, now] : old_keys)
    if (const TomlNode old = node.find(key)) old.error(concat("is now ", now));
}

}  // namespace

int count_wheels(std::span<const AxleWheels> axles) {
  int last = -1;
  for (const AxleWheels& axle : axles) last = std::max({last, axle.left, axle.right});
  return last + 1;
}

Driveline read_driveline(const TomlNode& root, std::span<const AxleWheels> axles) {
  Driveline d;
  if (const TomlNode motor = root.find("motor")) {
    read_motor(root, motor, &d);
    d.gearbox = read_motor_gears(root.at("gearbox"));
  } else {
    const TomlNode engine = root.at("engine"), clutch = root.find("clutch");
    d.engine = read_engine(engine);
    if (const TomlNode fuel = engine.find("fuel")) d.fuel = read_fuel(fuel);
    if (clutch)
      d.coupling = read_clutch(clutch);
    else
      d.converter = read_converter(root.at("converter"));
    d.gearbox = read_gearbox(root.at("gearbox"));
    d.gearbox.is_manual = static_cast<bool>(clutch);
  }
  const TomlNode node = root.at("driveline");
  report_old_keys(node);
  d.transfer_high = node.get("transfer_high", 1.0).positive("");
  d.transfer_low = node.get("transfer_low", d.transfer_high).positive("");
  d.axle_ratio = node.at("axle_ratio").positive("");
  d.hub_ratio = node.get("hub_ratio", 1.0).positive("");
  d.efficiency = node.at("efficiency").in_range(0.1, 1, "");
  const TomlNode differentials = node.at("differential");
  if (differentials) TreeReader(differentials, axles, &d).read();
  return d;
}

}  // namespace camber::driveline
