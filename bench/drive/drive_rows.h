#pragma once

// How much faster than real time scenarios run on one core: with driver, sensors' samples and
// stops, without log and report.

#include <iosfwd>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/symbolic/comparison.h"

namespace camber::bench {

/// One scenario, as it is shipped or with values of its own.
struct DriveRow {
  std::string scenario;                     // name of its file without .toml
  std::vector<std::string> overrides = {};  // as --set takes them
  double duration = 0;                      // that was driven [s]
  double step = 0;                          // [s]
  double seconds = 0;                       // processor time of the fastest round
  double evaluations = 0;                   // of the equations of motion, per step
  std::string failure = {};                 // empty: it ran to its end

  double times_real_time() const { return duration / seconds; }
};

/// Getting the double lane change ready to run.
struct SetupRow {
  std::string name;    // what differs from the run before
  double bar = 0;      // [s]
  double seconds = 0;  // processor time of the fastest round
};

struct DriveComparison {
  std::string cpu;
  std::vector<DriveRow> rows;
  std::vector<SetupRow> setups;
  std::vector<Check> checks;
};

/// Names of the folder's files of kind "scenario", in the alphabet's order.
std::vector<std::string> list_scenarios(const std::string& folder);

/// All scenarios of the folder that drive, and variants of the double lane change. Rounds go over
/// all rows in turn, so that a busy while hits no row alone; kQuick makes one, of two seconds.
DriveComparison compare_drives(const std::string& folder, Effort effort);

/// Set-up of a first run and of further ones that share its parts; one round each if kQuick.
std::vector<SetupRow> measure_setups(const std::string& folder, Effort effort);

/// Runs one scenario once, for profilers.
DriveRow run_row(const std::string& folder, DriveRow row, double longest);

void print_table(const DriveComparison& comparison, std::ostream& out);
nlohmann::json to_json(const DriveComparison& comparison);
/// The rows that bench/results.csv keeps, under its heading's columns.
void print_csv(const DriveComparison& comparison, const std::string& commit, std::ostream& out);

}  // namespace camber::bench
