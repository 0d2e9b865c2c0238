#pragma once

#include <string>

#include "bench/multibody/multibody_comparison.h"

namespace camber::bench {

/// Forward dynamics of the HMMWV in camber's formulations, MuJoCo and Simbody, and of road trains
/// of 2 to 16 axles. `models` is the folder of hmmwv.toml and hmmwv-3d.toml.
MultibodyComparison compare_vehicles(const std::string& models, Effort effort);

}  // namespace camber::bench
