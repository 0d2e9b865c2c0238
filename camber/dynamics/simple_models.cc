// Point mass and single track of a vehicle's figures.
#include <variant>
#include <vector>

#include "camber/dynamics/simple_vehicles.h"

namespace camber::dynamics {
namespace {

/// One of two on an axle: what a tire's two sides do not have in common cancels.
AxleTire make_axle_tire(const tire::RollingTire& tire) {
  if (const auto* magic = std::get_if<tire::MagicFormulaTire>(&tire.steady))
    return without_shifts(*magic);
  return std::visit([](const auto& steady) { return AxleTire(steady); }, tire.steady);
}

/// The wheels of a group of axles.
std::vector<int> list_wheels(const VehicleFacts& facts, const AxleGroup& group) {
  std::vector<int> wheels;
  for (const int axle : group.axles)
    wheels.insert(wheels.end(), facts.axles[axle].wheels.begin(), facts.axles[axle].wheels.end());
  return wheels;
}

SimpleBrakes make_brakes(const VehicleFacts& facts, const Equipment& equipment) {
  SimpleBrakes brakes{.lag = equipment.brake_lag, .spring = equipment.brakes[0]};
  for (const int wheel : list_wheels(facts, facts.front)) {
    brakes.front += equipment.brakes[wheel].capacity;
    brakes.parks_in_front |= equipment.has_parking_brake[wheel];
  }
  for (const int wheel : list_wheels(facts, facts.rear)) {
    brakes.rear += equipment.brakes[wheel].capacity;
    brakes.parks_behind |= equipment.has_parking_brake[wheel];
  }
  brakes.booster = equipment.brake_booster;
  if (!equipment.brake_valves.empty()) {
    brakes.front_valve = equipment.brake_valves[list_wheels(facts, facts.front)[0]];
    brakes.rear_valve = equipment.brake_valves[list_wheels(facts, facts.rear)[0]];
  }
  return brakes;
}

}  // namespace

PointMass make_point_mass(const VehicleFacts& facts, const Equipment& equipment, bool is_low_range,
                          int gear) {
  return {.mass = facts.mass,
          .wheelbase = facts.wheelbase(),
          .grip_along = facts.tire.grip_along,
          .grip_across = facts.tire.grip_across,
          .drag = 0.5 * equipment.air.density * equipment.air.drag_area,
          .rolling = facts.tire.rolling_resistance,
          .rolling_radius = facts.tire.rolling_radius,
          .wheel_inertia = facts.wheel_inertia,
          .gravity = facts.gravity,
          .brakes = make_brakes(facts, equipment),
          .traction = calc_traction_curve(equipment.driveline, facts.tire.rolling_radius,
                                          is_low_range, gear)};
}

SingleTrack make_single_track(const VehicleFacts& facts, const Equipment& equipment,
                              const VehicleTires& tires) {
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
          .grip = facts.tire.grip_along,
          .drag = 0.5 * equipment.air.density * equipment.air.drag_area,
          .rolling = facts.tire.rolling_resistance,
          .rolling_radius = facts.tire.rolling_radius,
          .wheel_inertia = facts.wheel_inertia,
          .gravity = facts.gravity,
          .front_drive = front_drive,
          .brakes = make_brakes(facts, equipment),
          .driveline = equipment.driveline};
}

}  // namespace camber::dynamics
