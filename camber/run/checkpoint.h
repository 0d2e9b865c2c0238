#pragma once

#include <string>
#include <vector>

#include "camber/run/record_run.h"
#include "camber/run/simulation.h"

namespace camber::run {

/// A file that was read for a simulation: its part, and the present hash of its bytes.
struct HashedFile {
  std::string part, path, hash;
};
/// All files that were read for a simulation beside the scenario's own. Throws FileError.
std::vector<HashedFile> hash_files(const Simulation& simulation);

/// Writes the whole checkpoint or nothing. Throws FileError.
void write_checkpoint(const std::string& path, const SimulationState& state,
                      const RunSource& source, const std::vector<HashedFile>& files);
/// Throws ModelFileError if the file is unreadable, is not a checkpoint, or belongs to another
/// scenario or to other input files. Files count by part and contents: their paths may differ.
SimulationState read_checkpoint(const std::string& path, const RunSource& source,
                                const std::vector<HashedFile>& files);

}  // namespace camber::run
