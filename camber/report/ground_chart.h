#pragma once

#include <vector>

#include "camber/report/chart.h"
#include "camber/report/drive_report.h"

namespace camber::report {

/// The path of a vehicle seen from above, x to the right, with its surroundings: in equal axes,
/// and, if this is little more than a line, a second time with y enlarged. Start, end and round
/// times are marked. Empty when no position is finite.
std::vector<Chart> make_ground_charts(const std::vector<double>& times,
                                      const std::vector<double>& x, const std::vector<double>& y,
                                      const GroundPlan& ground);

}  // namespace camber::report
