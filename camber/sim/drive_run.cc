#include "camber/sim/drive_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <numbers>

#include "camber/core/require.h"
#include "camber/report/plot.h"

namespace camber::sim {

using scenario::StopCondition, scenario::StopKind, scenario::StopOutcome;

namespace {

/// Which stop condition holds now.
class StopWatch {
 public:
  /// `lifted_since` is kept beyond it: a checkpoint has it.
  StopWatch(const std::vector<StopCondition>& stops, const std::vector<record::Channel>& channels,
            std::vector<double>* lifted_since)
      : stops_(stops), lifted_since_(*lifted_since) {
    std::size_t at = 0;
    for (const record::Channel& c : channels) {
      if (c.name == channel::kPosition) position_ = static_cast<int>(at);
      if (c.name == channel::kAttitude) attitude_ = static_cast<int>(at);
      if (c.name == channel::kDeviation) deviation_ = static_cast<int>(at);
      if (c.name == "wheels/load") {
        loads_ = static_cast<int>(at);
        wheels_ = c.columns();
      }
      at += c.entries();
    }
  }

  const StopCondition* find(const autonomy::VehicleView& view, std::span<const double> sample) {
    for (std::size_t i = 0; i < stops_.size(); ++i)
      if (view.time >= stops_[i].after && holds(i, view, sample)) return &stops_[i];
    return nullptr;
  }

 private:
  bool holds(std::size_t i, const autonomy::VehicleView& view, std::span<const double> sample) {
    const StopCondition& stop = stops_[i];
    switch (stop.kind) {
      case StopKind::kSpeedBelow:
        return std::hypot(view.speed, view.lateral_speed) < stop.value;
      case StopKind::kRollAbove:
        return attitude_ >= 0 && std::abs(sample[attitude_]) > stop.value;
      case StopKind::kXBeyond:
        return position_ >= 0 && sample[position_] > stop.value;
      case StopKind::kDeviationAbove:
        return deviation_ >= 0 && std::abs(sample[deviation_]) > stop.value;
      case StopKind::kWheelLifted: {
        if (loads_ < 0) return false;
        const auto loads = sample.subspan(static_cast<std::size_t>(loads_), wheels_);
        const bool is_lifted = std::ranges::any_of(loads, [](double load) { return load <= 0; });
        if (!is_lifted) {
          lifted_since_[i] = -1;
          return false;
        }
        if (lifted_since_[i] < 0) lifted_since_[i] = view.time;
        return view.time - lifted_since_[i] >= stop.value;
      }
      case StopKind::kTime:
        return view.time >= stop.value;
    }
    return false;
  }

  const std::vector<StopCondition>& stops_;
  std::vector<double>& lifted_since_;
  int position_ = -1, attitude_ = -1, deviation_ = -1, loads_ = -1;
  std::size_t wheels_ = 0;
};

/// Times of something that happens again and again: k * interval, without drift.
class Clock {
 public:
  Clock(double interval, double now)
      : interval_(interval),
        next_(static_cast<long>(std::floor(now / interval * (1 + 1e-12) + 1e-9)) + 1) {}
  double next() const { return static_cast<double>(next_) * interval_; }
  /// Whether it is time, and on to the next one.
  bool strikes(double now) {
    if (now < next() - 1e-9) return false;
    ++next_;
    return true;
  }

 private:
  double interval_;
  long next_;
};

std::string describe(const StopCondition& stop, double time) {
  const double value =
      stop.kind == StopKind::kRollAbove ? stop.value * 180 / std::numbers::pi : stop.value;
  return concat(word_of(stop.kind, scenario::kStopKindWords), " ", report::short_text(value),
                " at t = ", report::short_text(time), " s");
}

std::string describe_hit(const terrain::Obstacle& trunk, const autonomy::VehicleView& view) {
  using report::short_text;
  return concat("the vehicle hits the trunk or post of ", short_text(trunk.radius),
                " m radius at x = ", short_text(trunk.x), " m, y = ", short_text(trunk.y),
                " m with ", short_text(view.speed, 3), " m/s at t = ", short_text(view.time), " s");
}

}  // namespace

std::vector<record::Channel> list_channels(const Drive& drive) {
  std::vector<record::Channel> channels = drive.world->channels();
  if (drive.pilot->has_path())
    channels.push_back({.name = channel::kDeviation,
                        .units = {"m"},
                        .description = "Of the point midway between the axles from the driver's "
                                       "path, to the left"});
  if (drive.obstacles)
    channels.push_back({.name = channel::kClearance,
                        .units = {"m"},
                        .description = "From the rectangle over the wheels to the nearest trunk or "
                                       "post, up to 10 m"});
  return channels;
}

DriveResult run_drive(Drive* drive, const DriveObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  const scenario::RunSetup& run = drive->scenario.run;
  DriveWorld& world = *drive->world;
  Pilot& pilot = *drive->pilot;
  StopWatch stops(drive->scenario.stops, list_channels(*drive), &drive->lifted_since);
  Clock driver_clock(drive->scenario.driver.sample_time, world.time()),
      log_clock(run.sample_interval, world.time()),
      checkpoint_clock(observer.checkpoint_interval > 0 ? observer.checkpoint_interval : 1e12,
                       world.time());
  std::vector<double> sample;
  DriveResult result;
  ObstacleWatch::Nearest nearest;
  const auto take = [&] {
    const std::span<const double> values = world.sample();
    sample.assign(values.begin(), values.end());
    if (pilot.has_path()) sample.push_back(pilot.deviation());
    if (!drive->obstacles) return;
    const autonomy::VehicleView& view = world.view();
    nearest = drive->obstacles->find(view.x, view.y, view.yaw);
    sample.push_back(nearest.clearance);
  };
  const auto log = [&] {
    ++result.samples;
    if (observer.sample) observer.sample(world.time(), sample);
  };

  // A checkpoint was made behind the driver's look at that moment.
  if (world.time() == 0) world.command(pilot.update(world.view()));
  result.begin = world.time();
  take();
  log();
  bool is_logged = true;
  try {
    while (world.time() < run.duration - 1e-9) {
      const double next = std::min({driver_clock.next(), log_clock.next(), run.duration});
      const integrate::StepResult step = world.advance(next);
      if (!step.ok()) {
        result.status = RunStatus::kFailed;
        result.reason = step.text;
        if (!is_logged) log();
        break;
      }
      const bool driver_looks = driver_clock.strikes(next);
      is_logged = log_clock.strikes(next);
      if (driver_looks) world.command(pilot.update(world.view()));
      take();
      const StopCondition* stop = stops.find(world.view(), sample);
      const bool goes_on = !driver_looks || !observer.go_on || observer.go_on(next);
      const bool hits = nearest.clearance <= 0;
      const bool is_last = stop != nullptr || hits || !goes_on || next >= run.duration - 1e-9;
      if (is_logged || is_last) log();
      if (observer.checkpoint && checkpoint_clock.strikes(next))
        observer.checkpoint({world.time(), world.state(), pilot.state(), drive->lifted_since});
      if (stop != nullptr) {
        const bool has_failed = stop->outcome == StopOutcome::kFails;
        (has_failed ? result.reason : result.stop) = describe(*stop, next);
        if (has_failed) result.status = RunStatus::kFailed;
        break;
      }
      if (hits) {
        result.status = RunStatus::kFailed;
        result.reason = describe_hit(nearest.obstacle, world.view());
        break;
      }
      if (!goes_on) {
        result.status = RunStatus::kStopped;
        break;
      }
    }
  } catch (const std::exception& error) {
    if (!is_logged) log();
    result.status = RunStatus::kFailed;
    result.reason = concat("behind t = ", report::short_text(world.time()), " s: ", error.what());
    result.is_broken = true;
  }
  result.time = world.time();
  result.step = run.step;
  result.statistics.steps = world.steps();
  result.statistics.evaluations = world.evaluations();
  result.final_state = world.state();
  result.final_state.insert(result.final_state.begin(), world.time());
  result.wall_time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void restore(const DriveCheckpoint& checkpoint, Drive* drive) {
  require(checkpoint.stops.size() == drive->scenario.stops.size(), "the checkpoint has ",
          checkpoint.stops.size(), " stop conditions, the scenario ", drive->scenario.stops.size());
  require(checkpoint.time >= 0 && checkpoint.time < drive->scenario.run.duration,
          "the checkpoint is at ", checkpoint.time, " s, the scenario ends at ",
          drive->scenario.run.duration, " s");
  drive->world->set_state(checkpoint.time, checkpoint.world);
  drive->pilot->set_state(checkpoint.pilot);
  drive->lifted_since = checkpoint.stops;
}

}  // namespace camber::sim
