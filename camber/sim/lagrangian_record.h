#pragma once

#include "camber/lagrange/simulate.h"
#include "camber/record/run_folder.h"
#include "camber/sim/mechanism_record.h"
#include "camber/sim/mechanism_run.h"

namespace camber::sim {

/// Simulates a Lagrangian model and writes log.h5, summary.json and report.html at its end. Only
/// methods with steps by tolerance are there: throws std::invalid_argument for the others, and what
/// lagrange::simulate() throws.
RunResult record_lagrangian_run(const RunSource& source, const RunOptions& options,
                                const record::RunFolder& folder,
                                const lagrange::LagrangianModel& model,
                                const RunObserver& observer = {});

}  // namespace camber::sim
