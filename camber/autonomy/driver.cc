#include "camber/autonomy/driver.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

template <class Law>
constexpr bool kFollowsPath =
    std::is_same_v<Law, PurePursuit> || std::is_same_v<Law, Stanley> ||
    std::is_same_v<Law, PreviewSteering> || std::is_same_v<Law, MpcSteering>;

void require_positive(double value, const char* name) {
  require(value > 0 && std::isfinite(value), "Driver: ", name, " must be > 0, got ", value);
}

void require_valid_steering(const SteeringLaw& law) {
  if (const auto* table = std::get_if<SteerTable>(&law)) {
    require_table(table->angle, "steering.angle");
  } else if (const auto* step = std::get_if<SteerStep>(&law)) {
    require_positive(step->rise_time, "steering.rise_time");
  } else if (const auto* sine = std::get_if<SteerSine>(&law)) {
    require_positive(sine->frequency, "steering.frequency");
  } else if (const auto* dwell = std::get_if<SteerSineWithDwell>(&law)) {
    require_positive(dwell->frequency, "steering.frequency");
  } else if (const auto* pursuit = std::get_if<PurePursuit>(&law)) {
    require_positive(pursuit->wheelbase, "steering.wheelbase");
    require_positive(pursuit->min_distance, "steering.min_distance");
    require(pursuit->max_distance >= pursuit->min_distance,
            "Driver: steering.max_distance must be at least ", pursuit->min_distance, " m, got ",
            pursuit->max_distance);
  } else if (const auto* stanley = std::get_if<Stanley>(&law)) {
    require_positive(stanley->wheelbase, "steering.wheelbase");
    require_positive(stanley->gain, "steering.gain");
    require_positive(stanley->soft_speed, "steering.soft_speed");
  }
}

/// The last one whose time has come; 0 before all.
int find_choice(const std::vector<TimedChoice>& choices, double time) {
  constexpr double kEarly = 1e-9;  // [s]
  int choice = 0;
  for (const TimedChoice& next : choices)
    if (next.time <= time + kEarly) choice = next.choice;
  return choice;
}

}  // namespace

bool follows_path(const SteeringLaw& law) {
  return std::visit([](const auto& l) { return kFollowsPath<std::decay_t<decltype(l)>>; }, law);
}

Driver::Driver(DriverSetup setup) : setup_(std::move(setup)) {
  require_positive(setup_.sample_time, "sample_time");
  require_positive(setup_.limits.angle, "limits.angle");
  require_positive(setup_.limits.rate, "limits.rate");
  require_valid_steering(setup_.steering);
  std::visit([](const auto& law) { require_valid(law); }, setup_.speed);
  const auto* control = std::get_if<SpeedControl>(&setup_.speed);
  const bool needs_path =
      follows_path(setup_.steering) || (control != nullptr && control->profile.is_over_path);
  require(!needs_path || !setup_.path.empty(), "Driver: needs a path to follow");
}

double Driver::calc_target_steer(const VehicleView& view) const {
  return std::visit(
      [&](const auto& law) {
        using Law = std::decay_t<decltype(law)>;
        if constexpr (std::is_same_v<Law, MpcSteering>) {
          return law.calc_steer(view, setup_.path, foot_, setup_.limits, command_.steer,
                                setup_.sample_time);
        } else if constexpr (std::is_same_v<Law, PreviewSteering>) {
          return law.calc_steer(view, setup_.path, foot_, setup_.limits);
        } else if constexpr (kFollowsPath<Law>) {
          return calc_steer(law, view, setup_.path, foot_, setup_.limits);
        } else {
          return calc_steer(law, view.time);
        }
      },
      setup_.steering);
}

// Steady: for a second neither speed nor yaw rate has left a narrow band.
bool Driver::opens_now(const VehicleView& view) {
  constexpr double kSteadyTime = 1;                          // [s]
  constexpr double kSpeedBand = 0.1, kYawRateBand = 0.0035;  // [m/s], [rad/s]: 0.2 deg/s
  const OpenLoop& loop = *setup_.open_loop;
  const bool is_within = std::abs(view.speed - steady_speed_) < kSpeedBand &&
                         std::abs(view.yaw_rate - steady_yaw_rate_) < kYawRateBand;
  if (!is_started_ || !is_within) {
    steady_since_ = view.time;
    steady_speed_ = view.speed;
    steady_yaw_rate_ = view.yaw_rate;
  }
  constexpr double kRounding = 1e-9;  // [s]
  if (view.time < loop.after - kRounding || (loop.after_x && view.x < *loop.after_x)) return false;
  return !loop.is_when_steady || view.time - steady_since_ >= kSteadyTime;
}

Command Driver::update(const VehicleView& view) {
  // Samples are due at multiples of the sample time, so that they do not drift with the steps.
  constexpr double kEarly = 1e-6;  // of a sample time
  const auto number = [&](double time) { return std::floor(time / setup_.sample_time + kEarly); };
  if (is_started_ && number(view.time) == number(time_)) return command_;

  const SteeringLimits& limits = setup_.limits;
  const double dt = is_started_ ? view.time - time_ : 0;
  if (!is_started_) command_.steer = std::clamp(view.steer, -limits.angle, limits.angle);
  if (!setup_.path.empty()) {
    foot_ = is_started_ ? setup_.path.project(view.x, view.y, foot_)
                        : setup_.path.find_nearest(view.x, view.y);
  }
  if (setup_.open_loop && !is_open_ && opens_now(view)) {
    is_open_ = true;
    held_ = command_;
    held_.throttle = setup_.open_loop->throttle.value_or(command_.throttle);
    held_.brake = setup_.open_loop->brake.value_or(command_.brake);
  }
  const double target =
      is_open_ && setup_.open_loop->holds_steering ? held_.steer : calc_target_steer(view);
  const double turn = std::clamp(target - command_.steer, -limits.rate * dt, limits.rate * dt);
  command_.steer = std::clamp(command_.steer + turn, -limits.angle, limits.angle);

  const auto* control = std::get_if<SpeedControl>(&setup_.speed);
  const PedalCommand pedals = control != nullptr
                                  ? calc_pedals(*control, view, foot_.s, dt, &memory_)
                                  : calc_pedals(std::get<Pedals>(setup_.speed), view.time);
  command_.throttle = is_open_ ? held_.throttle : pedals.throttle;
  command_.brake = is_open_ ? held_.brake : pedals.brake;
  command_.parking_brake = setup_.parking_brake;
  command_.gear = find_choice(setup_.gears, view.time);
  command_.selector = find_choice(setup_.selectors, view.time);
  command_.steers_by_torque =
      view.time >= setup_.steers_by_torque_from - kEarly * setup_.sample_time;
  command_.steering_torque =
      command_.steers_by_torque ? value_at(setup_.steering_torque, view.time) : 0;
  time_ = view.time;
  is_started_ = true;
  return command_;
}

void Driver::follow(Path path, const PathFoot& foot) {
  setup_.path = std::move(path);
  foot_ = foot;
}

void Driver::restart() {
  is_started_ = false;
  command_ = {};
  memory_ = {};
  is_open_ = false;
}

std::vector<double> Driver::state() const {
  return {is_started_ ? 1.0 : 0.0,
          time_,
          command_.steer,
          command_.throttle,
          command_.brake,
          foot_.s,
          foot_.deviation,
          memory_.correction,
          memory_.acceleration,
          memory_.is_braking ? 1.0 : 0.0,
          memory_.waited,
          memory_.expected,
          memory_.rate,
          memory_.stalled,
          memory_.push,
          is_open_ ? 1.0 : 0.0,
          steady_since_,
          steady_speed_,
          steady_yaw_rate_,
          held_.steer,
          held_.throttle,
          held_.brake};
}

void Driver::set_state(const std::vector<double>& state) {
  constexpr std::size_t kSize = 22;
  require(state.size() == kSize, "Driver: state has ", state.size(), " numbers, needs ", kSize);
  is_started_ = state[0] != 0;
  time_ = state[1];
  command_ = {.steer = state[2],
              .throttle = state[3],
              .brake = state[4],
              .parking_brake = setup_.parking_brake,
              .selector = find_choice(setup_.selectors, time_),
              .gear = find_choice(setup_.gears, time_)};
  constexpr double kEarly = 1e-6;  // of a sample time
  command_.steers_by_torque =
      is_started_ && time_ >= setup_.steers_by_torque_from - kEarly * setup_.sample_time;
  command_.steering_torque =
      command_.steers_by_torque ? value_at(setup_.steering_torque, time_) : 0;
  if (!setup_.path.empty()) foot_ = setup_.path.foot_at(state[5]);
  foot_.s = state[5];
  foot_.deviation = state[6];
  memory_ = {.correction = state[7],
             .acceleration = state[8],
             .is_braking = state[9] != 0,
             .waited = state[10],
             .expected = state[11],
             .rate = state[12],
             .stalled = state[13],
             .push = state[14]};
  is_open_ = state[15] != 0;
  steady_since_ = state[16];
  steady_speed_ = state[17];
  steady_yaw_rate_ = state[18];
  held_ = {.steer = state[19], .throttle = state[20], .brake = state[21]};
}

}  // namespace camber::autonomy
