#pragma once

#include <memory>
#include <string>
#include <vector>

#include "camber/scenario/key_figures.h"
#include "camber/scenario/scenario.h"
#include "camber/sim/drive_world.h"
#include "camber/sim/pilot.h"
#include "camber/terrain/terrain.h"

namespace camber::sim {

/// A scenario with everything that it names read and built: ready to be run.
struct Drive {
  scenario::Scenario scenario;
  std::unique_ptr<terrain::Terrain> terrain;
  std::unique_ptr<drive::Equipment> equipment;
  std::unique_ptr<DriveWorld> world;
  std::unique_ptr<Pilot> pilot;
  scenario::FigureContext context;
  std::vector<std::string>
      notes;  // what its maker has to tell: coefficients that a file leaves out
};

/// Throws ModelFileError for files, std::invalid_argument for what does not go together,
/// std::runtime_error where the vehicle cannot stand or steer.
Drive make_drive(scenario::Scenario scenario);

/// Its ground alone.
terrain::Terrain make_terrain(const scenario::Ground& ground);

}  // namespace camber::sim
