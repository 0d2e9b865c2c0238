#include "camber/driveline/gearbox.h"

#include <algorithm>

#include "camber/core/require.h"

namespace camber::driveline {

namespace {

/// Shares of a manual shift's time by which the clutch has opened, and from which it closes.
constexpr double kOpened = 0.3, kCloses = 0.6;

/// From 0 to 1 while x goes from begin to end.
double find_progress(double x, double begin, double end) {
  return end > begin ? std::clamp((x - begin) / (end - begin), 0.0, 1.0) : x < end ? 0.0 : 1.0;
}

/// Of the speeds and of the torque, each from 0 to 1 in a shift.
struct Progress {
  double speed, torque;
};

Progress find_progress(const Gearbox& gearbox, const GearState& state) {
  const double done = 1 - state.left / gearbox.shift_time, part = gearbox.torque_phase;
  return state.is_torque_first
             ? Progress{find_progress(done, part, 1), find_progress(done, 0, part)}
             : Progress{find_progress(done, 0, 1 - part), find_progress(done, 1 - part, 1)};
}

bool is_between_gears(const GearState& state) { return state.left > 0 && state.from != 0; }

}  // namespace

void GearState::save(StateWriter* out) const {
  for (const int value : {gear, from, is_torque_first ? 1 : 0, is_parked ? 1 : 0,
                          was_upshift ? 1 : 0, has_load ? 1 : 0})
    out->write(value);
  for (const double value : {left, wait, load}) out->write(value);
}

void GearState::restore(StateReader* in) {
  gear = in->read_int();
  from = in->read_int();
  for (bool* value : {&is_torque_first, &is_parked, &was_upshift, &has_load})
    *value = in->read_bool();
  for (double* value : {&left, &wait, &load}) *value = in->read();
}

double gear_ratio(const Gearbox& gearbox, int gear) {
  if (gear == 0) return 0;
  if (gear < 0) return -gearbox.reverse_ratio;
  require(gear <= static_cast<int>(gearbox.ratios.size()), "gear_ratio: there are ",
          gearbox.ratios.size(), " gears, not ", gear);
  return gearbox.ratios[static_cast<std::size_t>(gear - 1)];
}

double engagement(const Gearbox& gearbox, const GearState& state) {
  if (state.left <= 0) return 1;
  if (state.from != 0) {
    if (!gearbox.is_manual) return 1;
    const double done = 1 - state.left / gearbox.shift_time;
    if (done < kOpened) return 1 - done / kOpened;
    const double closing = std::max(0.0, (done - kCloses) / (1 - kCloses));
    return closing * closing;
  }
  const double gripping = std::max(0.0, 1 - 2 * state.left / gearbox.shift_time);
  return gripping * gripping;
}

ShiftRatios find_shift_ratios(const Gearbox& gearbox, const GearState& state) {
  const double to = gear_ratio(gearbox, state.gear);
  if (!is_between_gears(state)) return {to, to, to};
  const double from = gear_ratio(gearbox, state.from);
  if (gearbox.is_manual) {  // the gear changes while the clutch is open
    const bool is_before = state.left > 0.5 * (2 - kOpened - kCloses) * gearbox.shift_time;
    const double in = is_before ? from : to;
    return {in, in, in};
  }
  const Progress progress = find_progress(gearbox, state);
  return {from + progress.speed * (to - from), from + progress.torque * (to - from),
          state.is_torque_first ? from : to};
}

double throttle_share(const Gearbox& gearbox, const GearState& state) {
  if (!is_between_gears(state) || gearbox.is_manual || !state.is_torque_first ||
      state.gear < state.from)
    return 1;
  const double speed = find_progress(gearbox, state).speed;
  return 1 - (1 - gearbox.shift_torque) * 4 * speed * (1 - speed);
}

double upshift_speed(const Gearbox& gearbox, int gear, double throttle) {
  const double open = std::clamp(throttle, 0.0, 1.0);
  const auto k = static_cast<std::size_t>(gear - 1);
  return gearbox.upshift_closed[k] + open * (gearbox.upshift_full[k] - gearbox.upshift_closed[k]);
}

int choose_gear(const Gearbox& gearbox, int gear, double output_speed, double throttle) {
  if (gear < 1) return gear;
  if (gear < static_cast<int>(gearbox.ratios.size()) &&
      output_speed > upshift_speed(gearbox, gear, throttle))
    return gear + 1;
  const bool is_slow = gear > 1 && output_speed < (1 - gearbox.hysteresis) *
                                                      upshift_speed(gearbox, gear - 1, throttle);
  return is_slow ? gear - 1 : gear;
}

}  // namespace camber::driveline
