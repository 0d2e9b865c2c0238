#pragma once

#include <string>

#include "bench/multibody/multibody_comparison.h"

namespace camber::bench {

/// Generated code of the HMMWV as its file has it, with bump stops and dampers of two rates: in
/// doubles and in eight lanes, against `ce` of the same vehicle and against MuJoCo, whose vehicle
/// has neither. Adds rows, and checks of values, times, operations, code size and the distance to
/// the arithmetic's lower bound.
void add_generated_rows(const std::string& models, const RaceOptions& race_options, bool quick,
                        MultibodyComparison* comparison);

/// One row alone, for profilers and valgrind: "generated", "generated-one-by-one" or
/// "generated-lanes".
Contestant make_generated_contestant(const std::string& models, const std::string& row, int states);

}  // namespace camber::bench
