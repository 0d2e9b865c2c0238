#pragma once

#include <string>
#include <vector>

#include "bench/multibody/multibody_comparison.h"
#include "bench/vehicle/suspended_run.h"
#include "bench/vehicle/ten_body_table.h"

namespace camber::bench {

struct VehicleComparison {
  MultibodyComparison race;             // single evaluations; all checks
  std::vector<SuspendedRun> runs;       // 004's table; the first one is `ce`
  std::vector<TenBodyFigure> ten_body;  // 003's table
};

/// Forward dynamics of the HMMWV in camber's formulations, MuJoCo and Simbody, of road trains
/// of 2 to 16 axles, the HMMWV through time, and the one of ten bodies. `models` is the folder of
/// hmmwv.toml, hmmwv-3d.toml and hmmwv-10-body.toml.
VehicleComparison compare_vehicles(const std::string& models, Effort effort);

/// Prints what was asked for and names the bars that were not reached; 1 if there are any.
int report(const VehicleComparison& comparison, const ReportOptions& options);

}  // namespace camber::bench
