#include "camber/scenario/describe.h"

#include <cmath>
#include <numbers>

#include "camber/autonomy/path.h"
#include "camber/core/require.h"
#include "camber/figures/key_figures.h"

namespace camber::scenario {
namespace {

/// A number with six significant digits, without trailing zeros.
std::string number(double x) {
  if (x == 0) return "0";
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(x))));
  return concat(std::round(x * scale) / scale);
}

std::string degrees(double radians) { return number(radians * 180 / std::numbers::pi) + " deg"; }

std::string describe_start(const dynamics::Start& start) {
  std::string text = start.speed == 0 ? "from rest" : concat("from ", number(start.speed), " m/s");
  if (start.x != 0 || start.y != 0)
    text += concat(" at (", number(start.x), ", ", number(start.y), ") m");
  if (start.heading != 0) text += concat(", heading ", degrees(start.heading));
  if (start.gear == 0) text += ", in neutral";
  if (start.gear < 0) text += ", in reverse";
  return text;
}

std::string describe_vehicle(const VehicleSetup& vehicle) {
  std::string text = concat(vehicle.model, ", ", word_of(vehicle.level, kVehicleLevelWords));
  if (vehicle.level == VehicleLevel::kFull)
    text += concat(", ", word_of(vehicle.formulation, kFormulationWords));
  double mass = 0;
  for (const Payload& payload : vehicle.payload) mass += payload.mass;
  if (mass > 0) text += concat(", payload ", number(mass), " kg");
  if (vehicle.center_of_mass_height)
    text += concat(", center of mass at ", number(*vehicle.center_of_mass_height), " m");
  return concat(text, "; ", describe_start(vehicle.start));
}

std::string describe_ground(const Ground& ground) {
  std::string text = ground.city.empty() ? ground.terrain : ground.city;
  if (text.empty()) {
    text = concat(ground.slope == 0 ? "flat" : concat("slope ", number(100 * ground.slope), " %"),
                  ", ", ground.soil);
  }
  if (ground.soil_level != SoilLevel::kRigid)
    text += concat(", soil as ", word_of(ground.soil_level, kSoilLevelWords));
  text += concat(", friction x ", number(ground.friction));
  const std::size_t bumps = ground.bumps.size();
  if (bumps > 0) text += concat(", ", bumps, bumps == 1 ? " bump" : " bumps");
  return text;
}

// Paths of each kind.

std::string describe_path(const StraightPath&) { return "straight"; }

std::string describe_path(const CirclePath& circle) {
  return concat("circle of ", number(std::abs(circle.radius)), " m to the ",
                circle.radius > 0 ? "left" : "right");
}

std::string describe_path(const LaneChangePath& path) {
  return concat(path.changes.size(), path.changes.size() == 1 ? " lane change" : " lane changes");
}

std::string describe_path(const Iso3888Path& course) { return concat("iso3888_", course.part); }

std::string describe_path(const RoadPath& path) {
  return path.offset == 0
             ? "the road's reference line"
             : concat("a line ", number(std::abs(path.offset)), " m to the ",
                      path.offset > 0 ? "left" : "right", " of the road's reference line");
}

/// The min radius shows whether a vehicle can follow the points.
std::string describe_path(const PointPath& path) {
  const autonomy::Path curve = autonomy::make_spline(path.points, path.is_closed);
  const double min = curve.min_radius();
  std::string text = concat(path.points.size(), path.is_closed ? " points, closed, " : " points, ",
                            number(std::round(curve.length() * 10) / 10), " m");
  if (min < 1e4) text += concat(", min radius ", number(std::round(min * 10) / 10), " m");
  return text;
}

std::string describe_autonomy(const AutonomySetup& setup) {
  return concat("to the goal at ", number(setup.goal.x), " m, ", number(setup.goal.y),
                " m with at most ", number(setup.max_speed), " m/s; state ",
                word_of(setup.state, autonomy::kStateWords), ", map ",
                word_of(setup.map, autonomy::kMapWords), ", local ",
                word_of(setup.local, autonomy::kLocalWords), ", global ",
                word_of(setup.global, autonomy::kGlobalWords));
}

std::string describe_driver(const Driver& driver, const dynamics::Start& start) {
  std::string text = concat("steering ", kind_of(driver.steering, kSteeringWords));
  if (follows_path(driver.steering)) {
    text += " along ";
    text += std::visit([](const auto& path) { return describe_path(path); }, driver.path);
  }
  text += concat("; speed ", kind_of(driver.speed, kSpeedWords));
  if (const auto* hold = std::get_if<HoldSpeed>(&driver.speed))
    text += concat(" ", number(hold->target), " m/s");
  if (start.is_low_range) text += "; low range";
  if (driver.has_parking_brake) text += "; parking brake set";
  return text;
}

std::string describe_stop(const StopCondition& stop) {
  const bool is_angle = stop.kind == StopKind::kRollAbove;
  const double value = is_angle ? stop.value * 180 / std::numbers::pi : stop.value;
  return concat(word_of(stop.outcome, kStopOutcomeWords), " at ",
                word_of(stop.kind, kStopKindWords), " ", number(value));
}

}  // namespace

std::string describe_bounds(const figures::FigureRequest& request) {
  const figures::KeyFigure* figure = figures::find_key_figure(request.figure);
  const std::string unit =
      figure == nullptr || figure->unit == "1" ? "" : concat(" ", figure->unit);
  if (request.min && request.max)
    return concat(number(*request.min), " to ", number(*request.max), unit);
  if (request.min) return concat("at least ", number(*request.min), unit);
  if (request.max) return concat("at most ", number(*request.max), unit);
  return "";
}

std::string describe(const OtherVehicle& other) {
  return concat(other.name, ": ", describe_vehicle(other.vehicle), "; ",
                describe_driver(other.driver, other.vehicle.start));
}

std::vector<std::pair<std::string, std::string>> describe(const Scenario& s) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (!s.about.empty()) lines.emplace_back("about", s.about);
  lines.emplace_back("vehicle", describe_vehicle(s.vehicle));
  lines.emplace_back(
      "tire", concat(word_of(s.tire.model, kTireModelWords), s.tire.file.empty() ? "" : " of ",
                     s.tire.file, ", contact ", word_of(s.tire.contact, kContactModeWords)));
  lines.emplace_back("ground", describe_ground(s.ground));
  lines.emplace_back("driver", s.autonomy ? describe_autonomy(*s.autonomy)
                                          : describe_driver(s.driver, s.vehicle.start));
  lines.emplace_back("run", concat(number(s.run.duration), " s in steps of ", number(s.run.step),
                                   " s (", word_of(s.run.method), "), samples every ",
                                   number(s.run.sample_interval), " s"));
  for (const sensors::SensorSpec& sensor : s.sensors)
    lines.emplace_back("sensor", concat(sensor.name, ": ", sensor.kind_word(),
                                        sensor.like.empty() ? "" : concat(" like ", sensor.like),
                                        ", ", number(sensor.timing.rate), " Hz"));
  for (const OtherVehicle& other : s.others) lines.emplace_back("other", describe(other));
  for (const world::MovingThing& thing : s.things)
    lines.emplace_back(
        "thing",
        concat(thing.name, ": ", number(thing.outline.front - thing.outline.rear), " x ",
               number(thing.outline.left - thing.outline.right), " x ", number(thing.height),
               " m, ", thing.track.size(), thing.track.size() == 1 ? " point" : " points"));
  for (const StopCondition& stop : s.stops) lines.emplace_back("stop", describe_stop(stop));
  for (const figures::FigureRequest& figure : s.figures) {
    const std::string bounds = describe_bounds(figure);
    lines.emplace_back("figure", bounds.empty() ? figure.name : concat(figure.name, ": ", bounds));
  }
  return lines;
}

}  // namespace camber::scenario
