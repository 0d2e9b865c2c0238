#pragma once

// Anything that is advanced in time and recorded: a drive, a mechanism, a Lagrangian model, a
// rolling wheel. One loop runs them all (record_run.h).

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "camber/record/table.h"
#include "camber/report/folder_report.h"
#include "camber/run/run_result.h"

namespace camber::run {

/// Settings of a run that every log, summary and report contains.
struct RunFacts {
  std::string kind;         // "drive", "mechanism", "lagrangian", "rolling_wheel"
  std::string name;         // of the scenario or model
  std::string about = {};   // what it is
  std::string formulation;  // of its equations
  std::string method;       // of its steps
  double step = 0;          // [s] of fixed steps; 0: adaptive
  double tolerance = 0, absolute_tolerance = 0;  // of adaptive steps
  double duration = 0;                           // [s] as requested
  double sample_interval = 0.01;                 // [s]
};

/// Samples of a series, by its number.
using SeriesSink =
    std::function<void(std::size_t series, double time, std::span<const double> sample)>;
using SampleSink = std::function<void(double time, std::span<const double> sample)>;

class Runnable {
 public:
  virtual ~Runnable() = default;

  virtual const RunFacts& facts() const = 0;
  /// In the order of a sample's values.
  virtual const std::vector<record::Channel>& channels() const = 0;
  /// Further attributes of the log: data needed to repeat the run.
  virtual record::Attributes attributes() const { return {}; }

  /// Data with their own times: sensors.
  virtual std::vector<record::Series> series() const { return {}; }
  /// Passes every sample of the series. To be called once, before advance().
  virtual void set_series_sink(SeriesSink) {}

  /// Passes every sample from now on: at the start, at each sample interval, at the end, and at the
  /// last good state of a run that fails. To be called once, before advance().
  virtual void set_sink(SampleSink sink) = 0;
  /// Puts all samples so far on disk; to be called before anything that continues from them is
  /// written. To be set once, before advance().
  virtual void set_flush(std::function<void()> /*flush*/) {}
  /// Removes all samples at or after `time` [s]: for a run that is rewound and continues from
  /// there. To be set once, before advance().
  virtual void set_rewind(std::function<void(double time)> /*rewind*/) {}
  /// Runs to the next time at which its user may observe it.
  virtual void advance() = 0;
  /// Ends the run here, as its user wishes.
  virtual void stop() = 0;
  virtual RunResult result() const = 0;
  bool is_done() const { return result().status != RunStatus::kRunning; }

  /// Adds the figures of the recorded run to its summary, and to its page the content that is not
  /// among its channels. `log` has the recorded channels.
  virtual void finish(const record::Table& log, nlohmann::ordered_json* summary,
                      report::PageData* page) = 0;

  // After finish(), for a terminal:
  /// The outcome in a few lines.
  virtual std::vector<std::string> describe(const RunResult& /*result*/) const { return {}; }
  /// Reasons to doubt the results, each a clause.
  virtual std::vector<std::string> warnings() const { return {}; }
};

/// "10 s in 10000 steps of rk4, 0.09 s on the clock, 109 x real time"
std::string describe_time(const RunFacts& facts, const RunResult& result);

}  // namespace camber::run
