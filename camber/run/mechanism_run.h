#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "camber/multibody/dynamics.h"
#include "camber/run/motion.h"
#include "camber/run/run_options.h"
#include "camber/run/runnable.h"

namespace camber::run {

/// How loops are kept closed under a method: Adams methods cannot project, so `ta` and `fa` get
/// Baumgarte's terms there. Throws std::invalid_argument if `requested` does not go with the
/// method.
multibody::Stabilization choose_stabilization(
    RunMethod method, multibody::Formulation formulation,
    const std::optional<multibody::Stabilization>& requested = {});

/// Options of a mechanism's run in addition to those of every run.
struct MechanismRunSetup {
  multibody::Stabilization stabilization = {};  // of the dynamics
  /// The stepped system, if it is not the state of the dynamics itself.
  std::optional<SteppedState> stepped = {};
  std::string formulation = {};  // of what is stepped; empty: that of the dynamics
  /// A run whose loops open by more has failed: equations that were redundant at the start are no
  /// longer satisfied.
  double max_position_error = 1e-4;  // [m] or [1]
};

/// Figures of all samples so far.
struct MechanismFigures {
  double position_error = 0, speed_error = 0;  // max
  double first_energy = 0, last_energy = 0;    // [J]
  double energy_drift = 0;                     // max difference from the first one [J]
  double energy_scale = 0;                     // max kinetic energy [J]
  double energy_gain = 0;                      // max increase over the first one [J]
  double time_of_gain = 0;                     // [s]
};

/// Possible faults of a run that is done, each a clause: kinetic energy removed by projections,
/// energy gained without a source.
std::vector<std::string> find_warnings(RunMethod method,
                                       const multibody::MechanismDynamics& dynamics,
                                       const MechanismFigures& figures);

/// The motion of a mechanism from its initial state. What physics may do (a loop that cannot be
/// closed, a state that becomes infinite) is in the result. docs/manual/running.md lists the
/// channels.
class MechanismRun : public Runnable {
 public:
  /// Keeps a pointer to the dynamics. Throws std::invalid_argument for options that cannot work and
  /// a mechanism that cannot move.
  MechanismRun(const RunOptions& options, multibody::MechanismDynamics* dynamics,
               MechanismRunSetup setup = {});

  const RunFacts& facts() const override { return facts_; }
  const std::vector<record::Channel>& channels() const override { return channels_; }
  record::Attributes attributes() const override;
  void set_sink(SampleSink sink) override { sink_ = std::move(sink); }
  void advance() override;
  void stop() override;
  RunResult result() const override;
  void finish(const record::Table& log, nlohmann::ordered_json* summary,
              report::PageData* page) override;
  std::vector<std::string> describe(const RunResult& result) const override;
  std::vector<std::string> warnings() const override;

  const MechanismFigures& figures() const { return figures_; }
  /// State of the last sample.
  const multibody::Observation& observation() const { return observation_; }

 private:
  void take_sample();
  void log_sample();
  bool is_good() const;
  std::string describe_doubt() const;
  void fail(const std::string& reason);

  RunOptions options_;
  multibody::MechanismDynamics* dynamics_;
  MechanismRunSetup setup_;
  SteppedState state_;
  std::unique_ptr<Motion> motion_;
  RunFacts facts_;
  std::vector<record::Channel> channels_;
  SampleSink sink_;
  long next_ = 1;  // the sample that it is on its way to
  std::vector<double> q_, v_;
  multibody::Observation observation_, seen_;  // the last sample, and what may become the next
  std::vector<double> sample_;
  // Energies of good samples:
  double last_gravity_ = 0;  // [J] of the last one
  double max_energy_ = 0;    // kinetic and elastic [J]
  MechanismFigures figures_;
  RunResult result_;
};

}  // namespace camber::run
