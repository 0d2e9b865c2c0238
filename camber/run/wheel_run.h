#pragma once

#include "camber/rolling_wheel/wheel_run.h"
#include "camber/run/run_options.h"
#include "camber/run/runnable.h"

namespace camber::run {

/// The usual options of a rolling wheel: its own duration, and a method that suits its law.
RunOptions make_wheel_options(const rolling_wheel::WheelScenario& scenario);

/// A rolling wheel: docs/manual/rolling-wheel.md.
class WheelRun : public Runnable {
 public:
  /// The duration is that of the options. Only adaptive methods. Throws std::invalid_argument for
  /// options or a wheel that cannot work.
  WheelRun(const RunOptions& options, rolling_wheel::WheelScenario scenario);

  const RunFacts& facts() const override { return facts_; }
  const std::vector<record::Channel>& channels() const override { return channels_; }
  void set_sink(SampleSink sink) override { sink_ = std::move(sink); }
  void advance() override;
  void stop() override;
  RunResult result() const override;
  void finish(const record::Table& log, nlohmann::ordered_json* summary,
              report::PageData* page) override;
  std::vector<std::string> describe(const RunResult& result) const override;

  /// Outcome of the wheel's run.
  const rolling_wheel::WheelRun& wheel() const { return runner_.run(); }

 private:
  void log_new_samples();

  RunFacts facts_;
  rolling_wheel::WheelRunner runner_;
  std::vector<record::Channel> channels_;
  SampleSink sink_;
  std::size_t logged_ = 0;  // samples
  RunStatus status_ = RunStatus::kRunning;
};

}  // namespace camber::run
