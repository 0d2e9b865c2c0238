#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "camber/core/diagnostics.h"
#include "camber/dynamics/vehicle_parts.h"
#include "camber/scenario/scenario.h"
#include "camber/terrain/terrain.h"
#include "camber/vehicle/vehicle.h"

namespace camber::sim {

/// A file that was read for a part of a drive: one that the scenario names, or one that such a file
/// names in turn.
struct PartFile {
  std::string part;  // "vehicle", "equipment", "tire", "terrain"
  std::string path;
};

/// What a scenario names, read.
struct DriveParts {
  terrain::Terrain terrain;
  vehicle::Vehicle vehicle;  // as the scenario loads it
  dynamics::Equipment equipment;
  dynamics::VehicleTires tires;
  std::vector<std::string> notes;  // what there is to tell: coefficients that are not used
  std::vector<PartFile> files;     // all that were read, part by part
};

/// Where a file that was read before has a key, one table after the other; of a .tir, the file.
Position find_key(const std::string& path, std::initializer_list<const char*> keys);

/// Throws ModelFileError with the mistakes of all files, also of those that are good by themselves
/// and do not drive: a vehicle without steering.
DriveParts load_parts(const scenario::Scenario& scenario);

}  // namespace camber::sim
