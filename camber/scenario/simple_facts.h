#pragma once

#include <memory>

#include "camber/dynamics/equipment.h"
#include "camber/dynamics/vehicle.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/scenario/scenario.h"
#include "camber/terrain/terrain.h"

namespace camber::scenario {

/// A vehicle of the levels "single_track" and "point_mass". Keeps a pointer to the terrain.
std::unique_ptr<dynamics::Vehicle> make_simple_vehicle(const Scenario& scenario,
                                                       const dynamics::VehicleFacts& facts,
                                                       const dynamics::Equipment& equipment,
                                                       const dynamics::VehicleTires& tires,
                                                       const terrain::Terrain* terrain);

}  // namespace camber::scenario
