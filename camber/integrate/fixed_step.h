#pragma once

#include <span>
#include <vector>

#include "camber/integrate/mechanical_system.h"
#include "camber/integrate/runge_kutta.h"
#include "camber/integrate/step_result.h"

namespace camber::integrate {

enum class FixedStep {
  /// Speeds first, then positions with the new speeds: order 1, one evaluation. Symplectic if
  /// forces depend on positions only; then its energy error does not grow with time.
  kSemiImplicitEuler,
  /// The midpoint rule: order 2, two evaluations.
  kMidpoint,
  /// Kutta's classical method: order 4, four evaluations.
  kRungeKutta4,
};

/// Steps of the caller's choice: for real time, where each step must cost the same, and as a plain
/// reference for the adaptive methods. Rotations and poses follow the exponential map [Munthe-Kaas
/// 1999]; the order of the method is kept, and quaternions stay unit to rounding. The constructor
/// allocates all memory; no step allocates unless it fails.
class FixedStepper {
 public:
  explicit FixedStepper(MechanicalSystem system, FixedStep method = FixedStep::kRungeKutta4);
  /// x' = f(t, x), where semi-implicit Euler becomes explicit Euler. Events are ignored.
  explicit FixedStepper(Ode ode, FixedStep method = FixedStep::kRungeKutta4);

  const MechanicalSystem& system() const { return system_; }
  const Coordinates& coordinates() const { return coordinates_; }

  /// From t to t + h; q and v hold the state before and after. If a function has no value or a
  /// component becomes infinite or NaN, the state is not changed, the result's time is t and its
  /// component is an index into [q; v].
  StepResult step(double t, double h, std::span<double> q, std::span<double> v);
  /// The last call's step once more with another length, from the state where it started: the rates
  /// there are known and are not evaluated again. The last one counts as rejected. For steps that
  /// turn out to be too long.
  StepResult step_again(double h, std::span<double> q, std::span<double> v);
  /// Whether the mean rate of the last successful step differs so much from the rate at its start
  /// that, over the step, a component of v ends farther than its limit from where that rate led to:
  /// h |mean v' - v'(t)|, half of the step's effect of curvature. Never of semi-implicit Euler,
  /// which has one rate.
  bool bends_beyond(std::span<const double> limits) const;
  /// One step of an Ode.
  StepResult step(double t, double h, std::span<double> x) { return step(t, h, {}, x); }

  /// The state at a time within the last successful step by cubic Hermite interpolation, then
  /// projected; the interpolation error is of order 4 in h. The first call after a step costs one
  /// evaluation of the accelerations at its end: call it before anything changes on which they
  /// depend. Returns false if they or the projection have no value.
  bool interpolate(double t, std::span<double> q, std::span<double> v);
  bool interpolate(double t, std::span<double> x) { return interpolate(t, {}, x); }

  Statistics statistics() const { return statistics_; }  // since construction

 private:
  struct Point : internal::StepPoint<double> {
    double time = 0;  // [s]
  };
  /// Accelerations at a state; if they have no value, returns false and sets bad_component_.
  bool calc_v_dot(double t, std::span<const double> q, std::span<const double> v,
                  std::span<double> v_dot);
  bool step_by_method(double h);
  StepResult try_step(double h, std::span<double> q, std::span<double> v);
  StepResult failure(Status status, double time_of_failure);

  MechanicalSystem system_;
  Coordinates coordinates_;
  FixedStep method_;
  Statistics statistics_;
  Point begin_, end_;  // of the current step
  internal::StepWork<double> work_;
  double failed_at_ = 0;         // [s]
  int bad_component_ = -1;       // of [q; v]
  double h_ = 0;                 // [s] of the last call
  bool has_begin_rate_ = false;  // begin_.v_dot is calculated
  bool has_step_ = false;        // begin_ and end_ are those of a step that succeeded
  bool has_end_rate_ = false;    // end_.v_dot is calculated
};

}  // namespace camber::integrate
