#pragma once

#include <string>
#include <vector>

#include "apps/camber/rig_columns.h"

namespace camber::app {

/// One quantity of a table that the rig is held against: measurements, another program's results.
struct RigComparison {
  std::string place;      // an axle's name, or "steering"
  RigColumn column;       // what is compared
  std::vector<double> x;  // travel or steering, in units for people
  std::vector<double> y;  // the table's values, in units for people
  double difference = 0;  // largest, in the same units
  double at = 0;          // where in x
};

/// Reads a table (CSV, lines with # are comments) and moves the rig to each of its rows. Columns
/// have the rig's own keys, those in degrees also as _rad, or other names of docs/manual/rig.md.
/// Axles: columns `axle` and `travel_m`; steering: `steering_deg` or `steering_m`. Columns that are
/// known and not compared are noted. Throws ModelFileError for what cannot be read or reached.
std::vector<RigComparison> compare_with_table(const std::string& path,
                                              const vehicle::Vehicle& vehicle,
                                              const vehicle::RigResult& result,
                                              std::vector<std::string>* notes);

}  // namespace camber::app
