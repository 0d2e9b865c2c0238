#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "camber/city/city.h"
#include "camber/core/diagnostics.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/steering_map.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/dynamics/vehicle_parts.h"
#include "camber/scenario/driver_tables.h"
#include "camber/scenario/scenario.h"
#include "camber/scenario/steering_maps.h"
#include "camber/terrain/terrain.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle.h"

namespace camber::scenario {

/// A file that was read for a part of a drive: one that the scenario names, or one that such a file
/// names in turn.
struct PartFile {
  std::string part;  // "vehicle", "equipment", "tire", "terrain", "city"
  std::string path;
};

/// The loaded files of a scenario, and data that follow from them. Constant: runs may share it.
struct DriveParts {
  std::shared_ptr<const terrain::Terrain> terrain;
  std::shared_ptr<const city::City> city;  // if the scenario is in one
  vehicle::Vehicle vehicle;                // as the scenario loads it
  vehicle::VehicleMechanism mechanism;     // of that vehicle
  /// The same vehicle by constraint embedding, at its start: runs copy it.
  std::shared_ptr<const dynamics::MechanismChassis> embedded;
  dynamics::MassTotal total;
  dynamics::Equipment equipment;
  dynamics::SteeringMap steering_map;
  dynamics::VehicleTires tires;
  dynamics::VehicleFacts facts;
  std::vector<math::Vec3<double>> underside;  // points of its shape that may touch the ground
  /// Its generated code, if the scenario drives by it: each run takes a copy.
  std::shared_ptr<const dynamics::GeneratedChassis> generated;
  std::shared_ptr<DriverTables> driver_tables = std::make_shared<DriverTables>();
  std::vector<std::string> notes;  // what the author should know: coefficients that are not used
  std::vector<PartFile> files;     // all that were read, part by part
};

/// The place of a key in the file of a part that was read before, given table by table: in the file
/// or in one of the overrides; for a .tir file, the file.
Position find_key(const Scenario& scenario, std::string_view part, const std::string& path,
                  std::initializer_list<const char*> keys);

/// Throws ModelFileError with the mistakes of all files, also of files that are valid by themselves
/// but do not fit each other; SettingError; dynamics::StandError if the center of mass is not
/// between the wheels. Vehicles that share a world share its terrain: with `terrain`, the ground of
/// the scenario is not read. `maps` has steering maps of other vehicles, and gets new ones.
std::shared_ptr<const DriveParts> load_parts(
    const Scenario& scenario, const std::shared_ptr<const terrain::Terrain>& terrain = nullptr,
    SteeringMaps* maps = nullptr);

}  // namespace camber::scenario
