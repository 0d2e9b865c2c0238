#include "camber/live/live_run.h"

#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

namespace camber::live {
namespace {

constexpr double kTolerance = 1e-9;  // of times that count as equal [s]
constexpr std::chrono::milliseconds kNap{10};

}  // namespace

LiveRun::LiveRun(run::Simulation* simulation, LiveDrive* live, run::DriveRunOptions options)
    : simulation_(simulation), live_(live), drive_(simulation, std::move(options)) {}

std::vector<record::Series> LiveRun::series() const {
  std::vector<record::Series> list = drive_.series();
  list.push_back(make_input_series());
  return list;
}

void LiveRun::set_series_sink(run::SeriesSink sink) {
  series_sink_ = std::move(sink);
  last_times_.assign(series().size(), -1);
  // Sensors measure in the loop; their samples take the same way as the others.
  drive_.set_series_sink([this](std::size_t series, double time, std::span<const double> values) {
    live_->log_series(series, time, values);
  });
}

void LiveRun::advance() {
  const bool was_over = live_->is_over();
  bool is_idle = true;
  while (live_->take_record(&record_)) {
    is_idle = false;
    take(record_);
  }
  if (was_over) {  // and what came before that has been taken
    write_held();
    is_drained_ = true;
  } else if (is_idle) {
    std::this_thread::sleep_for(kNap);
  }
}

void LiveRun::take(const LogRecord& record) {
  switch (record.kind) {
    case LogRecord::kSample:
      hold(record.time, record.values);
      break;
    case LogRecord::kRewind:
      held_.is_there = held_.is_there && held_.time < record.time - kTolerance;
      write_held();
      rewind_(record.time);
      rewound_to_ = record.time;
      for (double& last : last_times_) last = std::min(last, record.time - kTolerance);
      ++rewinds_;
      break;
    default: {
      const std::size_t series = record.kind == LogRecord::kInputs
                                     ? last_times_.size() - 1
                                     : static_cast<std::size_t>(record.series);
      // What was measured before the moment that was gone back to, and came after it, comes twice.
      if (record.time <= last_times_[series]) break;
      last_times_[series] = record.time;
      series_sink_(series, record.time, record.values);
    }
  }
}

// A restored simulation takes a sample of its moment. Where the command changes, it takes another
// one: the last of a moment counts. And if the moment is not one of the log's, the sample is only
// good as the end of a run.
void LiveRun::hold(double time, const std::vector<double>& values) {
  const double interval = facts().sample_interval;
  const bool is_same = held_.is_there && std::abs(held_.time - time) <= kTolerance;
  if (!is_same) {
    if (held_.is_there && held_.is_extra) held_.is_there = false;
    write_held();
  }
  const bool is_restored = rewound_to_ >= 0 && std::abs(time - rewound_to_) <= kTolerance;
  const bool is_on_grid = std::abs(std::remainder(time, interval)) <= 1e-6 * interval;
  held_ = {.is_there = true,
           .is_extra = is_restored && !is_on_grid && time > kTolerance,
           .time = time,
           .values = values};
  if (!is_restored) rewound_to_ = -1;
}

void LiveRun::write_held() {
  if (!std::exchange(held_.is_there, false)) return;
  sink_(held_.time, held_.values);
}

run::RunResult LiveRun::result() const {
  run::RunResult result;
  if (!is_drained_) {
    result.status = run::RunStatus::kRunning;  // the loop's thread has the simulation
    return result;
  }
  result = simulation_->result();
  result.begin = 0;
  return result;
}

void LiveRun::finish(const record::Table& log, nlohmann::ordered_json* summary,
                     report::PageData* page) {
  // The log may have ended before the loop: on a full disk.
  live_->end();
  while (!live_->is_over()) std::this_thread::sleep_for(kNap);
  drive_.finish(log, summary, page);
  (*summary)["samples"] = log.times.size();  // without those that were gone back from
  std::uint64_t steps = 0;
  for (const std::uint32_t count : live_->step_times()) steps += count;
  const auto quantile = [&](double share) {
    const double wanted = share * static_cast<double>(steps);
    double sum = 0;
    for (std::size_t i = 0; i < live_->step_times().size(); ++i)
      if ((sum += live_->step_times()[i]) >= wanted) return static_cast<double>(i) + 1;
    return static_cast<double>(live_->step_times().size());
  };
  (*summary)["live"] = {{"rewinds", rewinds_},
                        {"steps", steps},
                        {"step_p50_us", quantile(0.5)},
                        {"step_p99_99_us", quantile(0.9999)},
                        {"steps_over_1_ms", live_->long_steps()},
                        {"late_wake_ups", live_->late_wakes()}};
}

// --------------------------------------------------------------------------------- RepeatedRun --

std::vector<record::Series> RepeatedRun::series() const {
  std::vector<record::Series> list = drive_->series();
  list.push_back(make_input_series());
  return list;
}

void RepeatedRun::set_series_sink(run::SeriesSink sink) {
  series_sink_ = std::move(sink);
  input_series_ = drive_->series().size();
  drive_->set_series_sink(series_sink_);
}

// The same calls at the same ticks as in the loop of LiveDrive.
void RepeatedRun::advance() {
  if (!std::exchange(is_started_, true)) simulation_->advance_to(simulation_->time());
  const RecordedInputs::Row* before = inputs_->last();
  const bool goes_on = inputs_->apply(simulation_);
  if (const RecordedInputs::Row* row = inputs_->last(); row != before && row != nullptr) {
    std::vector<double> values;
    append_input_values(row->input, row->command, &values);
    series_sink_(input_series_, row->time, values);
  }
  if (goes_on) {
    drive_->advance();
  } else {
    is_repeated_ = true;
    drive_->stop();
  }
}

run::RunResult RepeatedRun::result() const {
  run::RunResult result = drive_->result();
  if (is_repeated_) result.stop = "the end of the inputs";
  return result;
}

}  // namespace camber::live
