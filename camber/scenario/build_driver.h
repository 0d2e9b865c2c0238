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
  const dynamics::Equipment* equipment = nullptr;
  DriverTables* tables = nullptr;  // shared by its drivers; null: they make their own
};

/// Keeps pointers into the parts.
DriverVehicle make_driver_vehicle(const Scenario& scenario, const DriveParts& parts);

/// Control of the speed with what is known about the vehicle; in reverse gear if it starts so.
autonomy::SpeedControl make_speed_control(autonomy::SpeedProfile profile,
                                          const dynamics::Start& start,
                                          const DriverVehicle& vehicle);

/// The driver of a scenario. Throws SettingError for settings that do not fit each other.
std::unique_ptr<autonomy::Pilot> build_driver(const Driver& driver, const dynamics::Start& start,
                                              const DriverVehicle& vehicle);

}  // namespace camber::scenario
