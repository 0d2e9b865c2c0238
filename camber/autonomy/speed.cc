#include "camber/autonomy/speed.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

/// Drag, rolling resistance and grade: the force of the wheels at constant speed [N].
double calc_resistance(const SpeedControl& c, const VehicleView& view) {
  const double slope = std::sqrt(1 + view.grade * view.grade);
  const double weight = c.mass * c.gravity / slope;  // on the ground
  // Rolling resistance fades out toward standstill, where it only holds.
  const double rolling = c.rolling * weight * std::clamp(view.speed / 0.1, -1.0, 1.0);
  return c.drag * view.speed * std::abs(view.speed) + rolling + weight * view.grade;
}

/// The min throttle that gives a force; 0 for forces below that of a closed throttle.
double find_throttle(const SpeedControl& c, double speed, double force) {
  const std::size_t last = c.force.size() - 1;
  double below = c.force.at(0, speed);
  for (std::size_t k = 0; k < last; ++k) {
    const double above = c.force.at(k + 1, speed);
    if (force < above)
      return (static_cast<double>(k) + std::max(0.0, (force - below) / (above - below))) /
             static_cast<double>(last);
    below = above;
  }
  return 1;
}

/// What holds the vehicle before an obstacle is not known: the driver gives more and more, as fast as
/// jerk allows, until it moves, keeps that while it climbs, and takes it back near the target speed.
/// `bounded` is the target acceleration without limits of jerk.
void push_obstacle(const SpeedControl& c, double speed, double target, double bounded, double dt,
                   SpeedMemory* memory) {
  constexpr double kStill = 0.1;                      // [m/s]
  constexpr double kMaxPush = 15;                     // more than any drive gives [m/s^2]
  constexpr double kClimbed = 0.5;                    // of the target speed
  constexpr double kLetGo = 0.3, kLetGoAtOnce = 0.1;  // time constants [s]
  const bool should_move = target > c.hold_speed && memory->acceleration >= bounded - c.jerk * dt;
  memory->stalled = should_move && std::abs(speed) < kStill ? memory->stalled + dt : 0;
  if (memory->stalled > c.patience) {
    memory->push = std::min(memory->push + c.jerk * dt, kMaxPush);
  } else if (speed > kClimbed * target) {
    memory->push *= std::exp(-dt / (speed > target ? kLetGoAtOnce : kLetGo));
  }
}

constexpr double kPushing = 0.01;  // a push that counts [m/s^2]

/// How freely the driver can act: 1, decreasing to 0 where a bound of acceleration, jerk or pedals
/// is active. A jump of this value would be a jump of the pedals at one of the next samples.
double calc_freedom(double free, double asked, const PedalCommand& pedals) {
  constexpr double kHeldBack = 0.2, kPedal = 0.05;  // [m/s^2], of the pedal's travel
  const double wish = 1 - std::abs(free - asked) / kHeldBack;
  const double pedal = (1 - std::max(pedals.throttle, pedals.brake)) / kPedal;
  return std::clamp(std::min(wish, pedal), 0.0, 1.0);
}

}  // namespace

void require_valid(const Pedals& pedals) {
  require_table(pedals.throttle, "throttle");
  require_table(pedals.brake, "brake");
}

void require_valid(const SpeedControl& control) {
  require_table(control.profile.speed, "profile.speed");
  require(control.force.size() >= 2, "SpeedControl: force needs curves for no and full throttle");
  control.force.require_points("force");
  const auto positive = [](double value, const char* name) {
    require(value > 0 && std::isfinite(value), "SpeedControl: ", name, " must be > 0, got ", value);
  };
  positive(control.gain, "gain");
  positive(control.max_acceleration, "max_acceleration");
  positive(control.max_deceleration, "max_deceleration");
  positive(control.jerk, "jerk");
  positive(control.mass, "mass");
  positive(control.brake_force, "brake_force");
  require(control.rotating_mass.size() == 1, "SpeedControl: rotating_mass needs one curve, has ",
          control.rotating_mass.size());
  control.rotating_mass.require_points("rotating_mass");
  const auto not_negative = [](double value, const char* name) {
    require(value >= 0, "SpeedControl: ", name, " must be >= 0, got ", value);
  };
  not_negative(control.correction_rate, "correction_rate");
  not_negative(control.patience, "patience");
  not_negative(control.dead_band, "dead_band");
}

PedalCommand calc_pedals(const Pedals& pedals, double time) {
  return {std::clamp(value_at(pedals.throttle, time), 0.0, 1.0),
          std::clamp(value_at(pedals.brake, time), 0.0, 1.0)};
}

PedalCommand calc_pedals(const SpeedControl& c, const VehicleView& seen, double s, double dt,
                         SpeedMemory* memory) {
  VehicleView view = seen;
  if (c.is_backward) {  // as if the rear were the front
    view.speed = -seen.speed;
    view.acceleration = -seen.acceleration;
    view.grade = -seen.grade;
  }
  const TargetSpeed wanted = target_speed(c.profile, view.time, s);
  if (wanted.speed < c.hold_speed && wanted.acceleration <= 0 &&
      std::abs(view.speed) < c.hold_speed) {
    *memory = {.is_braking = true, .expected = view.speed};
    return {0, c.hold_brake};
  }

  // The difference between actual and expected motion is what the driver did not know.
  const double w = c.correction_rate;
  if (dt == 0) memory->expected = view.speed;
  const double before = memory->expected + memory->rate * dt, off = before - view.speed;
  memory->correction += w * w * off * dt;        // (4)
  memory->expected = before - 2 * w * off * dt;  // (4)

  // The target acceleration, with limited jerk.
  const double error = wanted.speed - view.speed;
  // What it does not know about the vehicle comes on top of the bounds.
  const double free = wanted.acceleration + c.gain * error + memory->correction;
  const double wish =
      std::clamp(wanted.acceleration + c.gain * error, -c.max_deceleration, c.max_acceleration);
  const double bounded = wish + memory->correction;
  push_obstacle(c, view.speed, wanted.speed, bounded, dt, memory);
  const double last = memory->acceleration;
  const double asked = std::clamp(bounded, last - c.jerk * dt, last + c.jerk * dt);
  memory->acceleration = asked;

  // The force, compared with that of a closed throttle, decides on the pedal; the foot stays on its
  // pedal until the other is needed by more than the dead band, or for longer than `patience`.
  const double closed = c.force.at(0, view.speed);
  const double mass = c.mass + c.rotating_mass.at(0, view.speed);
  const double resistance = calc_resistance(c, view);
  const double more = mass * (asked + memory->push) + resistance - closed;
  const bool needs_other = memory->is_braking ? more > 0 : more < 0;
  memory->waited = needs_other ? memory->waited + dt : 0;
  if (needs_other && (std::abs(more) > c.dead_band * mass || memory->waited > c.patience)) {
    memory->is_braking = !memory->is_braking;
    memory->waited = 0;
  }
  PedalCommand pedals;
  if (memory->is_braking) {
    pedals.brake = std::clamp(-more / c.brake_force, 0.0, 1.0);
  } else {
    pedals.throttle = more > 0 ? find_throttle(c, view.speed, closed + more) : 0;
  }

  // The effect of the pedals that is expected.
  const bool is_idle = pedals.throttle == 0 && pedals.brake == 0;
  memory->rate =
      (is_idle ? (closed - resistance) / mass - memory->push : asked) - memory->correction;
  // Nothing is learned while a bound is active.
  const double freedom = memory->push > kPushing ? 0 : calc_freedom(free, asked, pedals);
  memory->expected = view.speed + freedom * (memory->expected - view.speed);
  return pedals;
}

}  // namespace camber::autonomy
