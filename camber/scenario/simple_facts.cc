#include "camber/scenario/simple_facts.h"

#include <algorithm>

#include "camber/dynamics/simple_vehicles.h"

namespace camber::scenario {

std::unique_ptr<dynamics::Vehicle> make_simple_vehicle(const Scenario& scenario,
                                                       const dynamics::VehicleFacts& facts,
                                                       const dynamics::Equipment& equipment,
                                                       const dynamics::VehicleTires& tires,
                                                       const terrain::Terrain* terrain) {
  const Start& start = scenario.vehicle.start;
  const dynamics::SimpleVehicleOptions options{
      .step = scenario.run.step,
      .x = start.x,
      .y = start.y,
      .heading = start.heading,
      .speed = start.speed,
      .gear = start.gear,
      .parking_brake = scenario.driver.has_parking_brake ? 1.0 : 0.0,
      .is_low_range = scenario.driver.range == Range::kLow};
  if (scenario.vehicle.level == VehicleLevel::kPointMass)
    return make_point_mass_vehicle(
        make_point_mass(facts, equipment, options.is_low_range, std::min(1, start.gear)), options,
        terrain);
  return make_single_track_vehicle(make_single_track(facts, equipment, tires), options, terrain);
}

}  // namespace camber::scenario
