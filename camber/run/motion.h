#pragma once

// The state of a mechanism, advanced in time with fixed or adaptive steps.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "camber/integrate/mechanical_system.h"
#include "camber/integrate/step_result.h"
#include "camber/integrate/step_watch.h"
#include "camber/multibody/dynamics.h"
#include "camber/run/run_options.h"

namespace camber::run {

/// The stepped system, and its relation to the dynamics of a mechanism.
struct SteppedState {
  integrate::MechanicalSystem system;
  std::vector<double> q, v;  // at the start
  /// The same state in coordinates of the dynamics.
  std::function<void(std::span<const double> q, std::span<const double> v, std::span<double> seen_q,
                     std::span<double> seen_v)>
      to_seen;
  /// Whether it is near a singular configuration; empty: it never is.
  std::function<bool(std::span<const double> q, std::span<const double> v)> is_near_singular = {};
};

/// The state of the dynamics itself, to which it keeps a pointer.
SteppedState make_stepped_state(multibody::MechanismDynamics* dynamics);

class Motion {
 public:
  virtual ~Motion() = default;

  /// Runs toward `end`, at most `max_steps` steps; time() says whether it has arrived. After a
  /// failure the state is the last good one. The number of calls until an end does not change the
  /// state there.
  virtual integrate::StepResult advance(double end, long max_steps) = 0;
  virtual integrate::Statistics statistics() const = 0;
  /// Warning if the errors of fixed steps make the motion doubtful; else empty.
  virtual std::optional<integrate::StepWatch::Finding> doubt() const { return {}; }

  double time() const { return time_; }  // [s]
  std::span<const double> q() const { return q_; }
  std::span<const double> v() const { return v_; }

 protected:
  explicit Motion(const SteppedState& state) : q_(state.q), v_(state.v) {}

  double time_ = 0;  // [s]
  std::vector<double> q_, v_;
};

/// From t = 0, with the method and the step or tolerance of the options.
std::unique_ptr<Motion> make_motion(const RunOptions& options, const SteppedState& state);

}  // namespace camber::run
