#pragma once

// Rays through a city, against other libraries' in the same run.

#include <iosfwd>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/symbolic/comparison.h"

namespace camber::bench {

struct SensorRow {
  std::string name, engine;
  double rays = 0;           // cast per round
  double seconds = 0;        // processor time of the fastest round
  double build_seconds = 0;  // 0: not measured
  double memory = 0;         // [bytes]; 0: not known
  double hit_part = 0;       // of the rays
  double mean_range = 0;     // of the hits [m]

  double nanoseconds() const { return rays > 0 ? 1e9 * seconds / rays : 0; }
};

struct SensorComparison {
  std::string cpu;
  std::size_t triangles = 0;  // of objects
  std::vector<SensorRow> rows;
  std::vector<Check> checks;
};

/// kQuick: four blocks and one turn.
SensorComparison compare_sensors(Effort effort);

/// Casts the LIDAR's rays through the whole city for some seconds, for profilers.
void run_rays_only(double seconds);

void print_table(const SensorComparison& comparison, std::ostream& out);
nlohmann::json to_json(const SensorComparison& comparison);
/// The rows that bench/results.csv keeps, under its heading's columns.
void print_csv(const SensorComparison& comparison, const std::string& commit, std::ostream& out);

}  // namespace camber::bench
