#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "camber/record/log_writer.h"
#include "camber/record/run_folder.h"
#include "camber/sim/mechanism_run.h"

namespace camber::sim {

/// Where a run comes from: what its files say about it.
struct RunSource {
  std::string model_file;
  std::string model_text;
  std::string program;           // "camber 0.1.0"
  std::string formulation = {};  // of what goes through time; empty: of the dynamics
};

/// The log of a mechanism's run: docs/manual/running.md lists its channels.
record::LogLayout make_log_layout(const RunSource& source, const RunOptions& options,
                                  const multibody::MechanismDynamics& dynamics,
                                  const multibody::Stabilization& stabilization);

/// Writes the samples of a run to log.h5; what is older than about a second of wall time is on
/// disk.
class MechanismRecorder {
 public:
  MechanismRecorder(const record::RunFolder& folder, const record::LogLayout& layout,
                    const RunOptions& options);

  void append(double t, const multibody::Observation& observation);
  void close() { log_.close(); }

 private:
  using Clock = std::chrono::steady_clock;

  record::LogWriter log_;
  Clock::time_point last_flush_;
  std::vector<double> energies_;
};

/// summary.json as text.
std::string make_summary(const RunSource& source, const RunOptions& options,
                         const multibody::MechanismDynamics& dynamics, const RunResult& result);

/// report.html from the log and the result.
std::string make_report(const record::RunFolder& folder, const RunOptions& options,
                        const multibody::MechanismDynamics& dynamics, const RunResult& result);

/// A run with all its files: log.h5 while it goes on, summary.json and report.html at its end,
/// whatever that was. Throws FileError where they cannot be written.
RunResult record_mechanism_run(const RunSource& source, const RunOptions& options,
                               const multibody::Stabilization& stabilization,
                               const record::RunFolder& folder,
                               multibody::MechanismDynamics* dynamics,
                               const RunObserver& observer = {},
                               const SteppedState* stepped = nullptr);

}  // namespace camber::sim
