#include "camber/run/simulation.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numbers>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/record/channel_names.h"
#include "camber/record/vehicle_channels.h"
#include "camber/run/goal_channels.h"
#include "camber/scenario/scenario_file.h"

namespace camber::run {

using scenario::StopCondition, scenario::StopKind, scenario::StopOutcome;

namespace {

constexpr double kTolerance = 1e-9;  // of times that count as equal [s]

std::string describe(const StopCondition& stop, double time) {
  const double value =
      stop.kind == StopKind::kRollAbove ? stop.value * 180 / std::numbers::pi : stop.value;
  return concat(word_of(stop.kind, scenario::kStopKindWords), " ", short_text(value),
                " at t = ", short_text(time), " s");
}

std::vector<record::Channel> list_channels(const scenario::BuiltScenario& built) {
  std::vector<record::Channel> channels;
  for (int i = 0; i < built.world.vehicle_count(); ++i) {
    const dynamics::VehicleLayout& layout = built.world.vehicle(i).layout();
    const std::string prefix = i == 0 ? "" : concat("vehicles/", built.world.vehicle_name(i), "/");
    for (record::Channel& channel : record::list_vehicle_channels(layout, prefix))
      channels.push_back(std::move(channel));
    if (built.drivers[i] && built.drivers[i]->goal() != nullptr)
      for (record::Channel& channel : list_goal_channels(prefix))
        channels.push_back(std::move(channel));
    if (built.drivers[i] && built.drivers[i]->foot() != nullptr) {
      channels.push_back({.name = prefix + record::channel::kPathDeviation,
                          .units = {"m"},
                          .description = "Distance of the point midway between the axles from the "
                                         "driver's path, to the left"});
      channels.push_back({.name = prefix + record::channel::kPathTarget,
                          .shape = {2},
                          .units = {"m"},
                          .names = {"x", "y"},
                          .description = "The nearest point of the driver's path"});
    }
    if (built.world.has_obstacles(i))
      channels.push_back({.name = prefix + record::channel::kClearance,
                          .units = {"m"},
                          .description = "From the vehicle's outline to the nearest obstacle, up "
                                         "to 10 m"});
  }
  return channels;
}

}  // namespace

const char* to_text(RunStatus status) {
  switch (status) {
    case RunStatus::kRunning:
      return "running";
    case RunStatus::kDone:
      return "done";
    case RunStatus::kStopped:
      return "stopped";
    case RunStatus::kFailed:
      break;
  }
  return "failed";
}

Simulation Simulation::load(const std::string& path, const Overrides& overrides,
                            scenario::PartsCache* cache) {
  return Simulation(scenario::build_scenario(scenario::load_scenario(path, overrides), cache));
}

Simulation::Simulation(scenario::BuiltScenario built)
    : built_(std::move(built)), log_clock_(scenario().run.sample_interval, built_.world.time()) {
  const auto count = static_cast<std::size_t>(built_.world.vehicle_count());
  require(count > 0, "Simulation: the world has no vehicle");
  built_.drivers.resize(count);
  controls_.resize(count);
  nearest_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double interval =
        built_.drivers[i] ? built_.drivers[i]->sample_time() : scenario().driver.sample_time;
    driver_clocks_.emplace_back(interval, time());
    controls_[i].is_outside = built_.drivers[i] == nullptr;
  }
  for (int i = 0; i < built_.world.vehicle_count(); ++i) {
    const bool is_full = !world().vehicle(i).layout().wheels.empty();
    watches_.emplace_back(scenario::parts_of(built_, i), is_full, built_.world.terrain());
  }
  lifted_since_.assign(scenario().stops.size(), -1);
  channels_ = list_channels(built_);
  sample_.reserve(record::count_entries(channels_));
  asked_for_ = result_.begin = time();
}

double Simulation::next_tick() const {
  if (interval_.is_open()) return interval_.end;
  double next = std::min(log_clock_.next(), duration());
  for (const Clock& clock : driver_clocks_) next = std::min(next, clock.next());
  return next;
}

// An exception on the way, of ground that cannot be read or of a log that cannot be written, ends
// the run with its last good state.
template <class Action>
void Simulation::guard(const Action& action) {
  try {
    action();
  } catch (const std::exception& error) {
    const std::string reason = concat("after t = ", short_text(time()), " s: ", error.what());
    if (interval_.is_open()) world().roll_back();
    interval_ = {};
    result_.is_broken = true;
    result_.reason = reason;
    result_.status = RunStatus::kFailed;
    if (!is_logged_) log_sample();
  }
}

void Simulation::advance_to(double until) {
  require(!std::isnan(until), "Simulation::advance_to: the time is NaN");
  asked_for_ = std::max(asked_for_, until);
  guard([&] {
    start();
    while (!is_done()) {
      if (!interval_.is_open()) {
        if (time() >= std::min(until, duration()) - kTolerance) return;
        open_interval();
      }
      if (!make_step_by(until)) return;
    }
  });
}

void Simulation::step_once() {
  guard([&] {
    start();
    if (is_done()) return;
    if (!interval_.is_open()) {
      if (time() >= duration() - kTolerance) return;
      open_interval();
    }
    const double until = interval_.end_of(interval_.done);
    asked_for_ = std::max(asked_for_, until);
    make_step_by(until);
  });
}

void Simulation::start() {
  if (!std::exchange(is_started_, true)) {
    for (std::size_t i = 0; i < controls_.size(); ++i) {
      dynamics::Vehicle& car = world().vehicle(static_cast<int>(i));
      autonomy::Command command;
      if (built_.drivers[i]) command = built_.drivers[i]->update(car.view());
      car.command(controls_[i].is_outside ? controls_[i].command : command);
    }
    sense();
  }
  if (std::exchange(has_first_sample_, true)) return;
  take_sample();
  log_sample();
}

void Simulation::open_interval() {
  flush_pending();
  Interval next;
  next.begin = time();
  next.end = next_tick();
  interval_ = next;
  interval_.count = static_cast<long>(
      std::ceil((interval_.end - interval_.begin) / world().max_step() * (1 - 1e-9)));
  world().mark();
}

double Simulation::StepPlan::end_of(long k) const {
  if (k + 1 == count) return end;
  return begin + (end - begin) * (static_cast<double>(k + 1) / static_cast<double>(count));
}

bool Simulation::StepPlan::has_step_by(double until) const {
  return is_open() && end_of(done) <= until + kTolerance;
}

std::optional<Simulation::StepPlan> Simulation::begin_interval(double until) {
  require(!interval_.is_open(), "Simulation::begin_interval: the one before has not ended");
  guard([&] {
    start();
    if (is_done() || time() >= std::min(until, duration()) - kTolerance) return;
    open_interval();
    asked_for_ = std::max(asked_for_, interval_.end);
  });
  return open_plan();
}

std::optional<Simulation::StepPlan> Simulation::open_plan() const {
  if (!interval_.is_open()) return std::nullopt;
  return interval_;
}

void Simulation::arrive_inside(long done) {
  require(done >= interval_.done && done < interval_.count, "Simulation::arrive_inside: ", done,
          " steps, of the interval's ", interval_.count, " ", interval_.done, " were done");
  if (done == interval_.done) return;
  interval_.done = done;
  world().arrive(interval_.end_of(done - 1));
}

void Simulation::take_back() {
  if (interval_.done == interval_.marked) return;
  world().roll_back();
  interval_.done = interval_.marked;
}

void Simulation::finish_interval() {
  require(interval_.is_open(), "Simulation::finish_interval: no interval is open");
  guard([&] {
    interval_.done = interval_.count;
    world().arrive(interval_.end);
    end_interval();
  });
}

bool Simulation::make_step_by(double until) {
  if (!interval_.has_step_by(until)) return false;
  const double next = interval_.end_of(interval_.done);
  const integrate::StepResult step = world().step(next);
  if (!step.ok()) {
    fail(step.text);
    return false;
  }
  ++interval_.done;
  if (!interval_.is_open()) end_interval();
  // Not after a roll-back.
  if (!built_.sensors.empty() && time() == next) sense();
  if (!observers_.empty()) notify();
  return true;
}

/// Sensors measure, and what arrives now goes to the pilot: it is there at its next tick.
void Simulation::sense() {
  built_.sensors.observe(&world());
  if (built_.feed) built_.feed->deliver(built_.sensors, time(), built_.drivers.front().get());
}

void Simulation::fail(const std::string& reason) {
  world().roll_back();
  interval_ = {};
  result_.status = RunStatus::kFailed;
  const std::string rollover = world().vehicle(0).describe_rollover();
  result_.reason = rollover.empty() ? reason : concat(rollover, "; then ", reason);
  if (!is_logged_) log_sample();
}

void Simulation::end_interval() {
  const double end = interval_.end;
  if (const integrate::StepResult seen = world().observe(); !seen.ok()) {
    fail(seen.text);
    return;
  }
  for (std::size_t i = 0; i < controls_.size(); ++i) {
    if (!driver_clocks_[i].strikes(end)) continue;
    dynamics::Vehicle& car = world().vehicle(static_cast<int>(i));
    Control& control = controls_[i];
    control.is_pending = control.is_outside;
    if (!built_.drivers[i]) continue;
    // A driver whose vehicle is commanded from outside keeps looking, so that it can take over.
    const autonomy::Command command = built_.drivers[i]->update(car.view());
    if (!control.is_outside) car.command(command);
  }
  is_logged_ = log_clock_.strikes(end);
  take_sample();
  const StopCondition* stop = find_stop();
  const auto hit = std::ranges::find_if(nearest_, [](const auto& n) { return n.clearance <= 0; });
  const autonomy::GoalView* goal =
      built_.drivers.front() ? built_.drivers.front()->goal() : nullptr;
  const bool is_over = goal != nullptr && goal->is_over && !controls_.front().is_outside;
  const bool is_last =
      stop != nullptr || hit != nearest_.end() || is_over || end >= duration() - kTolerance;
  is_logged_ = is_logged_ || is_last;
  if (std::ranges::none_of(controls_, &Control::is_pending)) {
    if (is_logged_) log_sample();
  } else if (is_last) {
    flush_pending();
  }
  if (stop != nullptr) {
    const bool has_failed = stop->outcome == StopOutcome::kFails;
    (has_failed ? result_.reason : result_.stop) = describe(*stop, end);
    result_.status = has_failed ? RunStatus::kFailed : RunStatus::kDone;
  } else if (hit != nearest_.end()) {
    const auto vehicle = static_cast<int>(hit - nearest_.begin());
    result_.status = RunStatus::kFailed;
    result_.reason = concat(world().describe_vehicle(vehicle), " hits ", hit->what, " with ",
                            short_text(world().vehicle(vehicle).view().speed, 3),
                            " m/s at t = ", short_text(time()), " s");
  } else if (is_over) {
    const bool is_reached = goal->behavior == autonomy::Behavior::kArrived;
    (is_reached ? result_.stop : result_.reason) =
        concat(is_reached ? "goal reached" : "the goal is not reached: ",
               is_reached ? "" : goal->changes.back().reason, " at t = ", short_text(end), " s");
    result_.status = is_reached ? RunStatus::kDone : RunStatus::kFailed;
  } else if (is_last) {
    result_.status = RunStatus::kDone;
  }
}

// Commands from outside came after the tick: now they take effect, and what they are is logged.
void Simulation::flush_pending() {
  bool was_pending = false;
  for (std::size_t i = 0; i < controls_.size(); ++i) {
    Control& control = controls_[i];
    if (!std::exchange(control.is_pending, false)) continue;
    world().vehicle(static_cast<int>(i)).command(control.command);
    was_pending = true;
  }
  if (!was_pending) return;
  take_sample();
  if (is_logged_) log_sample();
}

void Simulation::take_sample() {
  sample_.clear();
  for (int i = 0; i < world().vehicle_count(); ++i) {
    dynamics::Vehicle& car = world().vehicle(i);
    record::append_vehicle_values(car.layout(), car.snapshot(), &sample_);
    watches_[static_cast<std::size_t>(i)].look(car.snapshot());
    if (built_.drivers[i] && built_.drivers[i]->goal() != nullptr)
      append_goal_values(*built_.drivers[i]->goal(), &sample_);
    if (const autonomy::PathFoot* foot = built_.drivers[i] ? built_.drivers[i]->foot() : nullptr)
      sample_.insert(sample_.end(), {foot->deviation, foot->point.x, foot->point.y});
    if (!world().has_obstacles(i)) continue;
    nearest_[i] = world().find_nearest(i);
    sample_.push_back(nearest_[i].clearance);
  }
}

void Simulation::log_sample() {
  is_logged_ = true;
  ++result_.samples;
  if (recorder_) recorder_(time(), sample_);
}

void Simulation::notify() {
  for (Observer& observer : observers_)
    if (observer.clock.strikes(time())) observer.call(*this);
}

void Simulation::stop() {
  if (is_done()) return;
  guard([&] {
    start();
    if (interval_.is_open()) world().roll_back();
    interval_ = {};
    flush_pending();
    if (!is_logged_) {
      take_sample();
      log_sample();
    }
    result_.status = RunStatus::kStopped;
  });
}

RunResult Simulation::result() const {
  RunResult result = result_;
  result.time = time();
  result.step = scenario().run.step;
  result.statistics.steps = built_.world.steps();
  result.statistics.evaluations = built_.world.evaluations();
  result.statistics.rejected = built_.world.rejected_steps().count;
  return result;
}

std::vector<DriveFinding> Simulation::findings() const {
  std::vector<DriveFinding> all;
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    for (DriveFinding& finding : watches_[i].findings()) {
      if (i > 0)
        finding.text =
            concat(built_.world.describe_vehicle(static_cast<int>(i)), ": ", finding.text);
      all.push_back(std::move(finding));
    }
  }
  if (const dynamics::RejectedSteps rejected = built_.world.rejected_steps(); rejected.count > 0)
    all.push_back({.text = concat(rejected.count, rejected.count == 1 ? " step was" : " steps were",
                                  " rejected and made again in parts, the first one at t = ",
                                  short_text(rejected.first_time, 4), " s: run.step = ",
                                  short_text(scenario().run.step), " s is too long there")});
  return all;
}

void Simulation::command(const autonomy::Command& command, int vehicle) {
  Control& control = controls_.at(static_cast<std::size_t>(vehicle));
  control.is_outside = true;
  control.command = command;
}

void Simulation::release(int vehicle) {
  Control& control = controls_.at(static_cast<std::size_t>(vehicle));
  require(built_.drivers[vehicle] != nullptr, "Simulation::release: vehicle ", vehicle,
          " has no driver");
  if (std::exchange(control.is_outside, false)) built_.drivers[vehicle]->restart();
}

const dynamics::VehicleSnapshot::Wheel& Simulation::wheel(std::string_view name, int vehicle) {
  const std::vector<std::string>& names = world().vehicle(vehicle).layout().wheels;
  const auto found = std::ranges::find(names, name);
  require(found != names.end(), "Simulation::wheel: the vehicle has no wheel \"", name, "\"");
  return this->vehicle(vehicle).wheels[static_cast<std::size_t>(found - names.begin())];
}

double Simulation::path_deviation(int vehicle) const {
  const auto& driver = built_.drivers.at(static_cast<std::size_t>(vehicle));
  const autonomy::PathFoot* foot = driver ? driver->foot() : nullptr;
  return foot != nullptr ? foot->deviation : 0;
}

void Simulation::set_recorder(std::function<void(double, std::span<const double>)> recorder) {
  require(!has_first_sample_, "Simulation::set_recorder: the run has started");
  recorder_ = std::move(recorder);
}

void Simulation::add_observer(double interval, std::function<void(Simulation&)> observer) {
  require(interval > 0, "Simulation::add_observer: the interval must be > 0 s, got ", interval);
  observers_.push_back({Clock(interval, time()), std::move(observer)});
}

const StopCondition* Simulation::find_stop() {
  const std::vector<StopCondition>& stops = scenario().stops;
  for (std::size_t i = 0; i < stops.size(); ++i)
    if (time() >= stops[i].after && holds(i)) return &stops[i];
  return nullptr;
}

// Stop conditions look at the first vehicle.
bool Simulation::holds(std::size_t i) {
  const StopCondition& stop = scenario().stops[i];
  const dynamics::VehicleSnapshot& now = vehicle(0);
  switch (stop.kind) {
    case StopKind::kSpeedBelow: {
      const autonomy::VehicleView& view = world().vehicle(0).view();
      return std::hypot(view.speed, view.lateral_speed) < stop.value;
    }
    case StopKind::kRollAbove:
      return std::abs(now.roll) > stop.value;
    case StopKind::kXBeyond:
      return now.position[0] > stop.value;
    case StopKind::kDeviationAbove:
      return std::abs(path_deviation(0)) > stop.value;
    case StopKind::kWheelLifted: {
      const bool is_lifted =
          std::ranges::any_of(now.wheels, [](const auto& wheel) { return wheel.load <= 0; });
      if (!is_lifted) {
        lifted_since_[i] = -1;
        return false;
      }
      if (lifted_since_[i] < 0) lifted_since_[i] = time();
      return time() - lifted_since_[i] >= stop.value;
    }
    case StopKind::kTime:
      return time() >= stop.value;
  }
  return false;
}

SimulationState Simulation::save() const {
  StateWriter out;
  out.write(is_started_ ? 1 : 0);
  out.write(is_logged_ ? 1 : 0);
  out.write(asked_for_);
  for (const double value : {interval_.begin, interval_.end, static_cast<double>(interval_.count),
                             static_cast<double>(interval_.done)})
    out.write(value);
  out.write_list(lifted_since_);
  for (std::size_t i = 0; i < controls_.size(); ++i) {
    const Control& control = controls_[i];
    const autonomy::Command& c = control.command;
    for (const double value :
         {control.is_outside ? 1.0 : 0.0, control.is_pending ? 1.0 : 0.0, c.steer, c.throttle,
          c.brake, c.parking_brake, static_cast<double>(c.selector), static_cast<double>(c.gear),
          c.clutch, c.steers_by_torque ? 1.0 : 0.0, c.steering_torque})
      out.write(value);
    if (built_.drivers[i]) built_.drivers[i]->save(&out);
    watches_[i].save(&out);
  }
  built_.world.save(&out);
  if (!built_.sensors.empty()) built_.sensors.save(&out);
  if (built_.feed) built_.feed->save(&out);
  return {time(), out.take()};
}

void Simulation::restore(const SimulationState& state) {
  require(state.time >= 0 && state.time <= duration(), "the saved state is at ", state.time,
          " s, the scenario ends at ", duration(), " s");
  StateReader in(state.values);
  const bool is_started = in.read_bool();
  const bool is_logged = in.read_bool();
  const double asked_for = in.read();
  Interval interval;
  interval.begin = in.read();
  interval.end = in.read();
  interval.count = in.read_int();
  interval.done = interval.marked = in.read_int();
  const std::vector<double> lifted = in.read_list();
  require(lifted.size() == scenario().stops.size(), "the saved state has ", lifted.size(),
          " stop conditions, the scenario ", scenario().stops.size());
  for (std::size_t i = 0; i < controls_.size(); ++i) {
    Control& control = controls_[i];
    control.is_outside = in.read_bool();
    control.is_pending = in.read_bool();
    autonomy::Command& c = control.command;
    for (double* value : {&c.steer, &c.throttle, &c.brake, &c.parking_brake}) *value = in.read();
    c.selector = in.read_int();
    c.gear = in.read_int();
    c.clutch = in.read();
    c.steers_by_torque = in.read_bool();
    c.steering_torque = in.read();
    if (built_.drivers[i]) built_.drivers[i]->restore(&in);
    watches_[i].restore(&in);
  }
  world().restore(state.time, &in);
  if (!built_.sensors.empty()) built_.sensors.restore(world(), &in);
  if (built_.feed) built_.feed->restore(&in);
  in.finish();
  is_started_ = is_started;
  is_logged_ = is_logged;
  asked_for_ = asked_for;
  interval_ = interval;
  lifted_since_ = lifted;
  for (Clock& clock : driver_clocks_) clock.reset(state.time);
  log_clock_.reset(state.time);
  for (Observer& observer : observers_) observer.clock.reset(state.time);
  const long samples = result_.samples;
  result_ = {};
  result_.samples = samples;
  result_.begin = state.time;
  has_first_sample_ = interval_.is_open();
  if (!interval_.is_open()) take_sample();
}

}  // namespace camber::run
