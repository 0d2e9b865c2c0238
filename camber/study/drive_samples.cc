#include "camber/study/drive_samples.h"

#include <cmath>
#include <ctime>
#include <exception>
#include <limits>
#include <utility>

#include "camber/core/diagnostics.h"
#include "camber/core/hash.h"
#include "camber/core/overrides.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/figures/signals.h"
#include "camber/run/drive_run.h"
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

class Stopped : public std::exception {};

}  // namespace

std::string_view name_of(KernelKind kind) {
  switch (kind) {
    case KernelKind::kScalar:
      return "scalar";
  }
  return "";
}

struct SampleDriver::Shared {
  scenario::PartsCache cache;

  SampleResult drive(const Study& study, const StudyFacts& facts, const Sample& sample,
                     const DriveHooks& hooks);
};

SampleResult SampleDriver::Shared::drive(const Study& study, const StudyFacts& facts,
                                         const Sample& sample, const DriveHooks& hooks) {
  SampleResult result{.k = sample.k, .values = sample.values};
  result.figures.assign(facts.figures.size(), std::numeric_limits<double>::quiet_NaN());
  const double start = cpu_seconds();
  try {
    run::Simulation simulation = run::Simulation::load(
        study.scenario, assignments_of(study, sample.values, sample.drive_seed), &cache);
    record::Table log(simulation.channels());
    simulation.set_recorder(
        [&](double time, std::span<const double> row) { log.append(time, row); });
    constexpr int kTicksPerLook = 16;
    for (int tick = 1; !simulation.is_done(); ++tick) {
      simulation.advance_to(simulation.next_tick());
      if (tick % kTicksPerLook != 0) continue;
      if (hooks.is_stopped && hooks.is_stopped()) throw Stopped();
      if (cpu_seconds() - start > study.failure.time_limit) {
        result.status = SampleStatus::kTimedOut;
        result.reason =
            concat("more than ", short_text(study.failure.time_limit), " s of processor time");
        return result;
      }
    }
    const run::RunResult outcome = simulation.result();
    result.time = outcome.time;
    result.status =
        outcome.status == run::RunStatus::kDone ? SampleStatus::kDone : SampleStatus::kFailed;
    result.reason = one_line(outcome.reason);
    const std::vector<report::KeyFigure> figures = run::calc_figures(simulation.built(), log);
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
      const figures::Signals signals(log);
      for (const std::string& name : facts.curve_names)
        result.curves.push_back(take_curve(log.times, signals.find_column(name), facts.duration,
                                           study.keep.curve_points));
    }
    result.hash = hash_values(simulation.state_values());
  } catch (const ModelFileError& error) {
    result.status = SampleStatus::kRefused;
    result.reason = one_line(error.what());
  } catch (const std::invalid_argument& error) {
    result.status = SampleStatus::kRefused;
    result.reason = one_line(error.what());
  } catch (const std::runtime_error& error) {
    result.status = SampleStatus::kFailed;
    result.reason = one_line(error.what());
  }
  return result;
}

SampleDriver::SampleDriver(const Study* study, const StudyFacts* facts)
    : study_(study), facts_(facts), shared_(std::make_unique<Shared>()) {}

SampleDriver::~SampleDriver() = default;

void SampleDriver::drive(std::span<const Sample> samples, const DriveHooks& hooks) {
  for (const Sample& sample : samples) {
    if (hooks.is_stopped && hooks.is_stopped()) return;
    if (hooks.begins) hooks.begins(sample);
    try {
      hooks.ends(shared_->drive(*study_, *facts_, sample, hooks));
    } catch (const Stopped&) {
      return;
    }
  }
}

}  // namespace camber::study
