#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "camber/autonomy/curve_family.h"
#include "camber/dynamics/traction_curve.h"

namespace camber::scenario {

/// The driver's model of the powertrain, over speed; backward in reverse gear.
struct TractionCurves {
  autonomy::CurveFamily force;          // over throttles, evenly from none to full [N]
  autonomy::CurveFamily rotating_mass;  // of wheels and engine [kg]
};

/// Curves that drivers of one vehicle have in common. Threads may share it.
class DriverTables {
 public:
  /// `wheel_mass` is the equivalent mass of the wheels' rotation [kg].
  TractionCurves find_traction(const driveline::Driveline& driveline, double rolling_radius,
                               double wheel_mass, bool is_low_range, int gear);

 private:
  std::mutex mutex_;
  std::map<std::pair<bool, int>, TractionCurves> traction_;
};

}  // namespace camber::scenario
