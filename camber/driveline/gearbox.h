#pragma once

#include <vector>

namespace camber::driveline {

/// An automatic gearbox: gears 1.., -1 reverse, 0 neutral.
struct Gearbox {
  std::vector<double> ratios;  // input over output speed, first gear first
  double reverse_ratio = 1;
  /// Output speeds at which it shifts up from gear k + 1, with no and with full throttle [rad/s].
  std::vector<double> upshift_closed, upshift_full;
  double hysteresis = 0.2;  // downshift speeds are lower by this fraction
  double shift_time = 0.5;  // half of it without torque, then its clutches grip [s]
};

/// The engaged gear, and the remaining time of a shift. Changes between steps only.
struct GearState {
  int gear = 1;
  double left = 0;  // [s]
};

/// Input over output speed; negative in reverse, 0 in neutral.
double gear_ratio(const Gearbox& gearbox, int gear);
/// The fraction of the converter's torque that its clutches transmit: 1, and in a shift 0 for half
/// of the time, then increasing.
double engagement(const Gearbox& gearbox, const GearState& state);

/// Follows the driver's selector: 1 engages a forward gear, -1 reverse, 0 changes nothing. Takes a
/// shift_time, like a shift.
GearState select_direction(const Gearbox& gearbox, const GearState& state, int selector);

/// Shifts in a step of dt, in forward gears.
GearState shift(const Gearbox& gearbox, const GearState& state, double output_speed,
                double throttle, double dt);

}  // namespace camber::driveline
