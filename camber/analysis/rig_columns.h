#pragma once

#include <functional>
#include <string>
#include <vector>

#include "camber/vehicle/rig_sweep.h"

namespace camber::analysis {

/// One quantity of a rig's positions: its names and units in files and in human-readable tables.
struct RigColumn {
  std::string key;                                      // in CSV and JSON: "camber_deg"
  std::string label;                                    // shown: "camber"
  std::string unit;                                     // shown: "deg"; empty for a ratio
  double file_scale = 1, shown_scale = 1;               // times the SI value
  int decimals = 3;                                     // shown
  std::function<double(const vehicle::RigState&)> get;  // SI

  double in_file(const vehicle::RigState& state) const { return file_scale * get(state); }
  double shown(const vehicle::RigState& state) const { return shown_scale * get(state); }
  /// "camber [deg]"
  std::string title() const { return unit.empty() ? label : label + " [" + unit + "]"; }
};

/// Columns of an axle over wheel travel: its left wheel, and what both wheels have in common. The
/// first is travel.
std::vector<RigColumn> parallel_columns(const vehicle::Vehicle& vehicle,
                                        const vehicle::AxleSweep& sweep);
/// Columns of an axle in roll: left wheel up, right wheel down. The first is travel of the left
/// wheel.
std::vector<RigColumn> opposed_columns(const vehicle::AxleSweep& sweep);
/// Columns of the steered axle over the angle or displacement of the steering, which is the first.
std::vector<RigColumn> steering_columns(const vehicle::Vehicle& vehicle,
                                        const vehicle::RigResult& result);

/// The column with a key; there must be one.
const RigColumn& column_of(const std::vector<RigColumn>& columns, const std::string& key);

}  // namespace camber::analysis
