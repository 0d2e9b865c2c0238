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

dynamics::SimpleBrakes make_brakes(const dynamics::Equipment& equipment) {
  const auto& brakes = equipment.brakes;
  const auto& parks = equipment.has_parking_brake;
  return {.front = brakes[0].capacity + brakes[1].capacity,
          .rear = brakes[2].capacity + brakes[3].capacity,
          .parks_in_front = parks[0],
          .parks_behind = parks[2],
          .lag = equipment.brake_lag,
          .spring = brakes[0]};
}

PointMass make_point_mass(const Scenario& scenario, const SimpleFigures& figures,
                          const dynamics::Equipment& equipment) {
  const bool is_low = scenario.driver.range == Range::kLow;
  return {
      .mass = figures.mass,
      .wheelbase = figures.front + figures.rear,
      .grip_along = figures.tire.grip_along,
      .grip_across = figures.tire.grip_across,
      .drag = 0.5 * equipment.air.density * equipment.air.drag_area,
      .rolling = figures.tire.rolling_resistance,
      .rolling_radius = figures.tire.rolling_radius,
      .wheel_inertia = figures.wheel_inertia,
      .brakes = make_brakes(equipment),
      .traction = dynamics::calc_traction_curve(equipment.driveline, figures.tire.rolling_radius,
                                                is_low, std::min(1, scenario.vehicle.start.gear))};
}

SingleTrack make_single_track(const SimpleFigures& figures, const dynamics::Equipment& equipment,
                              const tire::RollingTire& tire) {
  const dynamics::AxleTire axle = make_axle_tire(tire);
  return {.mass = figures.mass,
          .yaw_inertia = figures.yaw_inertia,
          .front = figures.front,
          .rear = figures.rear,
          .height = figures.height,
          .front_tire = axle,
          .rear_tire = axle,
          .grip = figures.tire.grip_along,
          .drag = 0.5 * equipment.air.density * equipment.air.drag_area,
          .rolling = figures.tire.rolling_resistance,
          .rolling_radius = figures.tire.rolling_radius,
          .wheel_inertia = figures.wheel_inertia,
          .brakes = make_brakes(equipment),
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
                                                       const tire::RollingTire& tire,
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
  return make_single_track_vehicle(make_single_track(figures, equipment, tire), options, terrain);
}

}  // namespace camber::scenario
