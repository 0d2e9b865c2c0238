#pragma once

#include "camber/record/run_folder.h"
#include "camber/rolling_wheel/wheel_run.h"
#include "camber/sim/mechanism_record.h"
#include "camber/sim/mechanism_run.h"

namespace camber::sim {

/// Simulates a rolling wheel and writes log.h5, summary.json and report.html at its end:
/// docs/manual/rolling-wheel.md. `go_on` is asked at every sample. Throws FileError where they
/// cannot be written.
RunResult record_wheel_run(const RunSource& source, const rolling_wheel::WheelScenario& scenario,
                           const rolling_wheel::WheelRunOptions& options,
                           const record::RunFolder& folder, rolling_wheel::WheelRun* run);

}  // namespace camber::sim
