#pragma once

#include <memory>

#include "camber/autonomy/goal_pilot.h"
#include "camber/scenario/build_driver.h"
#include "camber/scenario/load_parts.h"
#include "camber/scenario/measurement_feed.h"
#include "camber/world/moving_thing.h"

namespace camber::scenario {

/// The setup of a pilot that drives to the goal of a scenario: change it as you like, and give it
/// to autonomy::GoalPilot. The scenario must have [autonomy]. `things` are those of the world: with
/// a map from the truth, the pilot sees them move.
autonomy::GoalSetup make_goal_setup(const Scenario& scenario, const DriveParts& parts,
                                    const DriverVehicle& vehicle,
                                    const std::vector<world::MovingThing>& things = {});

/// Throws SettingError for an invalid goal: inside a thing, or too far away.
std::unique_ptr<autonomy::Pilot> build_goal_pilot(const Scenario& scenario, const DriveParts& parts,
                                                  const DriverVehicle& vehicle,
                                                  const std::vector<world::MovingThing>& things);

std::unique_ptr<MeasurementFeed> build_feed(const Scenario& scenario, const DriveParts& parts);

}  // namespace camber::scenario
