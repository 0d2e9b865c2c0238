#include "camber/live/hand_driver.h"

#include <algorithm>
#include <cmath>

#include "camber/driveline/range_lever.h"

namespace camber::live {

namespace hand {

// Steady turning of a vehicle with understeer gradient K needs delta = a (l / v^2 + K).
double calc_steer_limit(const HandLimits& limits, double speed) {
  const double v2 = speed * speed;
  if (v2 * limits.lock <= kLateral * limits.wheelbase) return limits.lock;
  return std::min(limits.lock, kLateral * (limits.wheelbase / v2 + limits.understeer));
}

double calc_steer_rate(double now, double target, double speed) {
  const double share = std::clamp(std::abs(speed) / kFastSpeed, 0.0, 1.0);
  const double rate = kSlowRate + (kFastRate - kSlowRate) * share;
  if (now * target < 0) return kThroughFactor * rate;
  return std::abs(target) < std::abs(now) ? kBackFactor * rate : rate;
}

double shape_stick(double raw) {
  const double size = std::clamp(std::abs(raw), 0.0, 1.0);
  if (size <= kDeadZone) return 0;
  const double x = (size - kDeadZone) / (1 - kDeadZone);
  return std::copysign((1 - kExpo) * x + kExpo * x * x * x, raw);
}

double approach(double now, double target, double up, double down, double dt) {
  return target > now ? std::min(target, now + up * dt) : std::max(target, now - down * dt);
}

}  // namespace hand

using namespace hand;  // NOLINT(google-build-using-namespace): laws of this file

void HandDriver::take_over(double time, const autonomy::Command& last, bool is_reverse) {
  state_ = {.range = state_.range};
  state_.is_active = true;
  state_.time = time;
  state_.steer = std::clamp(last.steer, -limits_.lock, limits_.lock);
  state_.throttle = last.throttle;
  state_.brake = last.brake;
  state_.direction = is_reverse ? -1 : 1;
}

double HandDriver::find_steer_target(const HandInput& input, double speed) const {
  const bool is_limited = input.assist() > 0 && (input.buttons & kButtonFullLock) == 0;
  const double limit = is_limited ? calc_steer_limit(limits_, speed) : limits_.lock;
  const double raw = std::clamp(static_cast<double>(input.steer), -1.0, 1.0);
  return limit * (input.device == Device::kPad ? shape_stick(raw) : raw);
}

autonomy::Command HandDriver::update(const HandInput& input, const autonomy::VehicleView& view,
                                     double time) {
  const double dt = std::max(0.0, time - state_.time);
  state_.time = time;
  const double speed = std::abs(view.speed);
  const bool is_direct = input.device == Device::kWheel || input.device == Device::kScript;
  if (input.silence == Silence::kNone) {
    if (is_direct) {
      // Hands on a wheel are the filter.
      state_.steer = limits_.lock * std::clamp(static_cast<double>(input.steer), -1.0, 1.0);
    } else {
      const double target = find_steer_target(input, speed);
      double rate = calc_steer_rate(state_.steer, target, speed);
      if (input.device != Device::kKeys) rate *= kStickFactor;
      state_.steer = approach(state_.steer, target, rate, rate, dt);
    }
    const int wanted = input.selector() == 1 ? 1 : input.selector() == 2 ? -1 : state_.direction;
    if (speed < kSelectorSpeed) state_.direction = wanted;
  }
  update_pedals(input, speed, dt);
  autonomy::Command command;
  command.steer = state_.steer;
  command.throttle = state_.throttle;
  command.brake = state_.brake;
  command.parking_brake = (input.buttons & kButtonParkingBrake) != 0 ? 1 : 0;
  // At rest the selector may move; on the way it stays as it is.
  command.selector = speed < kSelectorSpeed ? state_.direction : 0;
  // One lever at a time; for some ticks, because a first command may come after its tick.
  if (command.selector != 0 && input.range() != 0 && input.range() != state_.range) {
    state_.range = input.range();
    state_.range_until = time + kLeverTime;
  }
  if (command.selector != 0 && time < state_.range_until)
    command.selector = state_.range == 2 ? driveline::kLowRange : driveline::kHighRange;
  return command;
}

void HandDriver::update_pedals(const HandInput& input, double speed, double dt) {
  if (input.silence != Silence::kNone) {
    const double brake = input.silence == Silence::kBrake ? kSilentBrake : 0;
    state_.throttle = approach(state_.throttle, 0, kThrottleOn, kThrottleOff, dt);
    // A foot that was on the brake stays there.
    state_.brake = approach(state_.brake, std::max(brake, state_.brake), kBrakeOn, kBrakeOff, dt);
    state_.holds_speed = false;
    return;
  }
  if (hold_speed(input, speed, dt)) return;
  const double throttle = std::clamp(static_cast<double>(input.throttle), 0.0, 1.0);
  const double brake = std::clamp(static_cast<double>(input.brake), 0.0, 1.0);
  if (input.device == Device::kKeys) {
    state_.throttle = approach(state_.throttle, throttle, kThrottleOn, kThrottleOff, dt);
    state_.brake = approach(state_.brake, brake, kBrakeOn, kBrakeOff, dt);
  } else {
    state_.throttle = throttle;
    state_.brake = brake;
  }
}

// Assist 2: without a foot on a pedal the speed of that moment is held, by a PI law.
bool HandDriver::hold_speed(const HandInput& input, double speed, double dt) {
  constexpr double kMinSpeed = 1, kProportional = 0.25, kIntegral = 0.08, kBrakePerSpeed = 0.1;
  const bool is_asked =
      input.assist() >= 2 && input.throttle <= 0 && input.brake <= 0 && state_.direction > 0;
  if (!is_asked || (!state_.holds_speed && speed < kMinSpeed)) {
    state_.holds_speed = false;
    return false;
  }
  if (!state_.holds_speed) {
    state_.holds_speed = true;
    state_.speed = speed;
    state_.integral = state_.throttle;
  }
  const double error = state_.speed - speed;
  state_.integral = std::clamp(state_.integral + kIntegral * error * dt, 0.0, 1.0);
  state_.throttle = std::clamp(state_.integral + kProportional * error, 0.0, 1.0);
  state_.brake = std::clamp(kBrakePerSpeed * (-error - 1), 0.0, 1.0);
  return true;
}

}  // namespace camber::live
