#pragma once

#include <memory>
#include <string>

#include "camber/run/recorded_run.h"
#include "python/src/common.h"

namespace camber::python {

/// A recorded run, from memory or from a folder.
struct RunData {
  std::shared_ptr<const run::RecordedRun> run;
  std::string folder = {};  // empty: in memory alone
};

/// Throws FileError or std::invalid_argument if the folder does not hold a run.
RunData open_run(const std::string& folder);

/// Runs to the end without the GIL: in memory, or into a folder if there is one. Ctrl-C ends it,
/// with everything recorded up to then in the folder, and arrives as KeyboardInterrupt.
RunData run_to_end(const run::RunSource& source, run::Runnable* run, const std::string& folder);

}  // namespace camber::python
