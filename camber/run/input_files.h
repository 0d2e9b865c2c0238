#pragma once

#include <string>
#include <vector>

#include "camber/record/run_folder.h"
#include "camber/run/simulation.h"

namespace camber::run {

/// Copies the scenario and the files that it was built from into the folder of its run:
/// RUN/files/..., in the same places relative to each other, and RUN/files/index.json. So the run
/// can be shown even if the files have changed or are deleted. Files of more than 8 MB are not
/// copied, but listed with their hash. Throws FileError.
void copy_input_files(const Simulation& simulation, const std::vector<std::string>& overrides,
                      const record::RunFolder& folder);

/// What index.json says.
struct InputFiles {
  std::string scenario;                // path of the copy of the scenario; empty: there is none
  std::string original;                // where it was
  std::vector<std::string> overrides;  // assignments of --set
  bool is_complete = true;             // all files were copied
};
/// The copies of a run's folder; empty if it has none. Throws FileError for an index that cannot be
/// read, with file and key.
InputFiles find_input_files(const std::string& run_folder);

}  // namespace camber::run
