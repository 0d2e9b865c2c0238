// [autonomy].

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/scenario/tables.h"

namespace camber::scenario::internal {
namespace {

template <std::size_t N, class Enum>
void read_part(const TomlNode& node, std::string_view key, const std::string_view (&words)[N],
               Enum* part) {
  *part = read_word_or(node, key, words, *part);
}

template <class Kind>
bool has_sensor(const Scenario& scenario) {
  for (const sensors::SensorSpec& spec : scenario.sensors)
    if (std::holds_alternative<Kind>(spec.kind)) return true;
  return false;
}

/// What a part of the stack needs to see.
void check_sensors(const TomlNode& node, const Scenario& scenario, const AutonomySetup& setup) {
  const auto need = [&](bool is_there, std::string_view key, std::string_view word,
                        std::string_view sensor) {
    if (is_there) return;
    const TomlNode given = node.find(key);
    (given ? given : node)
        .error(concat("\"", word, "\" needs a [[sensor]] of kind \"", sensor, "\""));
  };
  if (setup.state != autonomy::StateKind::kTruth) {
    const std::string_view word = autonomy::kStateWords[static_cast<int>(setup.state)];
    need(has_sensor<sensors::ImuSpec>(scenario), "state", word, "imu");
    need(has_sensor<sensors::OdometrySpec>(scenario), "state", word, "wheel_odometry");
    if (setup.state == autonomy::StateKind::kEkf)
      need(has_sensor<sensors::GnssSpec>(scenario), "state", word, "gnss");
  }
  if (setup.map == autonomy::MapKind::kLidar)
    need(has_sensor<sensors::LidarSpec>(scenario), "map", "lidar", "lidar");
  if (setup.map == autonomy::MapKind::kTruth && setup.state != autonomy::StateKind::kTruth)
    node.at("map").error("\"truth\" needs state = \"truth\": the true map is in the world's frame");
}

}  // namespace

void read_autonomy(const TableReading& in, Scenario* scenario) {
  const TomlNode node = in.root.find("autonomy");
  if (!node) return;
  AutonomySetup setup;
  const std::vector<double> goal = node.at("goal").numbers(2, "m");
  for (const double value : goal)
    if (std::abs(value) > kFar) node.at("goal").error(concat("must be within ", kFar, " m"));
  if (goal.size() == 2) setup.goal = {goal[0], goal[1]};
  if (const auto heading = node.find("goal_heading_deg"))
    setup.goal_heading = read_degrees(heading, 360);
  setup.goal_radius = number_or(node, "goal_radius", setup.goal_radius, 0.1, 100, "m");
  read_part(node, "state", autonomy::kStateWords, &setup.state);
  read_part(node, "map", autonomy::kMapWords, &setup.map);
  read_part(node, "local", autonomy::kLocalWords, &setup.local);
  read_part(node, "global", autonomy::kGlobalWords, &setup.global);
  setup.may_reverse = node.get("reverse", setup.may_reverse).boolean();
  const auto number = [&](std::string_view key, double* value, double low, double high,
                          std::string_view unit) {
    *value = number_or(node, key, *value, low, high, unit);
  };
  number("max_speed", &setup.max_speed, 0.1, kFast, "m/s");
  number("deceleration", &setup.deceleration, 0.1, 10, "m/s^2");
  number("lateral_acceleration", &setup.lateral_acceleration, 0.1, 10, "m/s^2");
  number("reaction", &setup.reaction, 0, 5, "s");
  number("plan_period", &setup.plan_period, 0.01, 5, "s");
  setup.arcs = static_cast<int>(node.get("arcs", std::int64_t{setup.arcs}).integer(3, 1001));
  number("arc_length", &setup.arc_length, 1, 200, "m");
  number("margin", &setup.margin, 0, 5, "m");
  if (const auto radius = node.find("min_radius")) setup.min_radius = radius.in_range(1, 1000, "m");
  number("cell", &setup.cell, 0.05, 2, "m");
  number("window", &setup.window, 20, 400, "m");
  number("step_height", &setup.step_height, 0.01, 2, "m");
  number("max_slope", &setup.max_slope, 0.01, 3, "rise over run");
  number("area_cell", &setup.area_cell, 0.1, 10, "m");
  number("area_margin", &setup.area_margin, 10, 1e4, "m");
  number("give_up", &setup.give_up, 0.1, kLong, "s");
  number("no_progress", &setup.no_progress, 1, kLong, "s");
  number("max_sigma", &setup.max_sigma, 0.01, 1000, "m");
  if (setup.window / setup.cell > 2000)
    node.at("cell").error(concat("a window of ", setup.window, " m has more than 2000 cells of ",
                                 setup.cell, " m along a side"));
  const double period = scenario->driver.sample_time;
  if (setup.plan_period < period)
    node.at("plan_period")
        .error(concat("must be >= driver.sample_time = ", period, " s, got ", setup.plan_period));
  if (const TomlNode driver = in.root.find("driver"))
    for (const char* key : {"steering", "path", "speed"})
      if (const TomlNode other = driver.find(key))
        other.error("[autonomy] drives: expected one of the two");
  if (scenario->vehicle.level == VehicleLevel::kPointMass)
    node.error(
        "needs vehicle.level = \"full\" or \"single_track\": a point mass has no reverse gear");
  if (scenario->vehicle.start.gear < 1)
    node.error("needs vehicle.start.gear >= 1: it selects reverse by itself");
  check_sensors(node, *scenario, setup);
  scenario->autonomy = setup;
}

}  // namespace camber::scenario::internal
