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

struct DriveRecordOptions {
  RunSource source;                         // the scenario's file
  std::vector<std::string> overrides = {};  // of it: KEY=VALUE
  std::function<bool(double t)> go_on = {};
  double checkpoint_interval = 0;  // [s] of simulated time; 0: none
};

/// Runs a drive and writes log.h5 on the way, summary.json and report.html behind it, and
/// checkpoint.json where checkpoints are asked for. What is older than 100 ms of wall time is on
/// disk. Throws FileError.
DriveVerdict record_drive(const DriveRecordOptions& options, const record::RunFolder& folder,
                          Drive* drive);

/// A line `# file PATH HASH` for each file that a scenario names, and each map that its terrain
/// names: behind the scenario's text they tell whether a checkpoint is of the same drive. Throws
/// FileError.
std::string list_files(const scenario::Scenario& scenario);

/// Whole or not at all. Throws FileError.
void write_checkpoint(const std::string& path, const DriveCheckpoint& checkpoint,
                      const RunSource& source);
/// Throws ModelFileError for a file that cannot be read, is none, or of another scenario's text or
/// files.
DriveCheckpoint read_checkpoint(const std::string& path, const RunSource& source);

/// The figures of what was logged.
std::vector<report::KeyFigure> calc_figures(const Drive& drive, const DriveRecord& record);

}  // namespace camber::sim
