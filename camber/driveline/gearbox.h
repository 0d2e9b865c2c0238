#pragma once

#include <vector>

namespace camber::driveline {

/// An automatic gearbox: gears 1.., -1 reverse, 0 neutral.
struct Gearbox {
  std::vector<double> ratios;  // input over output speed, first gear first
  double reverse_ratio = 1;
  /// Output speeds at which it shifts up from gear k + 1, with no and with full throttle [rad/s].
  std::vector<double> upshift_closed, upshift_full;
  double hysteresis = 0.2;  // it shifts down at a speed less by this share
  double shift_time = 0.5;  // half of it without torque, then its clutches grip [s]
};

/// Which gear is in, and how long a shift has still to go. Changes between steps only.
struct GearState {
  int gear = 1;
  double left = 0;  // [s]
};

/// Input over output speed; negative in reverse, 0 in neutral.
double gear_ratio(const Gearbox& gearbox, int gear);
/// How much of the converter's torque its clutches let through: 1, and in a shift nothing for half
/// of the time, then more and more.
double engagement(const Gearbox& gearbox, const GearState& state);

/// Follows the driver's selector: 1 puts a forward gear in, -1 reverse, 0 changes nothing. Takes a
/// shift_time, as a shift does.
GearState select_direction(const Gearbox& gearbox, const GearState& state, int selector);

/// What the gearbox does in a step of dt, in forward gears.
GearState shift(const Gearbox& gearbox, const GearState& state, double output_speed,
                double throttle, double dt);

}  // namespace camber::driveline
