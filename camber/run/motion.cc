#include "camber/run/motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/integrate/fixed_step.h"
#include "camber/integrate/integrator.h"
#include "camber/run/mechanical_system.h"

namespace camber::run {
namespace {

using integrate::FixedStep;
using integrate::StepResult;

// Adaptive steps that together advance by less than this share of the run end it.
constexpr long kManySteps = 100'000;
constexpr double kNoProgress = 1e-7;

class FixedMotion : public Motion {
 public:
  FixedMotion(const SteppedState& state, FixedStep method, double step)
      : Motion(state),
        watch_(std::make_unique<integrate::StepWatch>(method, state.system.nv)),
        stepper_(watched(state.system, watch_.get()), method),
        step_(step) {}

  StepResult advance(double end, long max_steps) override {
    if (end != end_) {
      begin_ = time_;
      end_ = end;
      done_ = 0;
      count_ = static_cast<long>(std::ceil((end - begin_) / step_ * (1 - 1e-12)));
    }
    StepResult result;
    for (long i = 0; i < max_steps && done_ < count_; ++i) {
      const double share = static_cast<double>(done_ + 1) / static_cast<double>(count_);
      const double next = done_ + 1 == count_ ? end : begin_ + (end - begin_) * share;
      watch_->begin(next - time_);
      result = stepper_.step(time_, next - time_, q_, v_);
      if (!result.ok()) break;
      watch_->end(v_);
      time_ = next;
      ++done_;
    }
    return result;
  }
  integrate::Statistics statistics() const override { return stepper_.statistics(); }
  std::optional<integrate::StepWatch::Finding> doubt() const override {
    if (!watch_->is_doubtful()) return {};
    return watch_->finding();
  }

 private:
  /// The same system, whose rates the watch sees.
  static integrate::MechanicalSystem watched(integrate::MechanicalSystem system,
                                             integrate::StepWatch* watch) {
    system.accelerations = [rates = std::move(system.accelerations), watch](
                               double t, std::span<const double> q, std::span<const double> v,
                               std::span<double> v_dot) {
      if (!rates(t, q, v, v_dot)) return false;
      watch->take(v_dot);
      return true;
    };
    return system;
  }

  std::unique_ptr<integrate::StepWatch> watch_;  // its address is in the stepper's system
  integrate::FixedStepper stepper_;
  double step_;                 // [s] max
  double begin_ = 0, end_ = 0;  // [s] of the interval that equal steps divide
  long count_ = 0, done_ = 0;   // steps of it
};

integrate::Statistics sum(const integrate::Statistics& a, const integrate::Statistics& b) {
  return {.steps = a.steps + b.steps,
          .evaluations = a.evaluations + b.evaluations,
          .jacobians = a.jacobians + b.jacobians,
          .rejected = a.rejected + b.rejected};
}

/// Adaptive steps, except near a singular configuration. There the steps become shorter and shorter
/// until the accelerations consist of rounding, which may lead from one to the other of the two
/// motions that meet at a change point. So it is passed with steps of rk4, about as long as those
/// before. BDF steps continue, or fail: they may be too long for rk4, and in tests they kept to
/// their motion.
class AdaptiveMotion : public Motion {
 public:
  AdaptiveMotion(const SteppedState& state, const RunOptions& options)
      : Motion(state),
        integrator_(make_integrator(state.system, options)),
        passage_(state.system, FixedStep::kRungeKutta4),
        is_near_singular_(options.method == RunMethod::kBdf ? nullptr : state.is_near_singular),
        x_(q_),
        is_adams_(options.method == RunMethod::kAdams),
        min_progress_(kNoProgress * options.duration) {
    x_.insert(x_.end(), v_.begin(), v_.end());
    integrator_.start(0, x_);
    end_ = x_;
  }

  StepResult advance(double end, long max_steps) override {
    StepResult result;
    for (long i = 0; reached_ < end; ++i) {
      if (i == max_steps) {
        if (!in_passage_) take(integrator_.x(), reached_);
        return result;
      }
      if (!in_passage_ && is_near_) begin_passage();
      result = in_passage_ ? step_through(end) : step_freely();
      if (!result.ok()) {
        if (!in_passage_) take(integrator_.x(), integrator_.time());
        return result;
      }
      if (in_passage_ && !is_near_singular_(q_, v_)) end_passage();
    }
    if (time_ == end) return result;  // after a passage, or in it
    if (!integrator_.interpolate(end, x_) || (is_near_ && is_adams_ && !project(end, x_))) {
      result.status = integrate::Status::kProjectionFailed;
      result.text = concat("no state that meets the constraints was found at t = ", end, " s");
      return result;
    }
    take(x_, end);
    return result;
  }

  integrate::Statistics statistics() const override {
    return sum(sum(before_, integrator_.statistics()), passage_.statistics());
  }

 private:
  static integrate::Integrator make_integrator(integrate::MechanicalSystem system,
                                               const RunOptions& options) {
    const bool is_adams = options.method == RunMethod::kAdams;
    if (is_adams) system.project = {};
    return integrate::Integrator(
        make_ode(std::move(system), is_adams ? integrate::QuaternionNorm::kStabilized
                                             : integrate::QuaternionNorm::kProjected),
        make_integrator_options(options, "an adaptive motion"));
  }

  StepResult step_freely() {
    StepResult result = integrator_.step();
    if (!result.ok()) return result;
    reached_ = integrator_.last_step().end;
    usual_step_ = std::max(reached_ - integrator_.last_step().begin, 0.5 * usual_step_);
    check_progress(&result);
    if (!result.ok() || !is_near_singular_) return result;
    std::ranges::copy(integrator_.x(), end_.begin());
    // Steps of Adams' method are not projected, but near a singular configuration they must be.
    const bool is_met = !is_adams_ || project(reached_, end_);
    const std::span<const double> end(end_);
    is_near_ = is_met && is_near_singular_(end.first(q_.size()), end.subspan(q_.size()));
    return result;
  }

  bool project(double t, std::span<double> x) {
    return passage_.system().project(t, x.first(q_.size()), x.subspan(q_.size()));
  }

  void begin_passage() {
    take(end_, reached_);
    in_passage_ = true;
  }

  // A step, or a stage of it, that ends almost exactly at the singular point gives a result of
  // rounding, not a motion: two steps of half the length then disagree with it. Steps of another
  // length do not meet the point.
  StepResult step_through(double end) {
    constexpr double kAgree = 1e-5;  // of the largest speed
    const double left = end - time_;
    StepResult result;
    double min_difference = HUGE_VAL, length = 0;
    for (const double share : {1.0, 0.62, 0.41, 0.27}) {
      const double h = left / std::ceil(left / (share * usual_step_));
      q1_ = q2_ = q_;
      v1_ = v2_ = v_;
      result = passage_.step(time_, h, q1_, v1_);
      if (result.ok()) result = passage_.step(time_, 0.5 * h, q2_, v2_);
      if (result.ok()) result = passage_.step(time_ + 0.5 * h, 0.5 * h, q2_, v2_);
      if (!result.ok()) continue;
      double speed = 0, difference = 0;
      for (std::size_t k = 0; k < v_.size(); ++k) {
        speed = std::max(speed, std::abs(v2_[k]));
        difference = std::max(difference, std::abs(v1_[k] - v2_[k]));
      }
      if (!(difference < min_difference)) continue;
      min_difference = difference;
      length = h;
      next_q_.swap(q2_);
      next_v_.swap(v2_);
      if (min_difference <= kAgree * speed) break;
    }
    if (length == 0) return result;
    q_.swap(next_q_);
    v_.swap(next_v_);
    time_ = reached_ = length < left ? time_ + length : end;
    return {};
  }

  void end_passage() {
    std::ranges::copy(q_, x_.begin());
    std::ranges::copy(v_, x_.begin() + static_cast<std::ptrdiff_t>(q_.size()));
    before_ = sum(before_, integrator_.statistics());
    integrator_.start(time_, x_);
    in_passage_ = is_near_ = false;
  }

  void check_progress(StepResult* result) {
    if (++steps_ % kManySteps != 0) return;
    const double now = integrator_.time();
    if (now - progress_ < min_progress_) {
      result->status = integrate::Status::kTooManySteps;
      result->text = concat(to_text(result->status), " at t = ", now, " s: ", kManySteps,
                            " steps advanced it by only ", now - progress_, " s");
    }
    progress_ = now;
  }

  void take(std::span<const double> x, double time) {
    time_ = time;
    std::ranges::copy(x.first(q_.size()), q_.begin());
    std::ranges::copy(x.subspan(q_.size()), v_.begin());
  }

  integrate::Integrator integrator_;
  integrate::FixedStepper passage_;
  std::function<bool(std::span<const double>, std::span<const double>)> is_near_singular_;
  std::vector<double> x_;
  std::vector<double> end_;  // state at the end of the last free step
  bool is_adams_;
  bool is_near_ = false;     // at the end of the last free step
  double reached_ = 0;       // [s] by steps; samples lie before it
  double usual_step_ = 0;    // [s] the longest of the recent ones
  bool in_passage_ = false;  // the state is q_, v_ at time_
  // States in step_through(): after one step, after two halves, and the best of these so far.
  std::vector<double> q1_, v1_, q2_, v2_, next_q_, next_v_;
  integrate::Statistics before_;  // before the integrator was restarted
  double min_progress_;           // [s] of kManySteps
  double progress_ = 0;           // [s] its time at most kManySteps ago
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<Motion> make_motion(const RunOptions& options, const SteppedState& state) {
  if (const std::optional<FixedStep> method = to_fixed_step(options.method))
    return std::make_unique<FixedMotion>(state, *method, options.step);
  return std::make_unique<AdaptiveMotion>(state, options);
}

SteppedState make_stepped_state(multibody::MechanismDynamics* dynamics) {
  return {.system = make_mechanical_system(dynamics),
          .q = {dynamics->initial_q().begin(), dynamics->initial_q().end()},
          .v = {dynamics->initial_v().begin(), dynamics->initial_v().end()},
          .to_seen =
              [](std::span<const double> q, std::span<const double> v, std::span<double> seen_q,
                 std::span<double> seen_v) {
                std::ranges::copy(q, seen_q.begin());
                std::ranges::copy(v, seen_v.begin());
              },
          .is_near_singular =
              [dynamics](std::span<const double> q, std::span<const double> v) {
                return dynamics->is_near_singular(q, v);
              }};
}

}  // namespace camber::run
