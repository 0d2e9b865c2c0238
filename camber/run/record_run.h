#pragma once

#include <functional>
#include <string>
#include <vector>

#include "camber/record/run_folder.h"
#include "camber/run/runnable.h"

namespace camber::run {

/// Source of a run: data of its files.
struct RunSource {
  std::string model_file;
  std::string model_text;                   // the whole file
  std::string program;                      // "camber 0.1.0"
  std::vector<std::string> overrides = {};  // assignments of --set
};

struct RunHooks {
  /// After every advance of the run; false ends it there.
  std::function<bool(double time)> go_on = {};
};

/// Runs to the end in memory. Returns the recorded channels.
record::Table run_in_memory(Runnable* run, const RunHooks& hooks = {});

/// Throws std::invalid_argument if the log of a run would have more than 8 GB. Figures and report
/// load all of it into memory: such a run is rejected before it starts, not after hours.
void check_log_size(double duration, double sample_interval,
                    const std::vector<record::Channel>& channels);

/// Runs to the end and writes the folder: log.h5 during the run (samples older than 100 ms of wall
/// time are on disk), then summary.json and report.html, however it ended. Throws FileError; if the
/// end of the log or what follows cannot be written, std::runtime_error that says how far the log
/// goes.
RunResult record_run(const RunSource& source, const record::RunFolder& folder, Runnable* run,
                     const RunHooks& hooks = {});

}  // namespace camber::run
