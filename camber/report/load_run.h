#pragma once

#include <string>
#include <vector>

#include "camber/report/comparison.h"

namespace camber::report {

/// The folder of a run, to be compared: all channels of log.h5, rows of two-axis channels as columns
/// of their own ("chassis x"); the key figures of summary.json or, if it has none, all its numbers
/// ("energy.drift"). A log that was cut off is read up to its end; a killed run may have no
/// summary. Throws std::invalid_argument if this is not the folder of a run or cannot be read.
ComparedRun load_run(const std::string& folder);

/// The same for several, with names that distinguish them: the last parts of their paths as far as
/// needed.
std::vector<ComparedRun> load_runs(const std::vector<std::string>& folders);

}  // namespace camber::report
