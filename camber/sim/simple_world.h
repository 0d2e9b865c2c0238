#pragma once

#include <memory>

#include "camber/drive/equipment.h"
#include "camber/scenario/scenario.h"
#include "camber/sim/drive_world.h"
#include "camber/terrain/terrain.h"
#include "camber/tire/rolling_tire.h"

namespace camber::sim {

/// What the simple levels take from a vehicle's file.
struct SimpleFigures {
  double mass = 0;             // [kg]
  double front = 0, rear = 0;  // axles from the center of mass [m]
  double height = 0;           // of the center of mass [m]
};

/// A vehicle of the levels "single_track" and "point_mass". Keeps a pointer to the terrain.
std::unique_ptr<DriveWorld> make_simple_world(const scenario::Scenario& scenario,
                                              const SimpleFigures& figures,
                                              const drive::Equipment& equipment,
                                              const tire::RollingTire& tire,
                                              const terrain::Terrain* terrain);

}  // namespace camber::sim
