#include "camber/scenario/driver_tables.h"

namespace camber::scenario {

dynamics::TractionCurve DriverTables::find_traction(const driveline::Driveline& driveline,
                                                    double rolling_radius, bool is_low_range,
                                                    int gear) {
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] = traction_.try_emplace({is_low_range, gear});
  if (is_new)
    found->second = dynamics::calc_traction_curve(driveline, rolling_radius, is_low_range, gear);
  return found->second;
}

}  // namespace camber::scenario
