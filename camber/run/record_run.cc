#include "camber/run/record_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "camber/core/file.h"
#include "camber/core/processor.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/record/log_reader.h"
#include "camber/record/log_writer.h"
#include "camber/run/run_summary.h"

namespace camber::run {
namespace {

using Json = nlohmann::ordered_json;
using WallClock = std::chrono::steady_clock;

}  // namespace

record::LogLayout internal::make_layout(const RunSource& source, const Runnable& run) {
  const RunFacts& facts = run.facts();
  record::RunInfo info{.model_file = source.model_file,
                       .model_text = source.model_text,
                       .program = source.program,
                       .formulation = facts.formulation};
  info.integrator = {{"method", facts.method}};
  if (facts.step > 0) info.integrator.insert({"step", facts.step});
  if (facts.tolerance > 0) {
    info.integrator.insert({"rtol", facts.tolerance});
    info.integrator.insert({"atol", facts.absolute_tolerance});
  }
  record::LogLayout layout{.channels = run.channels(), .attributes = to_attributes(info)};
  for (const auto& [name, value] : run.attributes()) layout.attributes.insert({name, value});
  layout.series = run.series();
  return layout;
}

namespace {

constexpr std::chrono::milliseconds kFlushInterval{50};
constexpr double kTimeTolerance = 1e-9;  // of times that count as equal [s]

/// Writes samples to the log of a folder.
class LogSink {
 public:
  LogSink(const record::RunFolder& folder, record::LogLayout layout_of_run, const RunFacts& facts)
      : path_(folder.log_path()),
        layout_(std::move(layout_of_run)),
        options_{.chunk_samples = 256,
                 .expected_samples =
                     static_cast<std::size_t>(facts.duration / facts.sample_interval) + 2},
        log_(std::make_unique<record::LogWriter>(path_, layout_, options_)),
        last_flush_(WallClock::now()) {
    const record::LogLayout& layout = layout_;
    for (const record::Channel& channel : layout.channels) counts_.push_back(channel.entries());
    for (const record::Series& series : layout.series) {
      series_counts_.emplace_back();
      for (const record::Channel& channel : series.channels)
        series_counts_.back().push_back(channel.entries());
    }
  }

  void append(double time, std::span<const double> sample) {
    split(counts_, sample);
    log_->append(time, parts_);
    const auto now = WallClock::now();
    if (now - last_flush_ < kFlushInterval) return;
    log_->flush();
    last_flush_ = now;
  }
  void flush() {
    log_->flush();
    last_flush_ = WallClock::now();
  }
  void append_series(std::size_t series, double time, std::span<const double> sample) {
    split(series_counts_[series], sample);
    log_->append_series(series, time, parts_);
  }
  void close() { log_->close(); }
  /// Drops what is at or after `time`. The log grows only (readers may be following it), so it is
  /// written anew; until that is done, the old one is beside it.
  void rewind(double time) {
    log_->close();
    log_.reset();
    const std::string old_path = path_ + ".before";
    if (std::rename(path_.c_str(), old_path.c_str()) != 0)
      throw FileError(path_, "cannot rename it to write it anew");
    log_ = std::make_unique<record::LogWriter>(path_, layout_, options_);
    const record::LogReader old(old_path);
    copy(old, time);
    log_->flush();
    std::remove(old_path.c_str());
    last_flush_ = WallClock::now();
  }
  /// Leaves the log unmarked: something is missing.
  void abandon() {
    try {
      log_->flush();
    } catch (const FileError&) {  // what was there before stays readable
    }
  }

 private:
  void split(const std::vector<std::size_t>& counts, std::span<const double> sample) {
    parts_.resize(counts.size());
    for (std::size_t c = 0; c < counts.size(); ++c) {
      parts_[c] = sample.first(counts[c]);
      sample = sample.subspan(counts[c]);
    }
  }

  void copy(const record::LogReader& old, double end) {
    const std::vector<double> times = old.read("time");
    std::size_t count = 0;
    while (count < times.size() && times[count] < end - kTimeTolerance) ++count;
    constexpr std::size_t kPiece = 1024;
    for (std::size_t first = 0; first < count; first += kPiece) {
      const std::size_t piece = std::min(kPiece, count - first);
      std::vector<std::vector<double>> columns;
      for (const record::Channel& channel : layout_.channels)
        columns.push_back(old.read(channel.name, first, piece));
      for (std::size_t i = 0; i < piece; ++i) {
        parts_.resize(columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c)
          parts_[c] = std::span(columns[c]).subspan(i * counts_[c], counts_[c]);
        log_->append(times[first + i], parts_);
      }
    }
    for (std::size_t s = 0; s < layout_.series.size(); ++s) {
      const record::Series& series = layout_.series[s];
      const std::vector<double> series_times = old.read_series(series.group, "time");
      std::vector<std::vector<double>> columns;
      for (const record::Channel& channel : series.channels)
        columns.push_back(old.read_series(series.group, channel.name));
      for (std::size_t i = 0; i < series_times.size() && series_times[i] < end - kTimeTolerance;
           ++i) {
        parts_.resize(columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c)
          parts_[c] = std::span(columns[c]).subspan(i * series_counts_[s][c], series_counts_[s][c]);
        log_->append_series(s, series_times[i], parts_);
      }
    }
  }

  std::string path_;
  record::LogLayout layout_;
  record::LogOptions options_;
  std::unique_ptr<record::LogWriter> log_;
  WallClock::time_point last_flush_;
  std::vector<std::size_t> counts_;
  std::vector<std::vector<std::size_t>> series_counts_;
  std::vector<std::span<const double>> parts_;
};

}  // namespace

/// The one loop.
RunResult internal::run_to_end(Runnable* run, const RunHooks& hooks) {
  const auto start = WallClock::now();
  RunResult result;
  try {
    while (!run->is_done()) {
      run->advance();
      result = run->result();
      if (result.status == RunStatus::kRunning && hooks.go_on && !hooks.go_on(result.time))
        run->stop();
    }
    result = run->result();
  } catch (const FileError& error) {  // the log cannot be written
    result = run->result();
    result.status = RunStatus::kFailed;
    result.is_broken = true;
    result.reason = error.what();
  } catch (const std::bad_alloc&) {
    result = run->result();
    result.status = RunStatus::kFailed;
    result.is_broken = true;
    result.reason = "out of memory";
  }
  result.wall_time = std::chrono::duration<double>(WallClock::now() - start).count();
  return result;
}

namespace {

Json make_versions(const RunSource& source) {
#ifdef __clang__
  const char* compiler = "clang " __clang_version__;
#else
  const char* compiler = "gcc " __VERSION__;
#endif
  return {{"program", source.program},
          {"compiler", compiler},
          {"processor", processor_name()},
          {"instructions", instruction_set()}};
}

Json start_summary(const RunSource& source, const RunFacts& facts, const RunResult& result) {
  Json summary{{"kind", facts.kind}, {"status", to_text(result.status)}};
  if (!result.reason.empty()) summary["reason"] = result.reason;
  summary["name"] = facts.name;
  if (!facts.about.empty()) summary["about"] = facts.about;
  summary["file"] = source.model_file;
  summary["overrides"] = source.overrides;
  summary["formulation"] = facts.formulation;
  summary["method"] = facts.method;
  if (facts.step > 0) summary["step"] = facts.step;
  if (facts.tolerance > 0) summary["tolerance"] = facts.tolerance;
  if (result.begin > 0) summary["restarted_at"] = result.begin;
  if (!result.stop.empty()) summary["ended_by"] = result.stop;
  summary["time"] = result.time;
  summary["duration"] = facts.duration;
  summary["samples"] = result.samples;
  summary["steps"] = result.statistics.steps;
  summary["rejected_steps"] = result.statistics.rejected;
  summary["evaluations"] = result.statistics.evaluations;
  summary["wall_time"] = result.wall_time;
  summary["real_time_factor"] =
      result.wall_time > 0 ? (result.time - result.begin) / result.wall_time : 0;
  return summary;
}

report::PageData make_page(const RunSource& source, const RunFacts& facts,
                           const RunResult& result) {
  report::PageData page{.title = facts.name};
  if (facts.kind != "drive") {
    page.title = "Run of " + facts.name;
    if (!facts.about.empty()) page.notes.push_back(facts.about);
    if (result.status == RunStatus::kFailed)
      page.notes.push_back("The run failed: " + result.reason + ".");
    if (result.status == RunStatus::kStopped)
      page.notes.push_back(concat("The run was stopped at t = ", short_text(result.time), " s."));
    page.values = {
        {"status", to_text(result.status)},
        {"simulated time", short_text(result.time), "s"},
        {"wall time", short_text(result.wall_time, 3), "s"},
        {"real-time factor",
         short_text(result.wall_time > 0 ? (result.time - result.begin) / result.wall_time : 0, 3)},
        {"steps", std::to_string(result.statistics.steps)},
        {"evaluations", std::to_string(result.statistics.evaluations)}};
    if (facts.step == 0)
      page.values.push_back({"rejected steps", std::to_string(result.statistics.rejected)});
  }
  page.settings = {
      {"file", source.model_file}, {"formulation", facts.formulation}, {"method", facts.method}};
  if (facts.step > 0) page.settings.push_back({"step", short_text(facts.step), "s"});
  if (facts.tolerance > 0) page.settings.push_back({"tolerance", short_text(facts.tolerance)});
  for (const std::string& assignment : source.overrides)
    page.settings.push_back({"--set", assignment});
  return page;
}

void write_results(const RunSource& source, const record::RunFolder& folder, Runnable* run,
                   const RunResult& result, LogSink* log) {
  result.is_broken ? log->abandon() : log->close();
  folder.write_summary(
      internal::make_summary(source, run, result, record::read_table(folder.log_path())));
  folder.write_report(report::make_folder_report(folder.path()));
}

}  // namespace

std::string internal::make_summary(const RunSource& source, Runnable* run, const RunResult& result,
                                   const record::Table& log) {
  Json summary = start_summary(source, run->facts(), result);
  report::PageData page = make_page(source, run->facts(), result);
  run->finish(log, &summary, &page);
  summary["program"] = source.program;
  summary["versions"] = make_versions(source);
  summary["page"] = to_json(page);
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

/// What a log that could not be written to its end holds.
std::string describe_log(const std::string& path) {
  try {
    const record::LogReader log(path);
    if (log.samples() == 0) return "the log has no sample";
    return concat(
        "the log ends at t = ", short_text(log.read("time", log.samples() - 1, 1).front()), " s");
  } catch (const FileError&) {
    return "the log cannot be read; it has nothing";
  }
}

}  // namespace

void check_log_size(double duration, double sample_interval,
                    const std::vector<record::Channel>& channels) {
  constexpr double kMaxBytes = 8e9;
  const double samples = duration / sample_interval + 1;
  const double bytes = samples * static_cast<double>(count_entries(channels) + 1) * sizeof(double);
  require(bytes <= kMaxBytes, "run: the log of ", short_text(duration), " s with a sample every ",
          short_text(sample_interval), " s has ", short_text(1e-9 * bytes, 3),
          " GB, expected at most ", short_text(1e-9 * kMaxBytes),
          " GB: take a longer sample interval");
}

std::string describe_time(const RunFacts& facts, const RunResult& result) {
  const long steps = result.statistics.steps;
  return concat(short_text(result.time), " s in ", steps, steps == 1 ? " step" : " steps", " of ",
                facts.method, ", ", short_text(result.wall_time, 3), " s on the clock, ",
                short_text((result.time - result.begin) / result.wall_time, 3), " x real time");
}

record::Table run_in_memory(Runnable* run, const RunHooks& hooks) {
  record::Table table(run->channels());
  run->set_sink([&](double time, std::span<const double> sample) { table.append(time, sample); });
  internal::run_to_end(run, hooks);
  return table;
}

RunResult record_run(const RunSource& source, const record::RunFolder& folder, Runnable* run,
                     const RunHooks& hooks) {
  LogSink log(folder, internal::make_layout(source, *run), run->facts());
  run->set_sink([&](double time, std::span<const double> sample) { log.append(time, sample); });
  run->set_flush([&] { log.flush(); });
  run->set_rewind([&](double time) { log.rewind(time); });
  run->set_series_sink([&](std::size_t series, double time, std::span<const double> sample) {
    log.append_series(series, time, sample);
  });
  const RunResult result = internal::run_to_end(run, hooks);
  try {
    write_results(source, folder, run, result, &log);
  } catch (const FileError& error) {  // a full disk, which may have ended the run, too
    std::string text = concat(error.what(), "; ", describe_log(folder.log_path()), " of ",
                              short_text(run->facts().duration), " s");
    if (result.is_broken) text += concat(", where the run failed: ", result.reason);
    throw std::runtime_error(text);
  }
  return result;
}

}  // namespace camber::run
