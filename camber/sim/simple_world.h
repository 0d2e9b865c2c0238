#pragma once

#include <memory>

#include "camber/dynamics/equipment.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/scenario/scenario.h"
#include "camber/sim/drive_world.h"
#include "camber/terrain/terrain.h"

namespace camber::sim {

/// A vehicle of the levels "single_track" and "point_mass". Keeps a pointer to the terrain.
std::unique_ptr<DriveWorld> make_simple_world(const scenario::Scenario& scenario,
                                              const dynamics::VehicleFacts& facts,
                                              const dynamics::Equipment& equipment,
                                              const dynamics::VehicleTires& tires,
                                              const terrain::Terrain* terrain);

}  // namespace camber::sim
