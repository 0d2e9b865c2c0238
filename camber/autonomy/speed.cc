#include "camber/autonomy/speed.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

constexpr double kGravity = 9.81;

/// Drag, rolling and grade: what the wheels have to give before anything accelerates [N].
double calc_resistance(const SpeedControl& c, const VehicleView& view) {
  const double slope = std::sqrt(1 + view.grade * view.grade);
  const double weight = c.mass * kGravity / slope;  // on the ground
  // Rolling resistance fades out toward standstill, where it only holds.
  const double rolling = c.rolling * weight * std::clamp(view.speed / 0.1, -1.0, 1.0);
  return c.drag * view.speed * std::abs(view.speed) + rolling + weight * view.grade;
}

}  // namespace

void require_valid(const Pedals& pedals) {
  require_table(pedals.throttle, "throttle");
  require_table(pedals.brake, "brake");
}

void require_valid(const SpeedControl& control) {
  require_table(control.profile.speed, "profile.speed");
  require_table(control.full_force, "full_force");
  require_table(control.closed_force, "closed_force");
  const auto positive = [](double value, const char* name) {
    require(value > 0 && std::isfinite(value), "SpeedControl: ", name, " must be > 0, got ", value);
  };
  positive(control.gain, "gain");
  positive(control.greatest_acceleration, "greatest_acceleration");
  positive(control.greatest_deceleration, "greatest_deceleration");
  positive(control.jerk, "jerk");
  positive(control.mass, "mass");
  positive(control.brake_force, "brake_force");
  require(control.integral_gain >= 0, "SpeedControl: integral_gain must be >= 0, got ",
          control.integral_gain);
  require(control.dead_band >= 0, "SpeedControl: dead_band must be >= 0, got ", control.dead_band);
}

PedalCommand calc_pedals(const Pedals& pedals, double time) {
  return {std::clamp(value_at(pedals.throttle, time), 0.0, 1.0),
          std::clamp(value_at(pedals.brake, time), 0.0, 1.0)};
}

PedalCommand calc_pedals(const SpeedControl& c, const VehicleView& view, double s, double dt,
                         SpeedMemory* memory) {
  const WantedSpeed wanted = wanted_speed(c.profile, view.time, s);
  if (wanted.speed < c.hold_speed && wanted.acceleration <= 0 &&
      std::abs(view.speed) < c.hold_speed) {
    *memory = {.is_braking = true};
    return {0, c.hold_brake};
  }

  // The acceleration wanted, as fast as jerk lets it come.
  const double error = wanted.speed - view.speed;
  const double free = wanted.acceleration + c.gain * error + memory->integral;
  const double bounded = std::clamp(free, -c.greatest_deceleration, c.greatest_acceleration);
  const double last = memory->acceleration;
  const double asked = std::clamp(bounded, last - c.jerk * dt, last + c.jerk * dt);
  memory->acceleration = asked;

  // Its force, against what comes with a closed throttle, decides on the pedal; the foot stays on
  // the one that it is on until the other is needed by more than the dead band.
  const double closed = value_at(c.closed_force, view.speed);
  const double span = std::max(value_at(c.full_force, view.speed) - closed, 1.0);
  const double more = c.mass * asked + calc_resistance(c, view) - closed;
  if (more > c.dead_band * c.mass) memory->is_braking = false;
  if (more < -c.dead_band * c.mass) memory->is_braking = true;
  PedalCommand pedals;
  (memory->is_braking ? pedals.brake : pedals.throttle) =
      std::clamp(memory->is_braking ? -more / c.brake_force : more / span, 0.0, 1.0);

  // The integral waits while something bounds the way it would push.
  const bool is_bounded_above = free > asked || pedals.throttle >= 1,
             is_bounded_below = free < asked || pedals.brake >= 1;
  if (!(error > 0 ? is_bounded_above : is_bounded_below)) {
    memory->integral += c.integral_gain * error * dt;
  }
  return pedals;
}

}  // namespace camber::autonomy
