#include "camber/scenario/build_driver.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/autonomy/course.h"
#include "camber/core/require.h"
#include "camber/dynamics/traction_curve.h"
#include "camber/scenario/scenario_file.h"

namespace camber::scenario {

using autonomy::Path, autonomy::PathBuilder;

namespace {

constexpr double kStraight = 10;  // an open path continues straight beyond its ends [m]

double first_speed(const Driver& driver, const Start& start) {
  const SpeedSpec& speed = driver.speed;
  if (speed.kind == SpeedKind::kHold) return speed.target;
  if (speed.kind == SpeedKind::kProfile && !speed.profile.y.empty())
    return *std::max_element(speed.profile.y.begin(), speed.profile.y.end());
  return std::max(1.0, start.speed);
}

Path make_lanes(const Driver& driver, const Start& start) {
  PathBuilder builder(0, 0, 0);
  double at = 0;
  builder.line(kStraight);
  at += kStraight;
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
  return builder.line(kStraight).build();
}

Path make_course(const PathSpec& spec) {
  const auto lanes = autonomy::make_iso_3888_1(spec.vehicle_width);
  return autonomy::make_smoothest_path(lanes, spec.vehicle_width, spec.clearance, 60)
      .moved(spec.entry, 0, 0);
}

Path make_path(const Driver& driver, const Start& start) {
  const PathSpec& spec = driver.path;
  Path path;
  switch (spec.kind) {
    case PathKind::kStraight:
      path = PathBuilder(0, 0, 0).line(kStraight).build();
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

autonomy::Table to_table(const Table& table) { return {.x = table.x, .y = table.y}; }

autonomy::SteeringLaw make_steering(const SteeringSpec& spec, const DriverVehicle& vehicle) {
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

autonomy::SpeedLaw make_speed(const Driver& driver, int gear, const DriverVehicle& vehicle) {
  const SpeedSpec& spec = driver.speed;
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
                                         driver.range == Range::kLow, in);
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

autonomy::DriverSetup make_setup(const Driver& driver, const Start& start,
                                 const DriverVehicle& vehicle) {
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
  setup.limits.angle = driver.steering.greatest_angle.value_or(vehicle.max_steer);
  setup.limits.rate = driver.steering.greatest_rate.value_or(setup.limits.rate);
  setup.sample_time = driver.sample_time;
  setup.parking_brake = driver.has_parking_brake ? 1 : 0;
  return setup;
}

}  // namespace

std::unique_ptr<autonomy::Pilot> build_driver(const Driver& driver, const Start& start,
                                              const DriverVehicle& vehicle) {
  std::vector<autonomy::TimedLaneChange> changes;
  if (driver.path.kind == PathKind::kLaneChange && driver.steering.follows_path())
    for (const LaneChange& change : driver.path.changes)
      if (change.time) changes.push_back({*change.time, change.offset, change.duration});
  return std::make_unique<autonomy::Pilot>(make_setup(driver, start, vehicle), std::move(changes));
}

}  // namespace camber::scenario
