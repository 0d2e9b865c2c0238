#pragma once

#include <cmath>

namespace camber::driveline {

/// Positions of the lever of a transfer case, in the selector of a command: those of the gearbox
/// (shift_control.h) are below them, and ignore them.
enum RangePosition : int {
  kHighRange = 4,
  kLowRange = 5,
};

/// The range after a command. The lever moves near rest only; `output_speed` is that of the gearbox
/// [rad/s].
inline bool find_range(bool is_low_range, int selector, double output_speed) {
  constexpr double kMaxSpeed = 10;
  if (std::abs(output_speed) > kMaxSpeed) return is_low_range;
  return selector == kLowRange || (is_low_range && selector != kHighRange);
}

}  // namespace camber::driveline
