#pragma once

#include <string>
#include <vector>

#include "apps/camber/rig_columns.h"
#include "apps/camber/rig_reference.h"
#include "camber/report/page.h"

namespace camber::app {

/// What the command found, with what it needs to be told.
struct RigStudy {
  vehicle::Vehicle car;
  vehicle::RigResult result;
  std::vector<RigComparison> comparisons;
};

/// Quantities line by line, some positions side by side.
report::Table travel_table(const RigStudy& study, const vehicle::AxleSweep& sweep);
report::Table roll_table(const RigStudy& study, const vehicle::AxleSweep& sweep);
report::Table steering_table(const RigStudy& study);
report::Table comparison_table(const RigStudy& study);

/// Everything on one self-contained HTML page.
std::string make_rig_report(const RigStudy& study);

}  // namespace camber::app
