#pragma once

#include "camber/lagrange/motion.h"
#include "camber/run/run_options.h"
#include "camber/run/runnable.h"

namespace camber::run {

/// The motion of a Lagrangian model from its file's [initial], with all inputs at zero.
class LagrangianRun : public Runnable {
 public:
  /// Only adaptive methods: throws std::invalid_argument for the others, and what lagrange::Motion
  /// throws.
  LagrangianRun(const RunOptions& options, const lagrange::LagrangianModel& model);

  const RunFacts& facts() const override { return facts_; }
  const std::vector<record::Channel>& channels() const override { return channels_; }
  void set_sink(SampleSink sink) override { sink_ = std::move(sink); }
  void advance() override;
  void stop() override;
  RunResult result() const override;
  void finish(const record::Table& log, nlohmann::ordered_json* summary,
              report::PageData* page) override;
  std::vector<std::string> describe(const RunResult& result) const override;
  std::vector<std::string> warnings() const override;

 private:
  void take_sample();
  bool check_finite(std::span<const double> values);

  RunOptions options_;
  RunFacts facts_;
  lagrange::Motion motion_;
  std::vector<record::Channel> channels_;
  SampleSink sink_;
  double constraint_error_ = 0;           // max of all samples
  std::vector<double> not_finite_since_;  // [s] by quantity; NaN: it always was finite
  RunResult result_;
};

}  // namespace camber::run
