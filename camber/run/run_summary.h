#pragma once

// Common parts of runs, recorded in a folder or in memory.

#include <string>

#include "camber/run/record_run.h"

namespace camber::run::internal {

/// Channels, series and attributes of a run's log.
record::LogLayout make_layout(const RunSource& source, const Runnable& run);

/// The only loop: runs until the run is done or the hooks end it.
RunResult run_to_end(Runnable* run, const RunHooks& hooks);

/// The text of summary.json. `log` has the recorded channels.
std::string make_summary(const RunSource& source, Runnable* run, const RunResult& result,
                         const record::Table& log);

}  // namespace camber::run::internal
