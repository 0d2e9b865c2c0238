#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/program.h"

namespace camber::bench {

struct AutonomyComparison {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::vector<Check> checks;
};

/// Drives to a goal with LIDARs of 16 and 64 beams: vehicle, sensors, map, planner and log, as times
/// real time of one processor.
void drive_whole_loops(bool quick, AutonomyComparison* result);

/// Seeds 1 to `count` of scenario 1: how often the goal is reached, and whether anything is touched.
void drive_seeds(int count, AutonomyComparison* result);

}  // namespace camber::bench
