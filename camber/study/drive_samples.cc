#include "camber/study/drive_samples.h"

#include <cmath>
#include <ctime>
#include <exception>
#include <limits>
#include <map>
#include <utility>

#include "camber/core/diagnostics.h"
#include "camber/core/hash.h"
#include "camber/core/overrides.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/figures/signals.h"
#include "camber/run/drive_run.h"
#include "camber/run/lane_driver.h"
#include "camber/run/simulation.h"
#include "camber/scenario/parts_cache.h"

namespace camber::study {
namespace {

/// Processor time of this thread [s]: a loaded machine does not make samples time out.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A column of the log at evenly spaced moments, straight lines between samples; NaN after the end.
std::vector<float> take_curve(const std::vector<double>& times, const std::vector<double>* values,
                              double duration, int points) {
  std::vector<float> curve(static_cast<std::size_t>(points),
                           std::numeric_limits<float>::quiet_NaN());
  if (values == nullptr || times.empty()) return curve;
  std::size_t at = 0;
  for (int i = 0; i < points; ++i) {
    const double t = duration * i / (points - 1);
    while (at + 1 < times.size() && times[at + 1] < t) ++at;
    double y = (*values)[at];
    if (t > times[at] && at + 1 < times.size()) {
      const double share = (t - times[at]) / (times[at + 1] - times[at]);
      y += share * ((*values)[at + 1] - (*values)[at]);
    } else if (t > times[at] + 1e-9) {
      break;
    }
    curve[static_cast<std::size_t>(i)] = static_cast<float>(y);
  }
  return curve;
}

/// Texts without line ends, for tables.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

std::string_view name_of(KernelKind kind) {
  switch (kind) {
    case KernelKind::kScalar:
      return "scalar";
    case KernelKind::kLanes:
      return "lanes";
  }
  return "";
}

struct SampleDriver::Shared {
  scenario::PartsCache cache;
};

namespace {

/// A sample on its way: its simulation, what it logs, and when it began.
struct Drive {
  SampleResult result;
  std::unique_ptr<run::Simulation> simulation;
  record::Table log = record::Table();
  double start = 0;  // [s] of processor time
};

/// What is wrong with a sample's scenario goes into its result. False then: there is nothing to drive.
bool load(const Study& study, const StudyFacts& facts, const Sample& sample,
          scenario::PartsCache* cache, Drive* drive) {
  drive->result = {.k = sample.k, .values = sample.values};
  drive->result.figures.assign(facts.figures.size(), std::numeric_limits<double>::quiet_NaN());
  drive->start = cpu_seconds();
  const auto refuse = [&](const std::exception& error) {
    drive->result.status = SampleStatus::kRefused;
    drive->result.reason = one_line(error.what());
    return false;
  };
  try {
    drive->simulation = std::make_unique<run::Simulation>(run::Simulation::load(
        study.scenario, assignments_of(study, sample.values, sample.drive_seed), cache));
    drive->log = record::Table(drive->simulation->channels());
    drive->simulation->set_recorder(
        [log = &drive->log](double time, std::span<const double> row) { log->append(time, row); });
    return true;
  } catch (const ModelFileError& error) {
    return refuse(error);
  } catch (const std::invalid_argument& error) {
    return refuse(error);
  } catch (const std::runtime_error& error) {
    drive->result.status = SampleStatus::kFailed;
    drive->result.reason = one_line(error.what());
    return false;
  }
}

void time_out(const Study& study, SampleResult* result) {
  result->status = SampleStatus::kTimedOut;
  result->reason =
      concat("more than ", short_text(study.failure.time_limit), " s of processor time");
}

/// Status, figures, curves and hash of a drive that has ended.
void finish(const Study& study, const StudyFacts& facts, const run::Simulation& simulation,
            Drive* drive) {
  SampleResult& result = drive->result;
  try {
    const run::RunResult outcome = simulation.result();
    result.time = outcome.time;
    result.status =
        outcome.status == run::RunStatus::kDone ? SampleStatus::kDone : SampleStatus::kFailed;
    result.reason = one_line(outcome.reason);
    const std::vector<report::KeyFigure> figures =
        run::calc_figures(simulation.built(), drive->log);
    bool is_sound = true;
    for (const run::DriveFinding& finding : simulation.findings()) {
      if (!finding.is_unsound) continue;
      if (is_sound && result.reason.empty()) result.reason = "unsound: " + one_line(finding.text);
      is_sound = false;
    }
    result.passed = result.status == SampleStatus::kDone && is_sound && report::all_passed(figures);
    for (std::size_t i = 0; i < facts.figures.size(); ++i)
      for (const report::KeyFigure& figure : figures)
        if (figure.name == facts.figures[i].name) result.figures[i] = figure.value;
    if (!facts.curve_names.empty()) {
      const figures::Signals signals(drive->log);
      for (const std::string& name : facts.curve_names)
        result.curves.push_back(take_curve(drive->log.times, signals.find_column(name),
                                           facts.duration, study.keep.curve_points));
    }
    result.hash = hash_values(simulation.state_values());
  } catch (const std::runtime_error& error) {
    result.status = SampleStatus::kFailed;
    result.reason = one_line(error.what());
  }
}

/// From start to end in doubles. False if it was stopped: it has no result then.
bool drive_to_end(const Study& study, const StudyFacts& facts, const DriveHooks& hooks,
                  Drive* drive) {
  constexpr int kTicksPerLook = 16;
  run::Simulation& simulation = *drive->simulation;
  try {
    for (int tick = 1; !simulation.is_done(); ++tick) {
      simulation.advance_to(simulation.next_tick());
      if (tick % kTicksPerLook != 0) continue;
      if (hooks.is_stopped && hooks.is_stopped()) return false;
      if (cpu_seconds() - drive->start > study.failure.time_limit) {
        time_out(study, &drive->result);
        return true;
      }
    }
  } catch (const std::runtime_error& error) {
    drive->result.status = SampleStatus::kFailed;
    drive->result.reason = one_line(error.what());
    return true;
  }
  finish(study, facts, simulation, drive);
  return true;
}

}  // namespace

SampleDriver::SampleDriver(const Study* study, const StudyFacts* facts, int lanes)
    : study_(study),
      facts_(facts),
      lanes_(lanes > 0 ? lanes : run::default_lanes()),
      shared_(std::make_unique<Shared>()) {}

SampleDriver::~SampleDriver() = default;

void SampleDriver::drive(std::span<const Sample> samples, const DriveHooks& hooks) {
  if (facts_->kernel == KernelKind::kLanes) {
    drive_in_lanes(samples, hooks);
    return;
  }
  for (const Sample& sample : samples) {
    if (hooks.is_stopped && hooks.is_stopped()) return;
    if (hooks.begins) hooks.begins(sample);
    Drive drive;
    if (load(*study_, *facts_, sample, &shared_->cache, &drive) &&
        !drive_to_end(*study_, *facts_, hooks, &drive))
      return;
    hooks.ends(std::move(drive.result));
  }
}

void SampleDriver::drive_in_lanes(std::span<const Sample> samples, const DriveHooks& hooks) {
  const run::LaneDriver lanes({.lanes = lanes_});
  std::map<long, Drive> under_way;
  std::size_t next = 0;
  bool is_stopped = false;
  run::LaneHooks lane_hooks;
  lane_hooks.next = [&]() -> std::optional<run::LaneJob> {
    while (next < samples.size()) {
      if (is_stopped || (hooks.is_stopped && hooks.is_stopped())) return std::nullopt;
      const Sample& sample = samples[next++];
      if (hooks.begins) hooks.begins(sample);
      Drive& drive = under_way[sample.k];  // stays at its place: the recorder points to its log
      if (load(*study_, *facts_, sample, &shared_->cache, &drive))
        return run::LaneJob{.number = sample.k, .simulation = std::move(drive.simulation)};
      hooks.ends(std::move(drive.result));
      under_way.erase(sample.k);
    }
    return std::nullopt;
  };
  // A sample's share of the time that its group has taken.
  const double limit = study_->failure.time_limit * lanes_;
  lane_hooks.is_stopped = [&](long k) {
    is_stopped = is_stopped || (hooks.is_stopped && hooks.is_stopped());
    return is_stopped || cpu_seconds() - under_way.at(k).start > limit;
  };
  lane_hooks.ended = [&](long k, run::Simulation& simulation, const run::LaneOutcome&) {
    if (is_stopped) return;
    Drive& drive = under_way.at(k);
    if (simulation.result().status == run::RunStatus::kStopped) {
      time_out(*study_, &drive.result);
    } else {
      finish(*study_, *facts_, simulation, &drive);
    }
    hooks.ends(std::move(drive.result));
    under_way.erase(k);
  };
  lanes.drive(lane_hooks);
}

}  // namespace camber::study
