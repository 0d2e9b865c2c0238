#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "camber/scenario/key_figures.h"
#include "camber/scenario/scenario.h"
#include "camber/sim/drive_parts.h"
#include "camber/sim/drive_world.h"
#include "camber/sim/obstacle_watch.h"
#include "camber/sim/pilot.h"
#include "camber/terrain/terrain.h"

namespace camber::sim {

/// A scenario with everything that it names read and built: ready to be run.
struct Drive {
  scenario::Scenario scenario;
  std::unique_ptr<terrain::Terrain> terrain;
  std::unique_ptr<dynamics::Equipment> equipment;
  std::unique_ptr<DriveWorld> world;
  std::unique_ptr<Pilot> pilot;
  std::optional<ObstacleWatch> obstacles;  // where the terrain has any
  scenario::FigureContext context;
  std::vector<double> lifted_since;  // of each stop condition [s]; negative: all wheels are down
  std::vector<std::string>
      notes;                    // what its maker has to tell: coefficients that a file leaves out
  std::vector<PartFile> files;  // that were read for it
};

/// Throws ModelFileError for files, scenario::SettingError for what does not go together,
/// dynamics::StandError where the vehicle does not stand, std::runtime_error where no code for it
/// can be made.
Drive make_drive(scenario::Scenario scenario);

}  // namespace camber::sim
