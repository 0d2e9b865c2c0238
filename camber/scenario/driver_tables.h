#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "camber/autonomy/preview.h"
#include "camber/dynamics/traction_curve.h"

namespace camber::scenario {

/// Tables that drivers of one vehicle have in common: made when they are first asked for, then
/// copied. Threads may share it.
class DriverTables {
 public:
  dynamics::TractionCurve find_traction(const driveline::Driveline& driveline,
                                        double rolling_radius, bool is_low_range, int gear);
  /// `figures` of the same vehicle, whatever the horizon is.
  autonomy::PreviewSteering find_preview(const autonomy::PreviewFigures& figures);

 private:
  std::mutex mutex_;
  std::map<std::pair<bool, int>, dynamics::TractionCurve> traction_;
  std::map<std::pair<double, double>, autonomy::PreviewSteering> preview_;
};

}  // namespace camber::scenario
