#include "camber/driveline/shift_control.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace camber::driveline {

namespace {

double top_engine_speed(const Driveline& d) { return d.engine.torque.x().back(); }

bool is_overspeed(const Driveline& d, int gear, double output_speed) {
  return gear_ratio(d.gearbox, gear) * output_speed > top_engine_speed(d);
}

GearState start_shift(const Driveline& d, GearState state, int gear, const ShiftView& view) {
  const bool is_up = gear > state.gear, drives = view.turbine_torque * view.output_speed >= 0;
  state.from = state.gear;
  state.gear = gear;
  state.left = d.gearbox.shift_time;
  // The clutch that is to carry the torque while speeds change must slip in its direction: the new
  // one in an upshift that drives and a downshift that brakes, else the old one.
  state.is_torque_first = is_up == drives;
  state.was_upshift = is_up;
  state.wait = d.gearbox.shift_time + d.gearbox.reversal_time;
  return state;
}

/// Whether the next gear carries what road and air take, with a reserve, and the throttle for it will
/// not ask for this gear again. On a climb that must be so with the throttle of the moment: a driver is
/// slower than the vehicle loses speed there.
bool holds_in_next_gear(const Driveline& d, const GearState& state, const ShiftView& view) {
  constexpr double kClimb = 0.1, kGravity = 9.81;  // load over weight; [m/s^2]
  if (!state.has_load || state.load <= 0) return true;
  const double torque =
      (1 + d.gearbox.reserve) * state.load * view.wheel_radius / output_ratio(d, view.is_low_range);
  const double throttle = find_throttle(d, state.gear + 1, view.output_speed, torque);
  const bool is_climb = state.load > kClimb * view.mass * kGravity;
  return throttle <= (is_climb ? view.throttle : 1) &&
         choose_gear(d.gearbox, state.gear + 1, view.output_speed, throttle) > state.gear;
}

int choose_by_itself(const Driveline& d, const GearState& state, const ShiftView& view) {
  const int count = static_cast<int>(d.gearbox.ratios.size());
  if (state.gear < count && is_overspeed(d, state.gear, view.output_speed)) return state.gear + 1;
  const int gear = choose_gear(d.gearbox, state.gear, view.output_speed, view.throttle);
  if (gear == state.gear) return gear;
  const bool is_up = gear > state.gear;
  if (is_up != state.was_upshift && state.wait > 0) return state.gear;
  if (is_up ? !holds_in_next_gear(d, state, view) : is_overspeed(d, gear, view.output_speed))
    return state.gear;
  return gear;
}

/// The held gear, or the lowest one above it in which the engine does not overspeed.
int choose_held(const Driveline& d, const GearState& state, const ShiftView& view) {
  const int count = static_cast<int>(d.gearbox.ratios.size());
  int gear = std::min(view.held_gear, count);
  if (gear >= state.gear) return gear;
  while (gear < state.gear && is_overspeed(d, gear, view.output_speed)) ++gear;
  return gear;
}

}  // namespace

GearState control_gear(const Driveline& d, const GearState& state, const ShiftView& view,
                       double dt) {
  constexpr double kLoadTime = 0.4;  // over which the load is averaged [s]
  GearState next = state;
  next.wait = std::max(0.0, next.wait - dt);
  if (view.mass > 0) {
    const double load = view.wheel_force - view.mass * view.acceleration;
    next.load += (next.has_load ? dt / (kLoadTime + dt) : 1) * (load - next.load);
    next.has_load = true;
  }
  if (next.left > 0) {
    next.left = std::max(0.0, next.left - dt);
    if (next.left == 0) next.from = 0;
    return next;
  }
  if (next.gear < 1) return next;
  const int gear =
      view.held_gear > 0 ? choose_held(d, next, view) : choose_by_itself(d, next, view);
  return gear == next.gear ? next : start_shift(d, next, gear, view);
}

GearState select(const Driveline& d, const GearState& state, int selector, double output_speed,
                 double throttle) {
  constexpr double kSlow = 5;  // of the gearbox' output, at which P engages [rad/s]
  GearState next = state;
  const auto close = [&](int gear) {
    next.gear = gear;
    next.from = 0;
    next.left = d.gearbox.shift_time;
    next.is_parked = false;
  };
  const auto open = [&](bool parks) {
    next.gear = 0;
    next.from = 0;
    next.left = 0;
    next.is_parked = parks;
  };
  if (selector == kDrive && state.gear < 1) close(find_settled_gear(d, output_speed, throttle));
  if (selector == kReverse && state.gear > -1) close(-1);
  if (selector == kNeutral && (state.gear != 0 || state.is_parked)) open(false);
  if (selector == kPark && !state.is_parked && std::abs(output_speed) < kSlow) open(true);
  return next;
}

int find_settled_gear(const Driveline& d, double output_speed, double throttle) {
  int gear = 1;
  for (std::size_t k = 0; k < d.gearbox.ratios.size(); ++k)
    gear = choose_gear(d.gearbox, gear, output_speed, throttle);
  return gear;
}

// The turbine's torque rises with the pump's speed: bisection between the turbine's speed and the
// engine's top speed.
double find_throttle(const Driveline& d, int gear, double output_speed, double output_torque) {
  const double ratio = gear_ratio(d.gearbox, gear), turbine_speed = ratio * output_speed,
               torque = output_torque / (ratio * d.efficiency);
  if (d.coupling) {
    const double speed =
        std::max(turbine_speed, d.coupling->is_clutch ? d.coupling->closes_to : 0.0);
    const double full = d.engine.torque.at(speed), none = d.engine.motoring.at(speed);
    if (!(full > none)) return std::numeric_limits<double>::infinity();
    return std::max(0.0, (torque - none) / (full - none));
  }
  const auto converter = [&](double engine_speed) {
    return calc_converter(d.converter, engine_speed, turbine_speed);
  };
  double low = std::max(0.5 * d.engine.idle_speed, turbine_speed), high = top_engine_speed(d);
  if (!(low < high) || converter(high).turbine < torque)
    return std::numeric_limits<double>::infinity();
  for (int i = 0; i < 40 && high - low > 1e-6 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (converter(middle).turbine < torque ? low : high) = middle;
  }
  const double full = d.engine.torque.at(high), none = d.engine.motoring.at(high);
  if (!(full > none)) return std::numeric_limits<double>::infinity();
  return std::max(0.0, (converter(high).pump - none) / (full - none));
}

}  // namespace camber::driveline
