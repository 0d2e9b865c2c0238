#include "camber/live/live_drive.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <exception>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/live/input_log.h"

namespace camber::live {
namespace {

constexpr double kMinFactor = 1.0 / 32, kMaxFactor = 8;
constexpr double kNap = 0.004;                // longest sleep: controls are obeyed after it [s]
constexpr double kPausedInterval = 1.0 / 30;  // of frames while nothing moves [s]
constexpr double kMaxBehind = 0.1;            // more than this is given up [s]
constexpr double kLongStep = 1e-3;            // [s] of CPU
constexpr double kLateWake = 1e-3;            // [s]
constexpr int kMaxSingleSteps = 1000;
constexpr std::size_t kBins = 2001;  // of step times, 1 us each
constexpr char kLiftTicks = 3;       // a wheel is off the ground for so many ticks

double read_clock(clockid_t id) {
  timespec time{};
  ::clock_gettime(id, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double now() { return read_clock(CLOCK_MONOTONIC); }

void sleep_until(double time) {
  const double whole = std::floor(time);
  const timespec until{.tv_sec = static_cast<time_t>(whole),
                       .tv_nsec = static_cast<long>((time - whole) * 1e9)};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

}  // namespace

HandLimits find_hand_limits(const run::Simulation& simulation) {
  const scenario::DriveParts& parts = scenario::parts_of(simulation.built(), 0);
  HandLimits limits;
  const std::vector<double>& angles = parts.steering_map.angle;
  if (!angles.empty()) limits.lock = std::min(std::abs(angles.front()), std::abs(angles.back()));
  if (parts.facts.wheelbase() > 0) limits.wheelbase = parts.facts.wheelbase();
  return limits;
}

LiveDrive::LiveDrive(run::Simulation* simulation, const LiveOptions& options)
    : simulation_(simulation),
      options_(options),
      hand_(find_hand_limits(*simulation)),
      starts_low_(simulation->scenario().vehicle.start.is_low_range),
      frame_(simulation),
      views_(*simulation),
      ruts_(simulation),
      tell_scan_([this](std::string_view name, long number) {
        tell(LiveEvent::Kind::kScan, static_cast<double>(number), name);
      }),
      frames_(std::vector<std::byte>(frame_.size())),
      step_times_(kBins) {
  row_.reserve(kInputValues);
  watched_.lifted.assign(simulation->world().vehicle(0).layout().wheels.size(), 0);
  simulation_->set_recorder([this](double time, std::span<const double> sample) {
    log(LogRecord::kSample, 0, time, sample);
  });
}

// ------------------------------------------------------------------------------------ the loop --

void LiveDrive::run() {
  try {
    loop();
  } catch (const std::exception& error) {  // memory, or a mistake of ours
    failure_ = error.what();
  }
  is_over_.store(true, std::memory_order_release);
}

void LiveDrive::loop() {
  start_clock_ = now();
  is_paused_ = options_.is_paused;
  simulation_->advance_to(simulation_->time());  // the first sample, no step
  save_state();
  restart_clock();
  publish();
  while (!ends_.load(std::memory_order_relaxed)) {
    Control control;
    while (controls_.pop_one(&control)) obey(control);
    if (simulation_->is_done() && options_.ends_with_run) break;
    if (single_steps_ > 0 && !simulation_->is_done()) {
      --single_steps_;
      step();
      if (single_steps_ == 0) publish();
    } else if (is_moving()) {
      wait_until_due();
    } else {
      sleep_until(now() + kNap);
      if (now() - last_frame_ > kPausedInterval) publish();
    }
  }
  simulation_->stop();
  publish();
}

void LiveDrive::restart_clock() {
  base_clock_ = second_clock_ = now();
  base_time_ = second_time_ = simulation_->time();
  actual_factor_ = 0;
  is_catching_up_ = false;
}

// Deadlines are absolute: what one wake-up is late, the next one is not.
void LiveDrive::wait_until_due() {
  if (!options_.keeps_time) return step();
  const double next = simulation_->time() + simulation_->world().max_step();
  const double due = base_clock_ + (next - base_time_) / factor_;
  double clock = now();
  if (clock < due) {
    const bool is_far = due - clock > kNap;
    sleep_until(is_far ? clock + kNap : due);
    clock = now();
    if (is_far) {
      if (clock - last_frame_ > kPausedInterval) publish();
      return;
    }
    if (clock - due > kLateWake) ++late_wakes_;
  }
  const double behind = clock - due;
  is_catching_up_ = behind > 0.01;
  if (behind > kMaxBehind) {
    tell(LiveEvent::Kind::kLate, behind, "the machine is too slow for this speed");
    restart_clock();
  }
  step();
  measure_factor();
}

void LiveDrive::measure_factor() {
  const double clock = now();
  if (clock - second_clock_ < 1) return;
  actual_factor_ = (simulation_->time() - second_time_) / (clock - second_clock_);
  second_clock_ = clock;
  second_time_ = simulation_->time();
}

void LiveDrive::step() {
  if (simulation_->is_at_tick()) act();
  const double begin = read_clock(CLOCK_THREAD_CPUTIME_ID);
  simulation_->step_once();
  const double took = read_clock(CLOCK_THREAD_CPUTIME_ID) - begin;
  ++step_times_[std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0, took) * 1e6))];
  if (took > kLongStep) ++long_steps_;
  longest_since_ = std::max(longest_since_, static_cast<float>(took * 1e6));
  longest_ = std::max(longest_, longest_since_);
  after_step();
}

void LiveDrive::after_step() {
  const bool is_tick = simulation_->is_at_tick();
  if (is_tick) look_at_tick();
  const double since = now() - last_frame_;
  // A new input is shown at once: half of what a driver waits for would be the rest of the interval.
  const bool is_news = now_.is_driven && now_.number != shown_input_ && since > 1e-3;
  if (is_news || since > (is_tick ? 0.5 : 1.5) * options_.frame_interval) publish();
}

// The hands, or the scenario's driver: decided where commands from outside take effect.
void LiveDrive::act() {
  if (simulation_->is_done()) return;
  if (ring_.is_due(simulation_->time())) save_state();
  now_ = input_.read();
  const double time = simulation_->time();
  autonomy::Command command;
  if (now_.is_driven) {
    if (!hand_.is_active()) {
      const dynamics::VehicleSnapshot& seen = simulation_->vehicle();
      hand_.take_over(time, seen.command, seen.gear < 0);
    }
    command = hand_.update(now_, simulation_->world().vehicle(0).view(), time);
  } else {
    hand_.release();
  }
  apply_input(now_.is_driven, command, simulation_);
  row_.clear();
  append_input_values(now_, command, &row_);
  log(LogRecord::kInputs, 0, time, row_);
}

void LiveDrive::look_at_tick() {
  const dynamics::VehicleSnapshot& seen = simulation_->vehicle();
  place_.write({.x = seen.position[0],
                .y = seen.position[1],
                .vx = seen.frame.velocity[0] * factor_,
                .vy = seen.frame.velocity[1] * factor_,
                .steering_torque = seen.steering_wheel_torque});
  views_.look(*simulation_, tell_scan_);
  ruts_.look(simulation_);
  const auto& pilot = simulation_->built().drivers.front();
  const autonomy::GoalView* goal = pilot ? pilot->goal() : nullptr;
  if (goal != nullptr && goal->changes.size() != watched_.changes) {
    watched_.changes = goal->changes.size();
    if (!goal->changes.empty())
      tell(LiveEvent::Kind::kBehavior, static_cast<double>(goal->changes.back().behavior),
           goal->changes.back().reason);
  }
  if (seen.gear != watched_.gear) {
    watched_.gear = seen.gear;
    tell(LiveEvent::Kind::kGear, seen.gear, "");
  }
  for (std::size_t i = 0; i < seen.wheels.size() && i < watched_.lifted.size(); ++i) {
    char& ticks = watched_.lifted[i];
    const bool was_lifted = ticks >= kLiftTicks;
    ticks = seen.wheels[i].load > 0 ? char{0}
                                    : std::min<char>(kLiftTicks, static_cast<char>(ticks + 1));
    const bool is_lifted = ticks >= kLiftTicks;
    if (is_lifted != was_lifted)
      tell(is_lifted ? LiveEvent::Kind::kLift : LiveEvent::Kind::kContact, static_cast<double>(i),
           "");
  }
  if (!simulation_->is_done() || was_done_) return;
  was_done_ = true;
  is_paused_ = true;
  const run::RunResult result = simulation_->result();
  const bool has_failed = result.status == run::RunStatus::kFailed;
  const bool is_hit = has_failed && result.reason.find(" hits ") != std::string::npos;
  const std::string text =
      has_failed            ? result.reason
      : result.stop.empty() ? concat("the end of the scenario, t = ", short_text(result.time), " s")
                            : result.stop;
  tell(is_hit       ? LiveEvent::Kind::kHit
       : has_failed ? LiveEvent::Kind::kFailed
                    : LiveEvent::Kind::kEnded,
       0, text);
  publish();
}

// ------------------------------------------------------------------------------------ controls --

void LiveDrive::set_paused(bool is_paused) {
  if (is_paused_ == is_paused) return;
  is_paused_ = is_paused;
  single_steps_ = 0;
  restart_clock();
  tell(is_paused ? LiveEvent::Kind::kPaused : LiveEvent::Kind::kRunning, 0, "");
}

void LiveDrive::obey(const Control& control) {
  using Kind = Control::Kind;
  switch (control.kind) {
    case Kind::kPause:
      set_paused(true);
      break;
    case Kind::kGoOn:
      if (!simulation_->is_done()) set_paused(false);
      break;
    case Kind::kStep:
      set_paused(true);
      single_steps_ = static_cast<int>(std::clamp(control.argument, 1.0, double{kMaxSingleSteps}));
      break;
    case Kind::kSpeed:
      factor_ = std::clamp(control.argument, kMinFactor, kMaxFactor);
      restart_clock();
      tell(LiveEvent::Kind::kSpeed, factor_, "");
      break;
    case Kind::kReset:
      go_to(0, LiveEvent::Kind::kReset);
      break;
    case Kind::kBack:
      go_to(simulation_->time() - std::max(0.0, control.argument), LiveEvent::Kind::kBack);
      break;
    case Kind::kFromHere:
      go_to(control.argument, LiveEvent::Kind::kBack);
      set_paused(false);
      break;
    case Kind::kEnd:
      end();
      break;
    default:
      break;
  }
}

void LiveDrive::save_state() { ring_.add(simulation_->save(), hand_.state()); }

// Exact: the state, the filters and the drivers are those of then, bit for bit.
void LiveDrive::go_to(double time, LiveEvent::Kind kind) {
  const StateRing::Moment& moment = ring_.go_back(std::max(time, 0.0));
  simulation_->restore(moment.state);
  hand_.set_state(moment.hand);
  log(LogRecord::kRewind, 0, moment.state.time, {});
  const dynamics::VehicleSnapshot& seen = simulation_->vehicle();
  watched_.gear = seen.gear;
  std::ranges::fill(watched_.lifted, char{0});
  tell(kind, moment.state.time, "");
  if (was_done_) {
    was_done_ = false;
    set_paused(false);
  }
  single_steps_ = 0;
  restart_clock();
  publish();
}

// ------------------------------------------------------------------------------------- outward --

void LiveDrive::tell(LiveEvent::Kind kind, double value, std::string_view text) {
  LiveEvent event{.kind = kind, .time = simulation_->time(), .value = value};
  const std::size_t size = std::min(text.size(), sizeof event.text - 1);
  std::memcpy(event.text, text.data(), size);
  event.text[size] = 0;
  events_.push_one(event);  // if nobody takes them, they are lost
}

void LiveDrive::log(LogRecord::Kind kind, int series, double time, std::span<const double> values) {
  const double head[] = {static_cast<double>(kind), static_cast<double>(series), time,
                         static_cast<double>(values.size())};
  // The disk may stand still for seconds; then the drive does.
  while (records_.room() < 4 + values.size()) {
    if (ends_.load(std::memory_order_relaxed)) return;  // the writer may have failed
    sleep_until(now() + 1e-3);
  }
  records_.push(head);
  records_.push(values);
}

void LiveDrive::log_series(std::size_t series, double time, std::span<const double> values) {
  log(LogRecord::kSeries, static_cast<int>(series), time, values);
}

bool LiveDrive::take_record(LogRecord* record) {
  double head[4];
  if (!records_.pop(head)) return false;
  record->kind = static_cast<int>(head[0]);
  record->series = static_cast<int>(head[1]);
  record->time = head[2];
  record->values.resize(static_cast<std::size_t>(head[3]));
  while (!records_.pop(record->values)) {
  }  // they come right behind
  return true;
}

void LiveDrive::publish() {
  last_frame_ = now();
  shown_input_ = now_.number;
  std::uint16_t flags = 0;
  const auto set = [&](bool is_set, unsigned bit) {
    if (is_set) flags = static_cast<std::uint16_t>(flags | bit);
  };
  const bool is_done = simulation_->is_done();
  set(is_paused_, view::kPaused);
  set(is_done, view::kEnded);
  set(is_done && simulation_->result().status == run::RunStatus::kFailed, view::kFailed);
  set(now_.is_driven, view::kByHand);
  set(now_.silence == Silence::kBrake, view::kBrakingForSilence);
  set(now_.silence == Silence::kHold, view::kHoldingForSilence);
  set(is_catching_up_, view::kLate);
  set(watched_.gear < 0 || hand_.is_reverse(), view::kInReverse);
  set((now_.buttons & kButtonParkingBrake) != 0, view::kParkingBrake);
  set(hand_.range() == 2 || (hand_.range() == 0 && starts_low_), view::kInLowRange);
  const view::FrameHead head{.flags = flags,
                             .number = ++frame_number_,
                             .clock = last_frame_ - start_clock_,
                             .input = now_.number,
                             .input_from = now_.client,
                             .longest_step = longest_since_,
                             .longest_ever = longest_,
                             .long_steps = static_cast<std::uint32_t>(long_steps_),
                             .late_wakeups = static_cast<std::uint32_t>(late_wakes_),
                             .wanted_speed = static_cast<float>(factor_),
                             .actual_speed = static_cast<float>(is_moving() ? actual_factor_ : 0),
                             .steer = now_.steer,
                             .throttle = now_.throttle,
                             .brake = now_.brake,
                             .buttons = static_cast<float>(now_.buttons)};
  longest_since_ = 0;
  frame_.write(head, simulation_, frames_.to_fill());
  frames_.publish();
}

}  // namespace camber::live
