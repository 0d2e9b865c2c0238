#pragma once

#include <vector>

#include "camber/core/state_buffer.h"

namespace camber::driveline {

/// An automatic gearbox behind a converter: gears 1.., -1 reverse, 0 neutral. It shifts under power:
/// one clutch takes the torque over from another (docs/theory/driving.md, section 7).
struct Gearbox {
  std::vector<double> ratios;  // input over output speed, first gear first
  double reverse_ratio = 1;
  /// Output speeds at which it shifts up from gear k + 1, with no and with full throttle [rad/s].
  std::vector<double> upshift_closed, upshift_full;
  double hysteresis = 0.2;     // it shifts down at a speed less by this share
  double shift_time = 0.5;     // [s]
  double torque_phase = 0.3;   // share of the shift time in which torque moves between clutches
  double shift_torque = 1;     // share of the engine's torque in the middle of an upshift
  double reserve = 0.25;       // of torque in the next gear, over what the road asks for
  bool is_manual = false;      // its clutch opens for a shift, and there is one that closes
  double reversal_time = 1.5;  // from a shift to one in the other direction, at least [s]
};

/// Which gear is in, how far a shift is, and what its controller remembers. Changes between steps
/// only.
struct GearState {
  int gear = 1;
  double left = 0;  // time until the shift ends [s]
  int from = 0;     // the gear that it leaves; 0: its clutch closes from open
  /// The torque moves before speeds change; else after.
  bool is_torque_first = true;
  bool is_parked = false;   // the selector is in P: neutral, with the parking brake set
  bool was_upshift = true;  // the last shift
  double wait = 0;          // until a shift in the other direction may start [s]
  double load = 0;          // force that road and air take, slowly averaged [N]
  bool has_load = false;

  void save(StateWriter* out) const;
  void restore(StateReader* in);
};

/// Input over output speed; negative in reverse, 0 in neutral.
double gear_ratio(const Gearbox& gearbox, int gear);
/// How much of the converter's torque its clutch lets through while it closes from open: 1, and in
/// such a shift nothing for half of the time, then more and more.
double engagement(const Gearbox& gearbox, const GearState& state);

/// Ratios at a moment of a shift between two gears: that of the speeds, and those of the torque
/// through the clutch that is to carry it and through the other one. Equal when it does not shift.
struct ShiftRatios {
  double speed = 0, torque = 0, other = 0;
};
ShiftRatios find_shift_ratios(const Gearbox& gearbox, const GearState& state);

/// What the controller leaves of the driver's throttle: less of it while speeds change in an upshift.
double throttle_share(const Gearbox& gearbox, const GearState& state);

/// Output speed above which it shifts up from a gear [rad/s].
double upshift_speed(const Gearbox& gearbox, int gear, double throttle);

/// The gear next to this one that speed and throttle ask for, or this one.
int choose_gear(const Gearbox& gearbox, int gear, double output_speed, double throttle);

}  // namespace camber::driveline
