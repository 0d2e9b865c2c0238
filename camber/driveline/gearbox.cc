#include "camber/driveline/gearbox.h"

#include <algorithm>

#include "camber/core/require.h"

namespace camber::driveline {

double gear_ratio(const Gearbox& gearbox, int gear) {
  if (gear == 0) return 0;
  if (gear < 0) return -gearbox.reverse_ratio;
  require(gear <= static_cast<int>(gearbox.ratios.size()), "gear_ratio: there are ",
          gearbox.ratios.size(), " gears, not ", gear);
  return gearbox.ratios[static_cast<std::size_t>(gear - 1)];
}

double engagement(const Gearbox& gearbox, const GearState& state) {
  if (state.left <= 0) return 1;
  const double gripping = std::max(0.0, 1 - 2 * state.left / gearbox.shift_time);
  return gripping * gripping;
}

GearState select_direction(const Gearbox& gearbox, const GearState& state, int selector) {
  const bool is_asked = (selector > 0 && state.gear < 1) || (selector < 0 && state.gear > -1);
  return is_asked ? GearState{selector > 0 ? 1 : -1, gearbox.shift_time} : state;
}

GearState shift(const Gearbox& gearbox, const GearState& state, double output_speed,
                double throttle, double dt) {
  GearState next = state;
  if (next.left > 0) {
    next.left = std::max(0.0, next.left - dt);
    return next;
  }
  if (next.gear < 1) return next;
  const double open = std::clamp(throttle, 0.0, 1.0);
  const auto up_from = [&](int gear) {
    const auto k = static_cast<std::size_t>(gear - 1);
    return gearbox.upshift_closed[k] + open * (gearbox.upshift_full[k] - gearbox.upshift_closed[k]);
  };
  const int count = static_cast<int>(gearbox.ratios.size());
  if (next.gear < count && output_speed > up_from(next.gear)) {
    ++next.gear;
  } else if (next.gear > 1 && output_speed < (1 - gearbox.hysteresis) * up_from(next.gear - 1)) {
    --next.gear;
  } else {
    return next;
  }
  next.left = gearbox.shift_time;
  return next;
}

}  // namespace camber::driveline
