#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "bench/symbolic/comparison.h"

namespace camber::bench {

/// Row "city of 2 km x 2 km from its seed": description, ground for wheels, lanes and scene with its
/// search trees, in seconds and bytes, in a process of its own so that memory is the city's alone.
nlohmann::ordered_json measure_city(bool quick, std::vector<Check>* checks);

}  // namespace camber::bench
