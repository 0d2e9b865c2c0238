#pragma once

#include <memory>

#include "camber/autonomy/path_pilot.h"
#include "camber/dynamics/equipment.h"
#include "camber/scenario/driver_tables.h"
#include "camber/scenario/load_parts.h"
#include "camber/scenario/scenario.h"

namespace camber::scenario {

/// Data of the vehicle for a driver.
struct DriverVehicle {
  double mass = 0, yaw_inertia = 0;                // [kg], [kg m^2]
  double front = 0, rear = 0;                      // axles from the center of mass [m]
  double front_stiffness = 0, rear_stiffness = 0;  // cornering, of an axle [N/rad]
  double rolling_radius = 0;                       // [m]
  double rolling_resistance = 0;                   // over the weight
  double wheel_inertia = 0;                        // sum over all wheels [kg m^2]
  double max_steer = 0;                            // mean of the steered wheels at lock [rad]
  double gravity = 0;                              // [m/s^2]
  bool is_kinematic = false;                       // goes where it is steered, at once
  double steering_ratio = 1;                       // of the steering wheel over the commanded angle
  /// Of a full vehicle: the commanded angle over the steering gear's position.
  const dynamics::SteeringMap* steering_map = nullptr;
  /// What a preview driver knows of the vehicle, from its linear model; null: from its figures alone.
  const autonomy::PreviewFigures* tuned = nullptr;
  const dynamics::Equipment* equipment = nullptr;
  const terrain::Terrain* terrain = nullptr;  // what it drives on, for paths along a road
  DriverTables* tables = nullptr;             // shared by its drivers; null: they make their own
};

/// Keeps pointers into the parts.
DriverVehicle make_driver_vehicle(const Scenario& scenario, const DriveParts& parts);

/// What a preview driver knows of a vehicle by its figures alone.
autonomy::PreviewFigures complete_preview(autonomy::PreviewFigures law,
                                          const DriverVehicle& vehicle);

/// The speed that a driver's path is planned for [m/s].
double find_planned_speed(const Driver& driver, const dynamics::Start& start);

/// Control of the speed with what is known about the vehicle; in reverse gear if it starts so.
autonomy::SpeedControl make_speed_control(autonomy::SpeedProfile profile,
                                          const dynamics::Start& start,
                                          const DriverVehicle& vehicle);

/// The driver of a scenario. Throws SettingError for settings that do not fit each other.
std::unique_ptr<autonomy::Pilot> build_driver(const Driver& driver, const dynamics::Start& start,
                                              const DriverVehicle& vehicle);

}  // namespace camber::scenario
