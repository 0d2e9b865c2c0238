#pragma once

#include <string>
#include <vector>

#include "camber/dynamics/vehicle.h"
#include "camber/scenario/load_parts.h"
#include "camber/scenario/scenario.h"
#include "camber/sensors/suite.h"

namespace camber::scenario {

/// The parts of a vehicle that sensors see: its shape, or a box over its outline, its wheels and
/// its trailer.
sensors::VehicleLook make_look(const Scenario& s, const DriveParts& parts,
                               const dynamics::VehicleSnapshot& start);

/// The sensors of a scenario. Throws SettingError for a mount on a body that the vehicle does not
/// have.
sensors::SensorSuite make_sensors(const Scenario& s, const DriveParts& parts,
                                  dynamics::Vehicle* car);

/// Notes for sensors that mostly see their own vehicle.
void note_views(sensors::SensorSuite* sensors, std::vector<std::string>* notes);

}  // namespace camber::scenario
