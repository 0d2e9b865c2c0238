#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "camber/report/key_figure.h"
#include "camber/report/run_report.h"
#include "camber/sim/mechanism_record.h"
#include "camber/sim/mechanism_run.h"

namespace camber::sim {

/// How a drive was made: what its summary says beside its result.
struct DriveFacts {
  std::string scenario = {}, about = {};    // its name, and what is driven
  std::vector<std::string> overrides = {};  // KEY=VALUE instead of what the scenario's file has
  std::string vehicle = {};                 // the file
  std::string tire = {}, ground = {};       // in words, as `camber check` has them
  std::string formulation = {};             // "ce", "generated"
  std::string method = {};                  // of the steps
  double step = 0;                          // [s]
  double duration = 0;                      // [s] as wanted
  std::uint64_t seed = 0;
  std::string ended_by = {};  // the stop condition that ended it as it should
  std::vector<std::string> warnings = {};
};

/// FNV-1a with 64 bits [Fowler, Noll, Vo, draft-eastlake-fnv]: the same bytes give the same number
/// on every machine. It tells results apart, and does not protect against forgery.
/// Bytes that come in pieces give the same: `hash` is that of those before.
std::uint64_t fnv1a64(std::span<const std::byte> bytes, std::uint64_t hash = 0xcbf29ce484222325ULL);

/// "fnv1a64:" and 16 hexadecimal digits, over the values' bytes, least significant first: equal for
/// two drives whose final states are equal bit by bit.
std::string hash_state(std::span<const double> state);
/// The same of a file's bytes, of which it holds a piece at a time. Throws FileError.
std::string hash_file(const std::string& path);

/// Of the program ("camber 0.1.0") and of the compiler that made it.
std::vector<report::SummaryValue> make_versions(const RunSource& source);

/// summary.json of a drive as text: status, scenario, times and speed as of every run, key figures
/// with their bounds, versions, seed, hash of the final state. `passed` says whether it came to its
/// end with no figure missed. A figure that is not finite is null.
std::string make_drive_summary(const RunSource& source, const DriveFacts& facts,
                               const RunResult& result,
                               const std::vector<report::KeyFigure>& figures,
                               std::span<const double> final_state);

}  // namespace camber::sim
