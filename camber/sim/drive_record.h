#pragma once

#include <string>
#include <vector>

#include "camber/record/run_folder.h"
#include "camber/report/key_figure.h"
#include "camber/sim/drive_run.h"
#include "camber/sim/mechanism_record.h"

namespace camber::sim {

/// What a recorded drive was found to be.
struct DriveVerdict {
  DriveResult result;
  std::vector<report::KeyFigure> figures;
  bool has_passed = false;  // it came to its end, and no figure is missed
};

/// A file as it is now: what was read for which part, and the hash of its bytes.
struct HashedFile {
  std::string part, path, hash;
};

struct DriveRecordOptions {
  RunSource source;                         // the scenario's file
  std::vector<std::string> overrides = {};  // of it: KEY=VALUE
  std::function<bool(double t)> go_on = {};
  double checkpoint_interval = 0;      // [s] of simulated time; 0: none
  std::vector<HashedFile> files = {};  // of hash_files(), for checkpoints
};

/// Runs a drive, adds to its notes what only its end tells, and writes log.h5 on the way,
/// summary.json and report.html behind it, and checkpoint.json where checkpoints are asked for.
/// What is older than 100 ms of wall time is on disk. Throws FileError; where the log's end or what
/// follows cannot be written, std::runtime_error that says how far the log goes.
DriveVerdict record_drive(const DriveRecordOptions& options, const record::RunFolder& folder,
                          Drive* drive);

/// Of all files that were read for a drive: with the scenario's text they tell whether a checkpoint
/// is of the same one. Throws FileError.
std::vector<HashedFile> hash_files(const std::vector<PartFile>& files);

/// Whole or not at all. Throws FileError.
void write_checkpoint(const std::string& path, const DriveCheckpoint& checkpoint,
                      const RunSource& source, const std::vector<HashedFile>& files);
/// Throws ModelFileError for a file that cannot be read, is none, or of another scenario's text or
/// other files. Files count by part and contents: they may lie elsewhere now.
DriveCheckpoint read_checkpoint(const std::string& path, const RunSource& source,
                                const std::vector<HashedFile>& files);

/// The figures of what was logged.
std::vector<report::KeyFigure> calc_figures(const Drive& drive, const DriveRecord& record);

}  // namespace camber::sim
