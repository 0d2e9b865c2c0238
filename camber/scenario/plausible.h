#pragma once

#include <string>
#include <vector>

#include "camber/scenario/load_parts.h"

namespace camber::scenario {

/// Figures of a vehicle's parts that can be calculated with but that no vehicle has, with the unit
/// that was probably meant: notes for the author.
std::vector<std::string> find_unlikely(const DriveParts& parts);

}  // namespace camber::scenario
