#pragma once

#include <string>
#include <vector>

#include "camber/scenario/scenario.h"

namespace camber::scenario {

/// Notes for the author of a scenario that follow from the scenario alone: keys without effect,
/// steps that are shortened, bends that are tight. Keys without effect are not errors, as others
/// may use the same file with another level, tire or soil.
std::vector<std::string> find_notes(const Scenario& scenario);

}  // namespace camber::scenario
