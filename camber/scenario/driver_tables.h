#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "camber/dynamics/traction_curve.h"

namespace camber::scenario {

/// Tables that drivers of one vehicle have in common: made when they are first asked for, then
/// copied. Threads may share it.
class DriverTables {
 public:
  dynamics::TractionCurve find_traction(const driveline::Driveline& driveline,
                                        double rolling_radius, bool is_low_range, int gear);

 private:
  std::mutex mutex_;
  std::map<std::pair<bool, int>, dynamics::TractionCurve> traction_;
};

}  // namespace camber::scenario
