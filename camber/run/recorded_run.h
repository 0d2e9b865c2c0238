#pragma once

// A run in memory: the contents of its folder, without a folder.
//
//   run::DriveRun drive(&simulation);
//   const run::RecordedRun run = run::record_in_memory(source, &drive);
//   write_folder(run, record::RunFolder::make_at("runs/mine"));

#include <string>
#include <vector>

#include "camber/run/record_run.h"

namespace camber::run {

struct RecordedRun {
  record::LogLayout layout;
  record::Table log;
  std::vector<record::Table> series = {};  // in the order of layout.series
  std::string summary = {};                // summary.json; empty: the run was killed
};

/// Records a run that the caller advances. Keeps a pointer to it.
class MemoryRecorder {
 public:
  /// To be made before the run advances.
  explicit MemoryRecorder(Runnable* run);
  MemoryRecorder(const MemoryRecorder&) = delete;
  MemoryRecorder& operator=(const MemoryRecorder&) = delete;

  /// Removes all samples from `time` [s] on: the run was rewound, and passes the first of them
  /// again.
  void rewind(double time);
  const record::Table& log() const { return log_; }
  /// The recording so far, with its summary. The recorder continues.
  RecordedRun finish(const RunSource& source, const RunResult& result);

 private:
  Runnable* run_;
  record::Table log_;
  std::vector<record::Table> series_;
};

/// Runs to the end in memory; the numbers are those that record_run() writes.
RecordedRun record_in_memory(const RunSource& source, Runnable* run, const RunHooks& hooks = {});

/// Writes the log alone. Throws FileError.
void write_log(const RecordedRun& run, const std::string& path);

/// Writes log.h5, summary.json and report.html. Throws FileError.
void write_folder(const RecordedRun& run, const record::RunFolder& folder);

}  // namespace camber::run
