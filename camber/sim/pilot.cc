#include "camber/sim/pilot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/autonomy/course.h"
#include "camber/core/require.h"
#include "camber/dynamics/traction_curve.h"
#include "camber/scenario/scenario_file.h"

namespace camber::sim {

using autonomy::Path, autonomy::PathBuilder;
using scenario::LaneChange, scenario::PathKind, scenario::SettingError, scenario::SpeedKind,
    scenario::SteeringKind;

namespace {

constexpr double kSome = 10;  // an open path goes on straight beyond its ends [m]

double first_speed(const scenario::Driver& driver, const scenario::Start& start) {
  const scenario::SpeedSpec& speed = driver.speed;
  if (speed.kind == SpeedKind::kHold) return speed.target;
  if (speed.kind == SpeedKind::kProfile && !speed.profile.y.empty())
    return *std::max_element(speed.profile.y.begin(), speed.profile.y.end());
  return std::max(1.0, start.speed);
}

Path make_lanes(const scenario::Driver& driver, const scenario::Start& start) {
  PathBuilder builder(0, 0, 0);
  double at = 0;
  builder.line(kSome);
  at += kSome;
  for (const LaneChange& change : driver.path.changes) {
    if (!change.distance) continue;
    const double length = change.duration * first_speed(driver, start);
    if (*change.distance < at)
      throw SettingError("driver.path.change",
                         concat("one at ", *change.distance,
                                " m begins before the one before it has ended, at ", at, " m"));
    if (!(length > 0))
      throw SettingError("driver.path.change", concat("one at ", *change.distance,
                                                      " m has no length: the driver's speed "
                                                      "is ",
                                                      first_speed(driver, start), " m/s"));
    builder.line(*change.distance - at + 1e-9).lane_change(length, change.offset);
    at = *change.distance + length;
  }
  return builder.line(kSome).build();
}

Path make_course(const scenario::PathSpec& spec) {
  const auto lanes = autonomy::make_iso_3888_1(spec.vehicle_width);
  return autonomy::make_smoothest_path(lanes, spec.vehicle_width, spec.clearance, 60)
      .moved(spec.entry, 0, 0);
}

Path make_path(const scenario::Driver& driver, const scenario::Start& start) {
  const scenario::PathSpec& spec = driver.path;
  Path path;
  switch (spec.kind) {
    case PathKind::kStraight:
      path = PathBuilder(0, 0, 0).line(kSome).build();
      break;
    case PathKind::kCircle: {
      const double radius = std::abs(spec.radius), side = spec.radius > 0 ? 1 : -1;
      path = autonomy::make_circle(0, side * radius, radius, -side * 0.5 * std::numbers::pi,
                                   spec.radius > 0);
      break;
    }
    case PathKind::kLaneChange:
      path = make_lanes(driver, start);
      break;
    case PathKind::kIso3888:
      path = make_course(spec);
      break;
    case PathKind::kPoints:
      return autonomy::make_spline(spec.points, spec.is_closed);
  }
  return path.moved(start.x, start.y, start.heading);
}

autonomy::Table to_table(const scenario::Table& table) { return {.x = table.x, .y = table.y}; }

autonomy::SteeringLaw make_steering(const scenario::SteeringSpec& spec,
                                    const PilotVehicle& vehicle) {
  using namespace autonomy;
  const double wheelbase = vehicle.front + vehicle.rear;
  switch (spec.kind) {
    case SteeringKind::kNone:
      return SteerTable{.angle = {.x = {0}, .y = {0}}};
    case SteeringKind::kTable:
      return SteerTable{.angle = to_table(spec.table)};
    case SteeringKind::kStep:
      return SteerStep{.start = spec.at, .rise_time = spec.rise, .angle = spec.angle};
    case SteeringKind::kRamp:
      return SteerRamp{.start = spec.at, .rate = spec.rate, .angle = spec.angle};
    case SteeringKind::kSine:
      return SteerSine{.start = spec.at,
                       .amplitude = spec.angle,
                       .frequency = spec.frequency,
                       .periods = spec.cycles == 0 ? 1e9 : static_cast<double>(spec.cycles)};
    case SteeringKind::kSineWithDwell:
      return SteerSineWithDwell{.start = spec.at,
                                .amplitude = spec.angle,
                                .frequency = spec.frequency,
                                .dwell = spec.dwell};
    case SteeringKind::kPurePursuit:
      return PurePursuit{.wheelbase = wheelbase,
                         .look_ahead = spec.look_ahead_time,
                         .least_way = spec.look_ahead_least,
                         .greatest_way = spec.look_ahead_most,
                         .understeer = spec.understeer};
    case SteeringKind::kStanley:
      return Stanley{.wheelbase = wheelbase,
                     .gain = spec.gain,
                     .soft_speed = spec.soft_speed,
                     .yaw_damping = spec.yaw_damping,
                     .front_slip = spec.front_slip};
    case SteeringKind::kPreview:
      return PreviewSteering(PreviewFigures{.mass = vehicle.mass,
                                            .yaw_inertia = vehicle.yaw_inertia,
                                            .front = vehicle.front,
                                            .rear = vehicle.rear,
                                            .front_stiffness = vehicle.front_stiffness,
                                            .rear_stiffness = vehicle.rear_stiffness,
                                            .horizon = spec.preview_time,
                                            .least_way = spec.preview_least});
  }
  return SteerTable{};
}

/// The same vehicle with its rear as the front.
dynamics::TractionCurve reversed(dynamics::TractionCurve curve) {
  std::reverse(curve.speed.begin(), curve.speed.end());
  for (double& speed : curve.speed) speed = -speed;
  for (std::vector<double>& force : curve.force) {
    std::reverse(force.begin(), force.end());
    for (double& f : force) f = -f;
  }
  for (std::vector<double>& mass : curve.mass) std::reverse(mass.begin(), mass.end());
  return curve;
}

autonomy::SpeedLaw make_speed(const scenario::Driver& driver, int gear,
                              const PilotVehicle& vehicle) {
  const scenario::SpeedSpec& spec = driver.speed;
  if (spec.kind == SpeedKind::kNone) return autonomy::Pedals{};
  if (spec.kind == SpeedKind::kOpen)
    return autonomy::Pedals{.throttle = to_table(spec.throttle), .brake = to_table(spec.brake)};
  autonomy::SpeedControl control;
  control.profile.speed = spec.kind == SpeedKind::kHold
                              ? autonomy::Table{.x = {0}, .y = {spec.target}}
                              : to_table(spec.profile);
  control.is_backward = gear < 0;
  if (control.is_backward)
    for (double& speed : control.profile.speed.y) speed = -speed;
  const dynamics::Equipment& equipment = *vehicle.equipment;
  const auto find_traction = [&](int in) {
    return dynamics::calc_traction_curve(equipment.driveline, vehicle.rolling_radius,
                                         driver.range == scenario::Range::kLow, in);
  };
  const dynamics::TractionCurve traction =
      control.is_backward ? reversed(find_traction(gear)) : find_traction(1);
  control.mass = vehicle.mass;
  control.gravity = vehicle.gravity;
  control.drag = 0.5 * equipment.air.density * equipment.air.drag_area;
  control.rolling = vehicle.rolling_resistance;
  control.force.clear();
  for (const std::vector<double>& force : traction.force)
    control.force.push_back({.x = traction.speed, .y = force});
  const double wheels =
      vehicle.wheel_inertia / (vehicle.rolling_radius * vehicle.rolling_radius);  // [kg]
  control.rotating_mass.x = traction.speed;
  control.rotating_mass.y.clear();
  for (std::size_t k = 0; k < traction.speed.size(); ++k)
    control.rotating_mass.y.push_back(wheels +
                                      0.5 * (traction.mass.front()[k] + traction.mass.back()[k]));
  control.brake_force = 0;
  for (const driveline::Brake& brake : equipment.brakes)
    control.brake_force += brake.capacity / vehicle.rolling_radius;
  return control;
}

autonomy::DriverSetup make_setup(const scenario::Driver& driver, const scenario::Start& start,
                                 const PilotVehicle& vehicle) {
  autonomy::DriverSetup setup;
  setup.steering = make_steering(driver.steering, vehicle);
  setup.speed = make_speed(driver, start.gear, vehicle);
  if (driver.steering.follows_path()) {
    try {
      setup.path = make_path(driver, start);
    } catch (const SettingError&) {
      throw;
    } catch (const std::invalid_argument& error) {
      throw SettingError("driver.path", error.what());
    }
  }
  setup.limits.angle = driver.steering.greatest_angle.value_or(vehicle.greatest_steer);
  setup.limits.rate = driver.steering.greatest_rate.value_or(setup.limits.rate);
  setup.sample_time = driver.sample_time;
  return setup;
}

}  // namespace

Pilot::Pilot(const scenario::Driver& driver, const scenario::Start& start,
             const PilotVehicle& vehicle)
    : driver_(make_setup(driver, start, vehicle)) {
  if (driver.path.kind != PathKind::kLaneChange || !driver.steering.follows_path()) return;
  for (const LaneChange& change : driver.path.changes)
    if (change.time) changes_.push_back(change);
  std::stable_sort(changes_.begin(), changes_.end(),
                   [](const LaneChange& a, const LaneChange& b) { return *a.time < *b.time; });
}

Path Pilot::make_path(const Begun& change) {
  return PathBuilder(0, 0, 0)
      .line(kSome)
      .lane_change(change.length, change.offset)
      .line(kSome)
      .build()
      .moved(change.x, change.y, change.heading);
}

// From the path's point below the vehicle, along the path's direction there.
void Pilot::begin_change(const autonomy::VehicleView& view) {
  const LaneChange& change = changes_[begun_.size()];
  const autonomy::PathFoot foot = path().project(view.x, view.y, driver_.foot());
  const double heading = autonomy::heading(foot.point);
  begun_.push_back({foot.point.x - kSome * std::cos(heading),
                    foot.point.y - kSome * std::sin(heading), heading,
                    std::max(1.0, view.speed) * change.duration, change.offset});
  Path path = make_path(begun_.back());
  const autonomy::PathFoot there = path.find_nearest(view.x, view.y);
  driver_.follow(std::move(path), there);
}

autonomy::Command Pilot::update(const autonomy::VehicleView& view) {
  const autonomy::Command before = driver_.update(view);
  if (begun_.size() < changes_.size() && view.time >= *changes_[begun_.size()].time - 1e-9)
    begin_change(view);
  if (has_path()) {
    const autonomy::PathPoint& point = driver_.foot().point;
    if (sketch_.empty() || std::hypot(point.x - sketch_.back()[0], point.y - sketch_.back()[1]) > 1)
      sketch_.push_back({point.x, point.y});
  }
  return before;
}

std::vector<double> Pilot::state() const {
  std::vector<double> state = driver_.state();
  state.push_back(static_cast<double>(begun_.size()));
  for (const Begun& b : begun_)
    state.insert(state.end(), {b.x, b.y, b.heading, b.length, b.offset});
  return state;
}

void Pilot::set_state(const std::vector<double>& state) {
  const std::size_t own = driver_.state().size();
  require(state.size() > own, "Pilot::set_state: ", state.size(), " numbers");
  const auto count = static_cast<std::size_t>(state[own]);
  require(count <= changes_.size() && state.size() == own + 1 + 5 * count,
          "Pilot::set_state: ", state.size(), " numbers for ", count, " lane changes");
  begun_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const double* at = &state[own + 1 + 5 * k];
    begun_.push_back({at[0], at[1], at[2], at[3], at[4]});
  }
  if (!begun_.empty()) driver_.follow(make_path(begun_.back()), {});
  driver_.set_state({state.begin(), state.begin() + static_cast<std::ptrdiff_t>(own)});
}

}  // namespace camber::sim
