#pragma once

#include "camber/contact/wheel_run.h"
#include "camber/record/run_folder.h"
#include "camber/sim/mechanism_record.h"
#include "camber/sim/mechanism_run.h"

namespace camber::sim {

/// Simulates a rolling wheel and writes log.h5, summary.json and report.html at its end:
/// docs/manual/rolling-wheel.md. `go_on` is asked at every sample. Throws FileError where they
/// cannot be written.
RunResult record_wheel_run(const RunSource& source, const contact::WheelScenario& scenario,
                           const contact::WheelRunOptions& options, const record::RunFolder& folder,
                           contact::WheelRun* run);

}  // namespace camber::sim
