#pragma once

#include <string>
#include <vector>

#include "camber/report/comparison.h"

namespace camber::sim {

/// What the files of a run's folder say, to be compared: all channels of log.h5, rows of two-axis
/// channels as columns of their own ("chassis x"); the key figures of summary.json, or, where there
/// are none, all its numbers ("energy.drift"). A log that was cut off is read as far as it goes; a
/// run that was killed may have no summary. Throws std::invalid_argument for what is no run's
/// folder or cannot be read.
report::ComparedRun load_run(const std::string& folder);

/// The same for several, with names that tell them apart: the last parts of their paths as far as
/// needed.
std::vector<report::ComparedRun> load_runs(const std::vector<std::string>& folders);

}  // namespace camber::sim
