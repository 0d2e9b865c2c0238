#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "camber/live/input_log.h"
#include "camber/live/live_drive.h"
#include "camber/run/drive_run.h"
#include "camber/run/runnable.h"

namespace camber::live {

/// A live drive as a source of recordings: record_run() in a separate thread writes its log. The
/// folder is that of `camber run`, plus the inputs.
class LiveRun : public run::Runnable {
 public:
  /// Keeps pointers.
  LiveRun(run::Simulation* simulation, LiveDrive* live, run::DriveRunOptions options = {});

  const run::RunFacts& facts() const override { return drive_.facts(); }
  const std::vector<record::Channel>& channels() const override { return drive_.channels(); }
  record::Attributes attributes() const override { return drive_.attributes(); }
  std::vector<record::Series> series() const override;
  void set_series_sink(run::SeriesSink sink) override;
  void set_sink(run::SampleSink sink) override { sink_ = std::move(sink); }
  void set_rewind(std::function<void(double time)> rewind) override { rewind_ = std::move(rewind); }
  /// Passes on data that has arrived from the loop since.
  void advance() override;
  void stop() override { live_->end(); }
  run::RunResult result() const override;
  void finish(const record::Table& log, nlohmann::ordered_json* summary,
              report::PageData* page) override;

  run::DriveRun& drive() { return drive_; }

 private:
  struct Held {
    bool is_there = false, is_extra = false;
    double time = 0;
    std::vector<double> values;
  };
  void take(const LogRecord& record);
  void hold(double time, const std::vector<double>& values);
  void write_held();

  run::Simulation* simulation_;
  LiveDrive* live_;
  run::DriveRun drive_;
  run::SampleSink sink_;
  run::SeriesSink series_sink_;
  std::function<void(double)> rewind_;
  LogRecord record_;
  Held held_;
  double rewound_to_ = -1;          // [s]; -1: time goes on
  std::vector<double> last_times_;  // of each series [s]
  int rewinds_ = 0;
  bool is_drained_ = false;
};

/// Repeats a live drive from its recorded inputs, bit for bit.
class RepeatedRun : public run::Runnable {
 public:
  RepeatedRun(run::Simulation* simulation, run::DriveRun* drive, RecordedInputs* inputs)
      : simulation_(simulation), drive_(drive), inputs_(inputs) {}

  const run::RunFacts& facts() const override { return drive_->facts(); }
  const std::vector<record::Channel>& channels() const override { return drive_->channels(); }
  record::Attributes attributes() const override { return drive_->attributes(); }
  std::vector<record::Series> series() const override;
  void set_series_sink(run::SeriesSink sink) override;
  void set_sink(run::SampleSink sink) override { drive_->set_sink(std::move(sink)); }
  void set_flush(std::function<void()> flush) override { drive_->set_flush(std::move(flush)); }
  void advance() override;
  void stop() override { drive_->stop(); }
  run::RunResult result() const override;
  void finish(const record::Table& log, nlohmann::ordered_json* summary,
              report::PageData* page) override {
    drive_->finish(log, summary, page);
  }

  /// Whether it has reached the end of the inputs.
  bool is_repeated() const { return is_repeated_; }

 private:
  run::Simulation* simulation_;
  run::DriveRun* drive_;
  RecordedInputs* inputs_;
  run::SeriesSink series_sink_;
  std::size_t input_series_ = 0;
  bool is_started_ = false, is_repeated_ = false;
};

}  // namespace camber::live
