#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/integrate/mechanical_system.h"
#include "camber/integrate/step_result.h"
#include "camber/multibody/dynamics.h"

namespace camber::sim {

enum class RunMethod {
  kRk4,       // fixed steps: Kutta's classical method
  kEuler,     // fixed steps: semi-implicit Euler
  kMidpoint,  // fixed steps: midpoint rule
  kDopri,     // steps by tolerance: explicit Runge-Kutta
  kAdams,     // steps by tolerance: smooth and long runs
  kBdf,       // steps by tolerance: stiff mechanisms
};
const char* to_text(RunMethod method);
/// Empty where no method is called so.
std::optional<RunMethod> find_run_method(std::string_view name);
bool has_fixed_steps(RunMethod method);

struct RunOptions {
  double duration = 10;  // [s]
  RunMethod method = RunMethod::kRk4;
  double step = 0.001;            // [s] the longest of fixed steps: they are cut to fit the samples
  double tolerance = 1e-8;        // relative, of adaptive steps; the absolute one is a hundredth
  double sample_interval = 0.01;  // [s]
  /// A run whose loops are open by more has failed: it left the mechanism for equations that were
  /// redundant at the start and are not any more.
  double max_position_error = 1e-4;  // [m] or [1]
  long max_samples = 100'000'000;    // more is taken for a mistake
};

/// How loops are kept closed under a method: Adams methods cannot project, so `ta` and `fa` get
/// Baumgarte's terms there. Throws std::invalid_argument where `wanted` does not go with the
/// method.
multibody::Stabilization choose_stabilization(
    RunMethod method, multibody::Formulation formulation,
    const std::optional<multibody::Stabilization>& wanted = {});

/// What goes through time in place of the state of the dynamics that it is seen by.
struct SteppedState {
  integrate::MechanicalSystem system;
  std::vector<double> q, v;  // to start from
  /// The same state in coordinates of the dynamics.
  std::function<void(std::span<const double> q, std::span<const double> v, std::span<double> seen_q,
                     std::span<double> seen_v)>
      to_seen;
  /// Whether it is near a configuration that is singular; none: it never is.
  std::function<bool(std::span<const double> q, std::span<const double> v)> is_near_singular = {};
};

/// For the integrators. It refers to `dynamics`.
integrate::MechanicalSystem make_mechanical_system(multibody::MechanismDynamics* dynamics);

/// Names of the formulation's own coordinates and speeds with their units.
struct CoordinateNames {
  std::vector<std::string> q, v;
  std::vector<std::string> q_units, v_units, v_dot_units;
};
CoordinateNames name_coordinates(const multibody::MechanismDynamics& dynamics);

/// Nothing but springs and gravity works on it: the sum of its energies stays.
bool is_conservative(const multibody::MechanismDynamics& dynamics);

enum class RunStatus { kDone, kStopped, kFailed };
const char* to_text(RunStatus status);

/// What became of a run.
struct RunResult {
  RunStatus status = RunStatus::kDone;
  std::string reason = {};  // kFailed: a sentence with time and place
  double begin = 0;         // [s] of the first sample; not 0: it went on from a checkpoint
  double time = 0;          // [s] of the last sample, which is the last good state
  long samples = 0;
  double step = 0;  // [s] of fixed steps as taken; 0: adaptive
  integrate::Statistics statistics = {};
  double wall_time = 0;                        // [s]
  double position_error = 0, speed_error = 0;  // the largest of all samples
  double first_energy = 0, last_energy = 0;    // [J]
  double energy_drift = 0;                     // largest distance from the first one [J]
  double energy_scale = 0;                     // largest kinetic energy, or change of it [J]
  double energy_gain = 0;                      // most that a sample has more than the first one [J]
  double time_of_gain = 0;                     // [s]
};

struct RunObserver {
  /// At 0, at every sample interval, at the end, and at the last good state of a run that fails.
  std::function<void(double t, const multibody::Observation& observation)> sample = {};
  /// After every step; false ends the run with a sample there.
  std::function<bool(double t)> go_on = {};
};

/// What a run that has come through may have wrong, each a clause: kinetic energy that projections
/// took, energy that came from nowhere.
std::vector<std::string> find_warnings(const RunOptions& options,
                                       const multibody::MechanismDynamics& dynamics,
                                       const RunResult& result);

/// Simulates from the initial state, from t = 0 to the duration; `stepped`: what goes through time
/// where that is not the state of the dynamics itself. What physics may do (a loop that
/// cannot be closed, a state that becomes infinite) is in the result. Throws std::invalid_argument
/// for options that cannot work and a mechanism where nothing can move; exceptions of the observer
/// come through.
RunResult run_mechanism(const RunOptions& options, multibody::MechanismDynamics* dynamics,
                        const RunObserver& observer = {}, const SteppedState* stepped = nullptr);

}  // namespace camber::sim
