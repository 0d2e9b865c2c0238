// [driver] with its steering, path and speed. Each kind has a read_keys() of its own, which fills
// the law that drives.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "camber/autonomy/path.h"
#include "camber/core/require.h"
#include "camber/scenario/tables.h"

namespace camber::scenario {

const Iso3888Path* find_course(const PathRequest& path) {
  if (const auto* part_2 = std::get_if<Iso3888Part2Path>(&path)) return part_2;
  return std::get_if<Iso3888Path>(&path);
}

bool follows_path(const SteeringRequest& steering) {
  return std::holds_alternative<autonomy::PurePursuit>(steering) ||
         std::holds_alternative<autonomy::Stanley>(steering) ||
         std::holds_alternative<autonomy::PreviewFigures>(steering) ||
         std::holds_alternative<autonomy::MpcFigures>(steering);
}

namespace internal {
namespace {

/// [[time, value], ...] with ascending times; values from low to high.
autonomy::Table read_table(const TomlNode& node, std::string_view unit, double low, double high,
                           double scale = 1) {
  autonomy::Table table;
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
    table.y.push_back(scale * pair[1].in_range(low, high, unit));
  }
  if (node.is_array() && node.elements().empty()) node.error("needs at least one [time, value]");
  return table;
}

// --- Steering ---

double read_start_time(const TomlNode& node) {
  node.renamed("at", "start");
  return number_or(node, "start", 0, 0, kLong, "s");
}

/// The angle of the road wheels or, with the other key, of the steering wheel.
double read_angle(const TomlNode& node) {
  if (const auto wheel = node.find("steering_wheel_deg")) return read_degrees(wheel, 1500);
  return read_degrees(node.at("angle_deg"), 60);
}

double read_frequency(const TomlNode& node) { return node.in_range(1e-3, 50, "Hz"); }

double read_slip(const TomlNode& node, std::string_view key) {
  return number_or(node, key, 0, -0.1, 0.1, "rad s^2/m");
}

void read_keys(const TomlNode&, autonomy::SteerStraight*) {}

void read_keys(const TomlNode& node, autonomy::SteerTable* law) {
  if (const auto wheel = node.find("steering_wheel_table_deg"))
    law->angle = read_table(wheel, "deg", -1500, 1500, kDegree);
  else
    law->angle = read_table(node.at("table_deg"), "deg", -60, 60, kDegree);
}

void read_keys(const TomlNode& node, autonomy::SteerStep* law) {
  law->start = read_start_time(node);
  law->angle = read_angle(node);
  law->rise_time = number_or(node, "rise", 0.1, kShort, 10, "s");
}

void read_keys(const TomlNode& node, autonomy::SteerRamp* law) {
  law->start = read_start_time(node);
  law->angle = read_angle(node);
  law->rate = node.at("rate_deg").in_range(1e-3, 2000, "deg/s") * kDegree;
}

void read_keys(const TomlNode& node, autonomy::SteerSine* law) {
  constexpr double kEndless = 1e9;  // periods
  law->start = read_start_time(node);
  law->amplitude = read_angle(node);
  law->frequency = read_frequency(node.at("frequency"));
  const std::int64_t cycles = node.get("cycles", std::int64_t{1}).integer(0, 1000000);
  law->periods = cycles == 0 ? kEndless : static_cast<double>(cycles);
}

void read_keys(const TomlNode& node, autonomy::SteerSineWithDwell* law) {
  law->start = read_start_time(node);
  law->amplitude = read_angle(node);
  law->frequency = read_frequency(node.get("frequency", 0.7));
  law->dwell = number_or(node, "dwell", 0.5, 0, 10, "s");
}

void read_keys(const TomlNode& node, autonomy::PurePursuit* law) {
  node.renamed("look_ahead_least", "look_ahead_min");
  node.renamed("look_ahead_most", "look_ahead_max");
  law->look_ahead = number_or(node, "look_ahead_time", law->look_ahead, 0, 10, "s");
  law->min_distance = number_or(node, "look_ahead_min", law->min_distance, 0.1, 1000, "m");
  law->max_distance =
      number_or(node, "look_ahead_max", std::max(law->max_distance, law->min_distance),
                law->min_distance, 1000, "m");
  law->understeer = read_slip(node, "understeer");
}

void read_keys(const TomlNode& node, autonomy::Stanley* law) {
  law->gain = number_or(node, "gain", law->gain, 1e-3, 100, "1/s");
  law->soft_speed = number_or(node, "soft_speed", law->soft_speed, 0.01, 50, "m/s");
  law->yaw_damping = number_or(node, "yaw_damping", 0, 0, 10, "s");
  law->front_slip = read_slip(node, "front_slip");
}

void read_keys(const TomlNode& node, autonomy::PreviewFigures* law) {
  node.renamed("preview_least", "preview_min");
  law->horizon = number_or(node, "preview_time", law->horizon, 0.05, 10, "s");
  law->min_distance = number_or(node, "preview_min", law->min_distance, 0.1, 1000, "m");
  law->is_tuned = node.get("tuned", false).boolean();
  law->finds_horizon = law->is_tuned && !node.find("preview_time");
}

void read_keys(const TomlNode& node, autonomy::MpcFigures* law) {
  law->horizon = number_or(node, "horizon", law->horizon, 0.2, 10, "s");
  law->min_distance = number_or(node, "horizon_min", law->min_distance, 0.1, 1000, "m");
  law->delay = number_or(node, "delay", law->delay, 0, 0.9, "s");
  law->deviation = number_or(node, "deviation", law->deviation, 1e-3, 100, "m");
  if (const auto course = node.find("course_deg"))
    law->course = course.in_range(1e-3, 180, "deg") * kDegree;
  if (const auto rate = node.find("rate_deg"))
    law->rate = rate.in_range(1e-3, 1000, "deg/s") * kDegree;
  law->lateral_acceleration =
      number_or(node, "lateral_acceleration", law->lateral_acceleration, 0.1, 50, "m/s^2");
}

void read_steering(const TomlNode& node, Driver* driver) {
  const auto read_limit = [&](std::string_view old_key, std::string_view key, std::string_view unit,
                              std::optional<double>* limit) {
    node.renamed(old_key, key);
    if (const auto given = node.find(key)) *limit = given.in_range(0.1, 1000, unit) * kDegree;
  };
  read_limit("greatest_angle_deg", "max_angle_deg", "deg", &driver->max_angle);
  read_limit("greatest_rate_deg", "max_rate_deg", "deg/s", &driver->max_rate);
  if (const auto after = node.find("hands_off_after"))
    driver->hands_off_after = after.in_range(0, kLong, "s");
  if (const auto torque = node.find("torque")) {
    constexpr double kStrong = 200;  // [N m]
    driver->steering_torque = read_table(torque, "N m", -kStrong, kStrong);
    if (!driver->hands_off_after)
      torque.error("acts after the driver has let go: hands_off_after is missing");
  }
  driver->steering = read_kind<SteeringRequest>(node.at("kind"), kSteeringWords);
  std::visit([&](auto& law) { read_keys(node, &law); }, driver->steering);
  driver->has_wheel_angles =
      node.find("steering_wheel_deg") || node.find("steering_wheel_table_deg");
  // A course between cones asks for a driver who knows the vehicle; a road does not.
  auto* preview = std::get_if<autonomy::PreviewFigures>(&driver->steering);
  if (preview != nullptr && !node.find("preview_time") && !node.find("tuned"))
    preview->is_tuned = preview->finds_horizon = find_course(driver->path) != nullptr;
}

/// From when on the driver no longer looks, and what is held then.
void read_open_loop(const TomlNode& node, Driver* driver) {
  autonomy::OpenLoop loop;
  loop.after = number_or(node, "after", 0, 0, kLong, "s");
  if (const auto place = node.find("after_x")) loop.after_x = place.in_range(-kFar, kFar, "m");
  if (const auto when = node.find("when")) {
    when.choice({"steady"});
    loop.is_when_steady = true;
  }
  loop.holds_steering =
      node.get("steering", std::string("hold")).choice({"hold", "follow"}) == "hold";
  if (const auto pedal = node.find("throttle")) loop.throttle = pedal.in_range(0, 1, "");
  if (const auto pedal = node.find("brake")) loop.brake = pedal.in_range(0, 1, "");
  driver->open_loop = loop;
}

// --- Path ---

void read_keys(const TomlNode&, StraightPath*) {}

void read_keys(const TomlNode& node, CirclePath* path) {
  const double radius = node.at("radius").in_range(1, 1e5, "m");
  const std::string turn = node.get("turn", std::string("left")).choice({"left", "right"});
  path->radius = turn == "left" ? radius : -radius;
}

void check_order(const LaneChange& last, const LaneChange& next, const TomlNode& node) {
  if (last.time && next.time && *next.time < *last.time + last.duration) {
    node.error(concat("starts at ", *next.time, " s, before the previous one ends, at ",
                      *last.time + last.duration, " s"));
  }
  if (last.distance && next.distance && *next.distance <= *last.distance) {
    node.error(
        concat("starts at ", *next.distance, " m, but the previous one at ", *last.distance, " m"));
  }
  if (last.time.has_value() != next.time.has_value())
    node.error("all lane changes of a path start by time, or all by distance");
}

void read_keys(const TomlNode& table, LaneChangePath* path) {
  const TomlNode list = table.at("change");
  for (const TomlNode& node : list.tables()) {
    LaneChange change;
    const TomlNode time = node.find("time"), distance = node.find("distance");
    if (time) change.time = time.in_range(0, kLong, "s");
    if (distance) change.distance = distance.in_range(0, kFar, "m");
    if (change.time.has_value() == change.distance.has_value())
      node.error("starts at a time [s] or at a distance [m]: give one of the two");
    change.offset = node.at("offset").in_range(-100, 100, "m");
    change.duration = node.at("duration").in_range(0.1, 1000, "s");
    if (!path->changes.empty()) check_order(path->changes.back(), change, node);
    path->changes.push_back(change);
  }
  if (list.is_array() && path->changes.empty()) list.error("needs at least one lane change");
}

void read_keys(const TomlNode& node, Iso3888Path* path) {
  path->entry = number_or(node, "entry", 0, 0, kFar, "m");
  path->vehicle_width = node.at("vehicle_width").in_range(0.5, 5, "m");
  path->vehicle_length = node.at("vehicle_length").in_range(1, 30, "m");
  // The narrowest lane, of 1.1 w + 0.25 m, leaves this much on each side.
  const double room = 0.5 * (0.1 * path->vehicle_width + 0.25);
  path->clearance = number_or(node, "clearance", std::min(0.15, room), 0, room, "m");
}

void read_keys(const TomlNode& table, PointPath* path) {
  path->is_closed = table.get("closed", false).boolean();
  const TomlNode node = table.at("points");
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
  if (const auto problem = autonomy::find_path_problem(path->points, path->is_closed))
    (rows.empty() ? node : rows[problem->point]).error(problem->text);
}

void read_keys(const TomlNode& node, RoadPath* path) {
  path->offset = number_or(node, "offset", 0, -100, 100, "m");
}

// --- Speed ---

void read_keys(const TomlNode&, NoPedals*) {}

void read_keys(const TomlNode& node, HoldSpeed* hold) {
  hold->target = node.at("target").in_range(-kFast, kFast, "m/s");
}

void read_keys(const TomlNode& node, autonomy::SpeedProfile* profile) {
  profile->speed = read_table(node.at("table"), "m/s", -kFast, kFast);
}

void read_keys(const TomlNode& node, autonomy::Pedals* pedals) {
  if (const auto table = node.find("throttle")) pedals->throttle = read_table(table, "", 0, 1);
  if (const auto table = node.find("brake")) pedals->brake = read_table(table, "", 0, 1);
}

// --- Gears ---

/// VALUE, or [[time, VALUE], ...] with ascending times.
template <class ReadChoice>
std::vector<autonomy::TimedChoice> read_choices(const TomlNode& node, const ReadChoice& read) {
  std::vector<autonomy::TimedChoice> choices;
  if (!node) return choices;
  if (!node.is_array()) return {{.time = 0, .choice = read(node)}};
  for (const TomlNode& row : node.elements()) {
    const std::vector<TomlNode> pair = row.elements();
    if (pair.size() != 2) {
      if (row.is_array())
        row.error(concat("expected [time, value], found ", pair.size(), " values"));
      continue;
    }
    const double time = pair[0].in_range(0, kLong, "s");
    if (!choices.empty() && time <= choices.back().time)
      pair[0].error(concat("times must increase, got ", time, " after ", choices.back().time));
    choices.push_back({.time = time, .choice = read(pair[1])});
  }
  return choices;
}

int read_selector(const TomlNode& node) {
  const std::string word = node.choice({"P", "R", "N", "D"});
  const auto* found = std::find(std::begin(kSelectorWords), std::end(kSelectorWords), word);
  return found == std::end(kSelectorWords) ? 0 : kSelectorChoices[found - kSelectorWords];
}

/// The gear at the start decides: nobody shifts between forward and reverse.
void check_direction(const TomlNode& node, const Scenario& scenario) {
  const bool is_backward = scenario.vehicle.start.gear < 0;
  const Driver& driver = scenario.driver;
  std::string_view key;
  std::vector<double> targets;
  if (const auto* hold = std::get_if<HoldSpeed>(&driver.speed)) {
    key = "target";
    targets = {hold->target};
  } else if (const auto* profile = std::get_if<autonomy::SpeedProfile>(&driver.speed)) {
    key = "table";
    targets = profile->speed.y;
  }
  for (const double v : targets) {
    if (is_backward ? v <= 0 : v >= 0) continue;
    node.at("speed").at(key).error(
        is_backward
            ? concat("must be <= 0 m/s with vehicle.start.gear = -1, which drives backward, got ",
                     v)
            : concat("must be >= 0 m/s, got ", v, "; to drive backward, vehicle.start.gear = -1"));
    break;
  }
  if (is_backward && follows_path(driver.steering))
    node.at("steering")
        .at("kind")
        .error(
            "follows a path forward: expected vehicle.start.gear >= 0, or a kind that follows no "
            "path");
}

}  // namespace

void read_driver(const TableReading& in, Scenario* scenario) {
  const TomlNode node = in.root.find("driver");
  if (!node) return;
  Driver& driver = scenario->driver;
  driver.sample_time = number_or(node, "sample_time", driver.sample_time, 1e-5, 10, "s");
  scenario->vehicle.start.is_low_range =
      node.get("range", std::string("high")).choice({"high", "low"}) == "low";
  driver.has_parking_brake = node.get("parking_brake", false).boolean();
  driver.gears = read_choices(node.find("gear"), [](const TomlNode& gear) {
    return static_cast<int>(gear.integer(0, 20));
  });
  driver.selectors = read_choices(node.find("selector"), read_selector);
  const TomlNode path = node.find("path");
  if (path) {
    driver.path = read_kind<PathRequest>(path.at("kind"), kPathWords);
    std::visit([&](auto& kind) { read_keys(path, &kind); }, driver.path);
  }
  if (const auto steering = node.find("steering")) read_steering(steering, &driver);
  if (const auto speed = node.find("speed")) {
    driver.speed = read_kind<SpeedRequest>(speed.at("kind"), kSpeedWords);
    std::visit([&](auto& kind) { read_keys(speed, &kind); }, driver.speed);
  }
  if (const auto loop = node.find("open_loop")) read_open_loop(loop, &driver);
  if (follows_path(driver.steering) && !path)
    node.error("steering follows a path: [driver.path] is missing");
  if (in.is_gear_valid) check_direction(node, *scenario);
}

}  // namespace internal
}  // namespace camber::scenario
