#include "camber/run/recorded_run.h"

#include <algorithm>
#include <span>

#include "camber/record/log_writer.h"
#include "camber/run/run_summary.h"

namespace camber::run {
namespace {

using record::Table;

std::vector<Table> make_tables(const std::vector<record::Series>& series) {
  std::vector<Table> tables;
  for (const record::Series& one : series) tables.emplace_back(one.channels);
  return tables;
}

void rewind_table(double time, Table* table) {
  const auto end = std::ranges::lower_bound(table->times, time);
  const auto count = static_cast<std::size_t>(end - table->times.begin());
  table->times.resize(count);
  for (std::size_t c = 0; c < table->channels.size(); ++c)
    table->values[c].resize(count * table->channels[c].entries());
}

/// The values of a sample, channel by channel.
std::vector<std::span<const double>> parts_of(const Table& table, std::size_t sample) {
  std::vector<std::span<const double>> parts;
  for (std::size_t c = 0; c < table.channels.size(); ++c) parts.push_back(table.row(c, sample));
  return parts;
}

}  // namespace

MemoryRecorder::MemoryRecorder(Runnable* run)
    : run_(run), log_(run->channels()), series_(make_tables(run->series())) {
  run->set_sink([this](double time, std::span<const double> sample) { log_.append(time, sample); });
  run->set_series_sink([this](std::size_t series, double time, std::span<const double> sample) {
    series_[series].append(time, sample);
  });
}

void MemoryRecorder::rewind(double time) {
  rewind_table(time, &log_);
  for (Table& table : series_) rewind_table(time, &table);
}

RecordedRun MemoryRecorder::finish(const RunSource& source, const RunResult& result) {
  RecordedRun recorded{.layout = internal::make_layout(source, *run_), .log = log_};
  recorded.summary = internal::make_summary(source, run_, result, recorded.log);
  recorded.series = series_;
  return recorded;
}

RecordedRun record_in_memory(const RunSource& source, Runnable* run, const RunHooks& hooks) {
  MemoryRecorder recorder(run);
  const RunResult result = internal::run_to_end(run, hooks);
  return recorder.finish(source, result);
}

void write_log(const RecordedRun& run, const std::string& path) {
  record::LogLayout layout = run.layout;
  layout.channels = run.log.channels;
  record::LogWriter log(path, layout,
                        {.chunk_samples = 256, .expected_samples = run.log.samples()});
  for (std::size_t i = 0; i < run.log.samples(); ++i)
    log.append(run.log.times[i], parts_of(run.log, i));
  for (std::size_t s = 0; s < run.series.size(); ++s)
    for (std::size_t i = 0; i < run.series[s].samples(); ++i)
      log.append_series(s, run.series[s].times[i], parts_of(run.series[s], i));
  log.close();
}

void write_folder(const RecordedRun& run, const record::RunFolder& folder) {
  write_log(run, folder.log_path());
  folder.write_summary(run.summary);
  folder.write_report(report::make_folder_report(folder.path()));
}

}  // namespace camber::run
