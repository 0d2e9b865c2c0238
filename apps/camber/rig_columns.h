#pragma once

#include <functional>
#include <string>
#include <vector>

#include "camber/vehicle/rig_sweep.h"

namespace camber::app {

/// One quantity of a rig's positions: its name in files and for people, in the units of both.
struct RigColumn {
  std::string key;                                      // in CSV and JSON: "camber_deg"
  std::string label;                                    // for people: "camber"
  std::string unit;                                     // for people: "deg"; empty for a ratio
  double file_scale = 1, shown_scale = 1;               // of the SI value
  int decimals = 3;                                     // for people
  std::function<double(const vehicle::RigState&)> get;  // SI

  double in_file(const vehicle::RigState& state) const { return file_scale * get(state); }
  double shown(const vehicle::RigState& state) const { return shown_scale * get(state); }
  /// "camber [deg]"
  std::string title() const { return unit.empty() ? label : label + " [" + unit + "]"; }
};

/// Of an axle over wheel travel: its left wheel, and what both have in common. The first is travel.
std::vector<RigColumn> parallel_columns(const vehicle::Vehicle& vehicle,
                                        const vehicle::AxleSweep& sweep);
/// Of an axle in roll: left up, right down. The first is travel of the left wheel.
std::vector<RigColumn> opposed_columns(const vehicle::AxleSweep& sweep);
/// Of the steered axle over the steering's angle or way, the first.
std::vector<RigColumn> steering_columns(const vehicle::Vehicle& vehicle,
                                        const vehicle::RigResult& result);

/// The one with a key; there must be one.
const RigColumn& column_of(const std::vector<RigColumn>& columns, const std::string& key);

/// A fixed number of decimals; a minus only before what is not zero; empty for what is no number.
std::string fixed_text(double value, int decimals);

}  // namespace camber::app
