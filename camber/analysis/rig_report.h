#pragma once

#include <string>
#include <vector>

#include "camber/analysis/rig_columns.h"
#include "camber/analysis/rig_reference.h"
#include "camber/report/page.h"

namespace camber::analysis {

/// A vehicle on the rig: what was measured, and how it compares with a table.
struct RigStudy {
  vehicle::Vehicle car;
  vehicle::RigResult result;
  std::vector<RigComparison> comparisons;
};

/// Tables with a quantity per line and some positions side by side: wheel travel and roll of an
/// axle, steering, and the largest differences from a reference table.
report::Table travel_table(const RigStudy& study, const vehicle::AxleSweep& sweep);
report::Table roll_table(const RigStudy& study, const vehicle::AxleSweep& sweep);
report::Table steering_table(const RigStudy& study);
report::Table comparison_table(const RigStudy& study);

/// All results on one self-contained HTML page.
std::string make_rig_report(const RigStudy& study);

}  // namespace camber::analysis
