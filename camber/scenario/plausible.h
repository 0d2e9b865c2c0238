#pragma once

#include <string>
#include <vector>

#include "camber/scenario/load_parts.h"

namespace camber::scenario {

/// Values of a vehicle's parts that are valid but outside the range of all vehicles, with the unit
/// that was probably meant: notes for the author.
std::vector<std::string> find_unlikely(const DriveParts& parts);

}  // namespace camber::scenario
