#pragma once

#include <string>
#include <utility>
#include <vector>

#include "camber/scenario/scenario.h"

namespace camber::scenario {

/// Summary of a scenario in a few human-readable lines: {"vehicle", "models/hmmwv.toml, full,
/// ..."}.
std::vector<std::pair<std::string, std::string>> describe(const Scenario& scenario);

/// The same for one of its other vehicles in one line, with its name.
std::string describe(const OtherVehicle& other);

/// "2 to 2.6 m/s^2", "at least 3 s"; empty without bounds.
std::string describe_bounds(const figures::FigureRequest& request);

}  // namespace camber::scenario
