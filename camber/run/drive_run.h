#pragma once

#include <string>
#include <vector>

#include "camber/report/key_figure.h"
#include "camber/run/checkpoint.h"
#include "camber/run/runnable.h"
#include "camber/run/sensor_recorder.h"
#include "camber/run/simulation.h"

namespace camber::run {

struct DriveRunOptions {
  double checkpoint_interval = 0;  // [s] of simulated time; 0: none
  std::string checkpoint_path = {};
  RunSource source = {};               // for checkpoints
  std::vector<HashedFile> files = {};  // for checkpoints
  std::string scan_folder = {};        // that gets scans and pictures; empty: none are written
};

/// A simulation that can be run and recorded.
class DriveRun : public Runnable {
 public:
  /// Keeps a pointer to the simulation.
  explicit DriveRun(Simulation* simulation, DriveRunOptions options = {});

  const RunFacts& facts() const override { return facts_; }
  const std::vector<record::Channel>& channels() const override { return simulation_->channels(); }
  record::Attributes attributes() const override;
  void set_sink(SampleSink sink) override { simulation_->set_recorder(std::move(sink)); }
  void set_flush(std::function<void()> flush) override { flush_ = std::move(flush); }
  std::vector<record::Series> series() const override {
    return list_sensor_series(simulation_->sensors());
  }
  void set_series_sink(SeriesSink sink) override;
  void advance() override;
  void stop() override { simulation_->stop(); }
  RunResult result() const override { return simulation_->result(); }
  void finish(const record::Table& log, nlohmann::ordered_json* summary,
              report::PageData* page) override;

  // After finish():
  const std::vector<report::KeyFigure>& figures() const { return figures_; }
  const std::vector<std::string>& notes() const { return notes_; }
  /// Why the drive is unsound; empty if it is sound.
  const std::vector<std::string>& unsound() const { return unsound_; }
  /// The run reached its end, it is sound, and no figure has failed.
  bool has_passed() const;

 private:
  void warn_of_energy(const record::Table& log);
  report::GroundPlan make_plan(const record::Table& log) const;

  Simulation* simulation_;
  DriveRunOptions options_;
  Clock checkpoint_clock_;
  std::function<void()> flush_;
  RunFacts facts_;
  std::unique_ptr<SensorRecorder> sensors_;
  std::vector<report::KeyFigure> figures_;
  std::vector<std::string> notes_;
  std::vector<std::string> unsound_;
};

/// The key figures that a scenario requests, from the recorded channels.
std::vector<report::KeyFigure> calc_figures(const scenario::BuiltScenario& built,
                                            const record::Table& log);

}  // namespace camber::run
