#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "camber/integrate/integrator.h"
#include "camber/rolling_wheel/rolling_wheel.h"

namespace camber::rolling_wheel {

/// A wheel, its loads over time and its initial state.
struct WheelScenario {
  std::string name, about;
  RollingWheel wheel;
  WheelSchedule schedule;
  WheelLaw law = WheelLaw::kRelaxed;
  double duration = 20;              // [s]
  double speed = 0, rim_speed = 0;   // x' and R theta' at the start [m/s]
  std::optional<double> brake_from;  // [s] braking distance and time count from here
  double stop_speed = 0.05;          // [m/s] below it the wheel has stopped
};

/// Throws std::invalid_argument for invalid numbers; mu is also checked during the run.
void check(const WheelScenario& scenario);

struct WheelRunOptions {
  WheelLaw law = WheelLaw::kRelaxed;
  integrate::IntegratorOptions integrator = {};
  double sample_interval = 0.01;  // [s]
  /// Keeps an account of the work done (two more states) and of when slips start and end. Not
  /// needed to time the law alone.
  bool accounts = true;
};
/// Implicit for the laws that are stiff while sticking, explicit for the others.
integrate::IntegratorOptions choose_integrator(WheelLaw law, double tolerance);

/// The state (x, v, slip) of a smooth law, with its exact Jacobian. A slip below stick_slip that
/// the contact can hold is removed at the end of a step by the impulse that the contact would apply
/// (0: never), so that explicit methods need not resolve its decay. The Ode refers to the scenario.
integrate::Ode make_wheel_ode(const WheelScenario& scenario, WheelLaw law, double stick_slip);

struct WheelSample {
  double time = 0;                                // [s]
  double distance = 0, speed = 0, rim_speed = 0;  // x, x', R theta' [m], [m/s]
  WheelInputs inputs = {};
  double force = 0, holding = 0, limit = 0;  // [N]
  double relaxation = 0;                     // s
  double contact_power = 0;                  // [W]
  double kinetic_energy = 0;                 // [J]
  double energy_error = 0;                   // change of it minus all work done [J]
};

struct SlipSpan {
  double begin = 0, end = 0;  // [s]; at the latest the end of the run
};

struct WheelRun {
  integrate::StepResult result;
  integrate::Statistics statistics;  // of all intervals
  std::vector<WheelSample> samples;
  std::vector<SlipSpan> slips;  // of kRelaxed and kEvents
  struct Stop {
    double time = 0, distance = 0;  // after brake_from [s], [m]
  };
  std::optional<Stop> stop;
  // Over all samples:
  double largest_slip = 0, largest_slip_time = 0;  // |R theta' - x'| [m/s], [s]
  double largest_contact_power = 0;                // [W] above zero the ground drives the wheel
  double largest_force_share = 0;                  // |force| / (mu N)
  double energy_error = 0;                         // over the largest kinetic energy or work
};

/// A wheel, advanced in time.
class WheelRunner {
 public:
  /// At t = 0, with the first sample. Throws std::invalid_argument for invalid input.
  WheelRunner(WheelScenario scenario, const WheelRunOptions& options);
  ~WheelRunner();
  WheelRunner(WheelRunner&&) noexcept;
  WheelRunner(const WheelRunner&) = delete;
  WheelRunner& operator=(const WheelRunner&) = delete;

  const WheelScenario& scenario() const;
  /// To the next sample, unless it is done.
  void advance();
  /// Ends the run here.
  void stop();
  /// Whether it has reached the duration, failed or was stopped. Then the results are complete.
  bool is_done() const;
  const WheelRun& run() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Runs from 0 to the duration. Failures of the integrator are in the result; invalid input throws
/// std::invalid_argument.
WheelRun run_wheel(const WheelScenario& scenario, const WheelRunOptions& options);

}  // namespace camber::rolling_wheel
