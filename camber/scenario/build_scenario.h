#pragma once

#include <memory>
#include <string>
#include <vector>

#include "camber/autonomy/pilot.h"
#include "camber/figures/key_figures.h"
#include "camber/scenario/load_parts.h"
#include "camber/scenario/measurement_feed.h"
#include "camber/scenario/parts_cache.h"
#include "camber/scenario/scenario.h"
#include "camber/sensors/suite.h"
#include "camber/world/world.h"

namespace camber::scenario {

/// A vehicle that add_vehicle() added, or one of [[other]].
struct BuiltOther {
  std::shared_ptr<const Scenario> scenario;  // its own
  std::shared_ptr<const DriveParts> parts;
};

/// A scenario with everything that it names read and built: ready to run.
struct BuiltScenario {
  std::shared_ptr<const Scenario> scenario;
  std::shared_ptr<const DriveParts> parts;
  std::vector<BuiltOther> others = {};  // vehicles 1, 2, ... of the world
  world::World world;
  std::vector<std::unique_ptr<autonomy::Pilot>> drivers = {};  // one per vehicle of the world
  sensors::SensorSuite sensors = {};
  std::unique_ptr<MeasurementFeed> feed = {};  // of the first vehicle's pilot, if it drives by them
  figures::FigureContext context = {};
  std::vector<std::string> notes = {};  // what its author should know
};

/// Throws ModelFileError with file, line and key for files that cannot be used, for settings that
/// do not fit each other and for a vehicle that cannot stand where it starts; std::runtime_error if
/// no code for the vehicle can be made. Runs that are built with one `cache` share their parts.
BuiltScenario build_scenario(Scenario scenario, PartsCache* cache = nullptr);

/// The parts of vehicle i of the world.
const DriveParts& parts_of(const BuiltScenario& built, int vehicle);

/// Adds the vehicle of another scenario, with its driver, to the world of this one: on the same
/// ground, where the other scenario starts it. No vehicle sees the ruts of another. Returns its
/// index in the world. Throws as build_scenario() does.
int add_vehicle(Scenario scenario, BuiltScenario* built, PartsCache* cache = nullptr);

/// The vehicle of a scenario alone on level ground of the same friction, straight ahead at a speed or
/// at rest, and its equations, which refer to it: for steady states and linear models.
struct LevelVehicle {
  std::shared_ptr<const DriveParts> parts;
  std::unique_ptr<dynamics::Vehicle> vehicle;
  std::unique_ptr<dynamics::VehicleEquations> equations;
};
/// Throws as build_scenario() does; ModelFileError for a point mass and for tires without slip, which
/// have no such equations.
LevelVehicle make_level_vehicle(Scenario scenario, double speed, PartsCache* cache = nullptr);

/// The speed of a scenario [m/s]: that of its start, or else the one that its driver holds.
double find_scenario_speed(const Scenario& scenario);

}  // namespace camber::scenario
