#pragma once

// Drives of vehicles of one structure, several at a time, in the lanes of registers: parametric
// studies. Each drive is a Simulation of its own. Its driver, gearbox, stops and samples run as they
// always do, at the ends of control intervals; the integration steps between are made in lanes
// (dynamics/lane_vehicles.h).
//
//   run::LaneDriver driver({.lanes = 8});
//   driver.drive({.next = [&]() -> std::optional<run::LaneJob> { ... },
//                 .ended = [&](long number, run::Simulation& simulation, const run::LaneOutcome& how) {
//                   ... }});
//
// The results of a drive do not depend on its neighbors, their order, or the number of lanes, bit
// for bit. Compared with a drive in doubles, the last digits differ (docs/theory/lanes.md). A drive
// that cannot run in lanes is driven in doubles, and its outcome says why.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "camber/report/key_figure.h"
#include "camber/run/simulation.h"

namespace camber::run {

/// Lanes that fill the registers of this build: 8 with AVX-512, else 4.
int default_lanes();
/// The instruction set that this build's lanes use: "AVX-512", "AVX2", "AVX", "SSE2" or "none".
std::string_view lane_instruction_set();
/// "lanes of 8 (AVX-512)".
std::string describe_lanes(int lanes);

/// Why a simulation cannot be driven in lanes of 4 or 8: the hindering part, such as "sensors"; empty
/// if it can. Vehicles whose code is not the library's have it compiled for lanes once.
std::string find_lane_hindrance(Simulation* simulation, int lanes);

/// A drive that waits for a lane.
struct LaneJob {
  long number = 0;  // the caller's
  std::unique_ptr<Simulation> simulation;
};

struct LaneOutcome {
  bool is_in_lanes = true;
  std::string hindrance = {};  // of a drive that is not
  long scalar_intervals =
      0;  // control intervals that were driven in doubles: steps that were too long, or failed
};

struct LaneHooks {
  /// The next drive; empty if none is left. Called when a lane is free.
  std::function<std::optional<LaneJob>()> next;
  /// A drive has ended: simulation.result() says how.
  std::function<void(long number, Simulation& simulation, const LaneOutcome& outcome)> ended;
  /// Checked once per control interval of each drive; true ends it as stopped.
  std::function<bool(long number)> is_stopped = {};
};

struct LaneOptions {
  int lanes = default_lanes();  // 4 or 8
  bool keeps_logs = true;       // of drive_batch(): else a drive's log goes when it has its figures
};

class LaneDriver {
 public:
  /// Throws std::invalid_argument for lanes that are not 4 or 8.
  explicit LaneDriver(LaneOptions options = {});
  /// Drives all jobs of hooks.next to their ends.
  void drive(const LaneHooks& hooks) const;

 private:
  LaneOptions options_;
};

/// Outcome of a drive of a batch.
struct BatchDrive {
  std::string problem = {};  // the scenario cannot be built: why; all else is empty then
  RunResult result = {};
  std::vector<report::KeyFigure> figures = {};
  std::vector<DriveFinding> findings = {};
  std::string final_state_hash = {};
  LaneOutcome outcome = {};
  record::Table log = record::Table();
};

/// A scenario with different overrides, in lanes. A pure function of its arguments; drives are in the
/// order of the overrides.
std::vector<BatchDrive> drive_batch(const std::string& scenario,
                                    const std::vector<Overrides>& overrides,
                                    const LaneOptions& options = {});

}  // namespace camber::run
