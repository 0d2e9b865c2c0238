#include "camber/scenario/simple_facts.h"

#include <algorithm>

#include "camber/dynamics/simple_vehicles.h"
#include "camber/scenario/start_check.h"

namespace camber::scenario {

namespace {

using dynamics::PointMass, dynamics::SingleTrack;

/// One of two on an axle: what a tire's two sides do not have in common cancels.
dynamics::AxleTire make_axle_tire(const tire::RollingTire& tire) {
  if (const auto* magic = std::get_if<tire::MagicFormulaTire>(&tire.steady))
    return without_shifts(*magic);
  return std::visit([](const auto& steady) { return dynamics::AxleTire(steady); }, tire.steady);
}

/// The wheels of a group of axles.
std::vector<int> list_wheels(const dynamics::VehicleFacts& facts,
                             const dynamics::AxleGroup& group) {
  std::vector<int> wheels;
  for (const int axle : group.axles)
    wheels.insert(wheels.end(), facts.axles[axle].wheels.begin(), facts.axles[axle].wheels.end());
  return wheels;
}

dynamics::SimpleBrakes make_brakes(const dynamics::VehicleFacts& facts,
                                   const dynamics::Equipment& equipment) {
  dynamics::SimpleBrakes brakes{.lag = equipment.brake_lag, .spring = equipment.brakes[0]};
  for (const int wheel : list_wheels(facts, facts.front)) {
    brakes.front += equipment.brakes[wheel].capacity;
    brakes.parks_in_front |= equipment.has_parking_brake[wheel];
  }
  for (const int wheel : list_wheels(facts, facts.rear)) {
    brakes.rear += equipment.brakes[wheel].capacity;
    brakes.parks_behind |= equipment.has_parking_brake[wheel];
  }
  return brakes;
}

PointMass make_point_mass(const Scenario& scenario, const SimpleFigures& figures,
                          const dynamics::Equipment& equipment) {
  const bool is_low = scenario.driver.range == Range::kLow;
  const dynamics::VehicleFacts& facts = figures.facts;
  return {
      .mass = facts.mass,
      .wheelbase = facts.wheelbase(),
      .grip_along = figures.tire.grip_along,
      .grip_across = figures.tire.grip_across,
      .drag = 0.5 * equipment.air.density * equipment.air.drag_area,
      .rolling = figures.tire.rolling_resistance,
      .rolling_radius = figures.tire.rolling_radius,
      .wheel_inertia = facts.wheel_inertia,
      .gravity = facts.gravity,
      .brakes = make_brakes(facts, equipment),
      .traction = dynamics::calc_traction_curve(equipment.driveline, figures.tire.rolling_radius,
                                                is_low, std::min(1, scenario.vehicle.start.gear))};
}

SingleTrack make_single_track(const SimpleFigures& figures, const dynamics::Equipment& equipment,
                              const dynamics::VehicleTires& tires) {
  const dynamics::VehicleFacts& facts = figures.facts;
  const std::vector<double> shares = find_shares(equipment.driveline, facts.wheel_count());
  const std::vector<int> front = list_wheels(facts, facts.front),
                         rear = list_wheels(facts, facts.rear);
  double front_drive = 0;
  for (const int wheel : front) front_drive += shares[wheel];
  return {.mass = facts.mass,
          .yaw_inertia = facts.yaw_inertia,
          .front = facts.front.distance,
          .rear = facts.rear.distance,
          .height = facts.height,
          .front_tire = make_axle_tire(*tires.wheels[front[0]].tire),
          .rear_tire = make_axle_tire(*tires.wheels[rear[0]].tire),
          .front_tires = static_cast<double>(facts.front.tires),
          .rear_tires = static_cast<double>(facts.rear.tires),
          .grip = figures.tire.grip_along,
          .drag = 0.5 * equipment.air.density * equipment.air.drag_area,
          .rolling = figures.tire.rolling_resistance,
          .rolling_radius = figures.tire.rolling_radius,
          .wheel_inertia = facts.wheel_inertia,
          .gravity = facts.gravity,
          .front_drive = front_drive,
          .brakes = make_brakes(facts, equipment),
          .driveline = equipment.driveline};
}

}  // namespace

TireFigures find_tire_figures(const tire::RollingTire& tire, double load) {
  TireFigures figures;
  tire::WheelContact<double> rolling{.deflection = find_deflection(tire.vertical, load),
                                     .deflection_rate = 0,
                                     .Vx = 10,
                                     .Vy = 0,
                                     .omega = 0};
  figures.rolling_radius = calc_rolling_radius(tire, rolling.deflection);
  rolling.omega = rolling.Vx / figures.rolling_radius;
  const tire::TireResult<double> r = calc_tire(tire, rolling, tire::TireState<double>{});
  figures.rolling_resistance = -r.force.My / (r.Fz * figures.rolling_radius);
  const Grip grip = find_grip(tire, load, 1);
  figures.grip_along = grip.along;
  figures.grip_across = grip.across;
  return figures;
}

std::unique_ptr<dynamics::Vehicle> make_simple_vehicle(const Scenario& scenario,
                                                       const SimpleFigures& figures,
                                                       const dynamics::Equipment& equipment,
                                                       const dynamics::VehicleTires& tires,
                                                       const terrain::Terrain* terrain) {
  const Start& start = scenario.vehicle.start;
  const dynamics::SimpleVehicleOptions options{
      .step = scenario.run.step,
      .x = start.x,
      .y = start.y,
      .heading = start.heading,
      .speed = start.speed,
      .gear = start.gear,
      .parking_brake = scenario.driver.has_parking_brake ? 1.0 : 0.0,
      .is_low_range = scenario.driver.range == Range::kLow};
  if (scenario.vehicle.level == VehicleLevel::kPointMass)
    return make_point_mass_vehicle(make_point_mass(scenario, figures, equipment), options, terrain);
  return make_single_track_vehicle(make_single_track(figures, equipment, tires), options, terrain);
}

}  // namespace camber::scenario
