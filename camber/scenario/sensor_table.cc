// [[sensor]].

#include <set>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/scenario/tables.h"
#include "camber/sensors/lidar_pattern.h"
#include "camber/sensors/sensor_file.h"

namespace camber::scenario::internal {
namespace {

/// The place of a value that the table or its model gives.
TomlNode find_value(const TomlNode& table, const char* key) {
  const TomlNode own = table.find(key);
  if (own) return own;
  const TomlNode model = table.find("model");
  return model ? model : table;
}

/// Between two states of the dynamics there is nothing more to measure.
void check_rate(const TomlNode& table, const sensors::SensorSpec& spec, double step) {
  const double rate = spec.timing.rate;
  if (rate * step <= 1 + kRounding) return;
  find_value(table, "rate")
      .error(concat("no step can serve a rate of ", short_text(rate),
                    " Hz: must be <= 1/run.step = ", short_text(1 / step), " Hz"));
}

void check_pattern(const TomlNode& table, const sensors::SensorSpec& spec) {
  const auto* lidar = std::get_if<sensors::LidarSpec>(&spec.kind);
  if (lidar == nullptr) return;
  try {
    sensors::make_lidar_pattern(*lidar, spec.timing.rate);
  } catch (const std::invalid_argument& error) {
    find_value(table, "pattern").error(error.what());
  }
}

}  // namespace

void read_sensors(const TableReading& in, Scenario* scenario) {
  const TomlNode list = in.root.find("sensor");
  if (!list) return;
  std::set<std::string> names;
  for (const TomlNode& table : list.tables()) {
    const std::size_t mistakes = in.found->error_count();
    const sensors::SensorSpec spec = sensors::read_sensor(table, in.folder);
    if (in.found->error_count() != mistakes) continue;
    if (!names.insert(spec.name).second)
      table.at("name").error(concat("there is another sensor \"", spec.name, "\""));
    check_rate(table, spec, scenario->run.step);
    check_pattern(table, spec);
    if (std::holds_alternative<sensors::OdometrySpec>(spec.kind) &&
        scenario->vehicle.level != VehicleLevel::kFull)
      find_value(table, "sensor").error("wheel_odometry needs vehicle.level = \"full\"");
    scenario->sensors.push_back(spec);
  }
}

}  // namespace camber::scenario::internal
