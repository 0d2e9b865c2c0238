#include "camber/scenario/build_driver.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "camber/autonomy/course.h"
#include "camber/core/require.h"
#include "camber/scenario/scenario_file.h"

namespace camber::scenario {

using autonomy::Path, autonomy::PathBuilder;

namespace {

DriverTables& tables_of(const DriverVehicle& vehicle, DriverTables* own) {
  return vehicle.tables != nullptr ? *vehicle.tables : *own;
}

constexpr double kStraight = 10;  // an open path continues straight beyond its ends [m]

/// The speed that lane changes by distance are made for.
double find_planned_speed(const SpeedRequest& speed, const dynamics::Start& start) {
  if (const auto* hold = std::get_if<HoldSpeed>(&speed)) return hold->target;
  if (const auto* profile = std::get_if<autonomy::SpeedProfile>(&speed)) {
    const std::vector<double>& targets = profile->speed.y;
    if (!targets.empty()) return *std::max_element(targets.begin(), targets.end());
  }
  return std::max(1.0, start.speed);
}

// Paths of each kind, from the origin in the direction of x.

Path make_path(const StraightPath&, double /*speed*/) {
  return PathBuilder(0, 0, 0).line(kStraight).build();
}

Path make_path(const CirclePath& circle, double /*speed*/) {
  const double radius = std::abs(circle.radius), side = circle.radius > 0 ? 1 : -1;
  return autonomy::make_circle(0, side * radius, radius, -side * 0.5 * std::numbers::pi,
                               circle.radius > 0);
}

Path make_path(const LaneChangePath& lanes, double speed) {
  PathBuilder builder(0, 0, 0);
  double at = kStraight;
  builder.line(kStraight);
  for (const LaneChange& change : lanes.changes) {
    if (!change.distance) continue;
    const double length = change.duration * speed;
    if (*change.distance < at)
      throw SettingError("driver.path.change",
                         concat("one at ", *change.distance,
                                " m starts before the previous one has ended, at ", at, " m"));
    if (!(length > 0))
      throw SettingError("driver.path.change",
                         concat("one at ", *change.distance,
                                " m has no length: the driver's speed is ", speed, " m/s"));
    builder.line(*change.distance - at + 1e-9).lane_change(length, change.offset);
    at = *change.distance + length;
  }
  return builder.line(kStraight).build();
}

Path make_path(const Iso3888Path& course, double /*speed*/) {
  const auto lanes = autonomy::make_iso_3888(course.part, course.vehicle_width);
  return autonomy::make_smoothest_path(lanes, course.vehicle_width, course.clearance, 60)
      .moved(course.entry, 0, 0);
}

Path make_road_path(const RoadPath& path, const terrain::Terrain* ground) {
  const auto* road = ground != nullptr ? std::get_if<terrain::CrgRoad>(&ground->base) : nullptr;
  if (road == nullptr)
    throw SettingError("driver.path.kind",
                       "\"road\" needs a ground.terrain of kind \"crg\": no other ground has a "
                       "reference line");
  constexpr double kSpacing = 2;  // [m]
  std::vector<std::array<double, 2>> points;
  for (const terrain::CrgRoad::LinePoint& p : road->find_line(kSpacing, path.offset))
    points.push_back({p.x, p.y});
  if (const auto problem = autonomy::find_path_problem(points, false))
    throw SettingError("driver.path.offset", concat("the road's line: ", problem->text));
  return autonomy::make_spline(points, false);
}

Path make_path(const RoadPath&, double /*speed*/) { return {}; }  // make_road_path()

Path make_path(const PointPath& path, double /*speed*/) {
  return autonomy::make_spline(path.points, path.is_closed);
}

/// The path in the world.
Path place_path(const Driver& driver, const dynamics::Start& start,
                const terrain::Terrain* ground) {
  if (const auto* road = std::get_if<RoadPath>(&driver.path)) return make_road_path(*road, ground);
  const double speed = find_planned_speed(driver.speed, start);
  const Path path =
      std::visit([&](const auto& kind) { return make_path(kind, speed); }, driver.path);
  if (std::holds_alternative<PointPath>(driver.path)) return path;
  return path.moved(start.x, start.y, start.heading);
}

// Laws that need numbers of the vehicle get them; all others are as the file gives them.

template <class Law>
autonomy::SteeringLaw complete(const Law& law, const DriverVehicle& /*vehicle*/) {
  return law;
}

autonomy::SteeringLaw complete(autonomy::PurePursuit law, const DriverVehicle& vehicle) {
  law.wheelbase = vehicle.front + vehicle.rear;
  return law;
}

autonomy::SteeringLaw complete(autonomy::Stanley law, const DriverVehicle& vehicle) {
  law.wheelbase = vehicle.front + vehicle.rear;
  return law;
}

autonomy::SteeringLaw complete(const autonomy::PreviewFigures& law, const DriverVehicle& vehicle) {
  return autonomy::PreviewSteering(vehicle.tuned != nullptr ? *vehicle.tuned
                                                            : complete_preview(law, vehicle));
}

autonomy::SteeringLaw complete(autonomy::MpcFigures law, const DriverVehicle& vehicle) {
  law.mass = vehicle.mass;
  law.yaw_inertia = vehicle.yaw_inertia;
  law.front = vehicle.front;
  law.rear = vehicle.rear;
  law.front_stiffness = vehicle.front_stiffness;
  law.rear_stiffness = vehicle.rear_stiffness;
  law.is_kinematic = vehicle.is_kinematic;
  return autonomy::MpcSteering(law);
}

// Angles of the steering wheel become those that the driver asks for.

double to_commanded(double wheel_angle, const DriverVehicle& vehicle) {
  if (vehicle.steering_map == nullptr) return wheel_angle / vehicle.steering_ratio;
  const dynamics::SteeringMap& map = *vehicle.steering_map;
  return map.find_angle(map.left_sign() * vehicle.equipment->steering.find_position(wheel_angle));
}

template <class Law>
void convert_angles(const DriverVehicle& /*vehicle*/, Law* /*law*/) {}

void convert_angles(const DriverVehicle& vehicle, autonomy::SteerTable* law) {
  for (double& angle : law->angle.y) angle = to_commanded(angle, vehicle);
}

void convert_angles(const DriverVehicle& vehicle, autonomy::SteerStep* law) {
  law->angle = to_commanded(law->angle, vehicle);
}

void convert_angles(const DriverVehicle& vehicle, autonomy::SteerRamp* law) {
  const double angle = to_commanded(law->angle, vehicle);
  law->rate *= std::abs(angle / law->angle);
  law->angle = angle;
}

void convert_angles(const DriverVehicle& vehicle, autonomy::SteerSine* law) {
  law->amplitude = to_commanded(law->amplitude, vehicle);
}

void convert_angles(const DriverVehicle& vehicle, autonomy::SteerSineWithDwell* law) {
  law->amplitude = to_commanded(law->amplitude, vehicle);
}

}  // namespace

autonomy::PreviewFigures complete_preview(autonomy::PreviewFigures law,
                                          const DriverVehicle& vehicle) {
  law.mass = vehicle.mass;
  law.yaw_inertia = vehicle.yaw_inertia;
  law.front = vehicle.front;
  law.rear = vehicle.rear;
  law.front_stiffness = vehicle.front_stiffness;
  law.rear_stiffness = vehicle.rear_stiffness;
  law.is_kinematic = vehicle.is_kinematic;
  return law;
}

double find_planned_speed(const Driver& driver, const dynamics::Start& start) {
  return find_planned_speed(driver.speed, start);
}

autonomy::SpeedControl make_speed_control(autonomy::SpeedProfile profile,
                                          const dynamics::Start& start,
                                          const DriverVehicle& vehicle) {
  autonomy::SpeedControl control{.profile = std::move(profile)};
  control.is_backward = start.gear < 0;
  if (control.is_backward)
    for (double& speed : control.profile.speed.y) speed = -speed;
  const dynamics::Equipment& equipment = *vehicle.equipment;
  DriverTables own;
  const double radius = vehicle.rolling_radius;
  const double wheels = vehicle.wheel_inertia / (radius * radius);  // [kg]
  TractionCurves traction =
      tables_of(vehicle, &own)
          .find_traction(equipment.driveline, radius, wheels, start.is_low_range,
                         control.is_backward ? start.gear : 1);
  control.mass = vehicle.mass;
  control.gravity = vehicle.gravity;
  control.drag = 0.5 * equipment.air.density * equipment.air.drag_area;
  control.rolling = vehicle.rolling_resistance;
  control.force = std::move(traction.force);
  control.rotating_mass = std::move(traction.rotating_mass);
  control.brake_force = 0;
  for (const driveline::Brake& brake : equipment.brakes)
    control.brake_force += brake.capacity / radius;
  return control;
}

namespace {

autonomy::SpeedLaw make_speed(const SpeedRequest& speed, const dynamics::Start& start,
                              const DriverVehicle& vehicle) {
  if (const auto* pedals = std::get_if<autonomy::Pedals>(&speed)) return *pedals;
  if (const auto* profile = std::get_if<autonomy::SpeedProfile>(&speed))
    return make_speed_control(*profile, start, vehicle);
  if (const auto* hold = std::get_if<HoldSpeed>(&speed))
    return make_speed_control({.speed = {.x = {0}, .y = {hold->target}}}, start, vehicle);
  return autonomy::Pedals{};
}

autonomy::DriverSetup make_setup(const Driver& driver, const dynamics::Start& start,
                                 const DriverVehicle& vehicle) {
  autonomy::DriverSetup setup;
  SteeringRequest steering = driver.steering;
  if (driver.has_wheel_angles)
    std::visit([&](auto& law) { convert_angles(vehicle, &law); }, steering);
  setup.steering = std::visit([&](const auto& law) { return complete(law, vehicle); }, steering);
  setup.speed = make_speed(driver.speed, start, vehicle);
  if (follows_path(driver.steering)) {
    try {
      setup.path = place_path(driver, start, vehicle.terrain);
    } catch (const SettingError&) {
      throw;
    } catch (const std::invalid_argument& error) {
      throw SettingError("driver.path", error.what());
    }
  }
  setup.limits.angle = driver.max_angle.value_or(vehicle.max_steer);
  setup.limits.rate = driver.max_rate.value_or(setup.limits.rate);
  setup.sample_time = driver.sample_time;
  if (driver.hands_off_after) setup.steers_by_torque_from = *driver.hands_off_after;
  if (!driver.steering_torque.x.empty()) setup.steering_torque = driver.steering_torque;
  setup.parking_brake = driver.has_parking_brake ? 1 : 0;
  setup.open_loop = driver.open_loop;
  setup.gears = driver.gears;
  setup.selectors = driver.selectors;
  return setup;
}

}  // namespace

DriverVehicle make_driver_vehicle(const Scenario& scenario, const DriveParts& parts) {
  const dynamics::VehicleFacts& facts = parts.facts;
  return {
      .mass = facts.total_mass(),
      .yaw_inertia = facts.yaw_inertia,
      .front = facts.front.distance,
      .rear = facts.rear.distance,
      .front_stiffness = facts.front.cornering_stiffness,
      .rear_stiffness = facts.rear.cornering_stiffness,
      .rolling_radius = facts.tire.rolling_radius,
      .rolling_resistance = facts.tire.rolling_resistance,
      .wheel_inertia = facts.wheel_inertia,
      .max_steer = facts.max_steer,
      .gravity = facts.gravity,
      .is_kinematic = scenario.vehicle.level == VehicleLevel::kPointMass,
      .steering_ratio = facts.steering_ratio,
      .steering_map = scenario.vehicle.level == VehicleLevel::kFull ? &parts.steering_map : nullptr,
      .equipment = &parts.equipment,
      .terrain = parts.terrain.get(),
      .tables = parts.driver_tables.get()};
}

std::unique_ptr<autonomy::Pilot> build_driver(const Driver& driver, const dynamics::Start& start,
                                              const DriverVehicle& vehicle) {
  std::vector<autonomy::TimedLaneChange> changes;
  const auto* lanes = std::get_if<LaneChangePath>(&driver.path);
  if (lanes != nullptr && follows_path(driver.steering))
    for (const LaneChange& change : lanes->changes)
      if (change.time) changes.push_back({*change.time, change.offset, change.duration});
  return std::make_unique<autonomy::PathPilot>(make_setup(driver, start, vehicle),
                                               std::move(changes));
}

}  // namespace camber::scenario
