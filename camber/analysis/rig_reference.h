#pragma once

#include <string>
#include <vector>

#include "camber/analysis/rig_columns.h"

namespace camber::analysis {

/// One quantity of a table that the rig is compared with: measurements, another program's results.
struct RigComparison {
  std::string place;      // an axle's name, or "steering"
  RigColumn column;       // what is compared
  std::vector<double> x;  // travel or steering, as shown
  std::vector<double> y;  // the table's values, as shown
  double difference = 0;  // largest, in the same units
  double at = 0;          // where in x
};

/// Reads a table (CSV, lines with # are comments) and moves the rig to each of its rows. Columns
/// have the rig's own keys, those in degrees also as _rad, or other names of docs/manual/rig.md.
/// Axles: columns `axle` and `travel_m`; steering: `steering_deg` or `steering_m`. Columns that are
/// known and not compared are noted. Throws ModelFileError for a table that cannot be read and a
/// position that cannot be reached.
std::vector<RigComparison> compare_with_table(const std::string& path,
                                              const vehicle::Vehicle& vehicle,
                                              const vehicle::RigResult& result,
                                              std::vector<std::string>* notes);

}  // namespace camber::analysis
