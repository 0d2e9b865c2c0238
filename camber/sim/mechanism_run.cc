#include "camber/sim/mechanism_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "camber/core/require.h"
#include "camber/integrate/fixed_step.h"
#include "camber/integrate/integrator.h"

namespace camber::sim {
namespace {

using integrate::CoordinateBlock;
using integrate::FixedStep;
using integrate::StepResult;
using multibody::Formulation;
using multibody::LinkKind;
using multibody::MechanismDynamics;
using multibody::Observation;
using multibody::Stabilization;

// Adaptive steps that together go no farther than this share of the run are its end.
constexpr long kManySteps = 100'000;
constexpr double kNoProgress = 1e-7;

// A failed run ends with a state whose kinetic and elastic energy are at most this many times what
// its samples have; more is the failure itself.
constexpr double kAbsurd = 1e4;

// A step whose speeds are off by a tenth, which is this share of the kinetic energy, has not
// followed the motion: what comes out of it may have any energy.
constexpr double kLargestLoss = 0.01;

struct NamedMethod {
  RunMethod method;
  const char* name;
};
constexpr NamedMethod kMethods[] = {
    {RunMethod::kRk4, "rk4"},     {RunMethod::kEuler, "euler"}, {RunMethod::kMidpoint, "midpoint"},
    {RunMethod::kDopri, "dopri"}, {RunMethod::kAdams, "adams"}, {RunMethod::kBdf, "bdf"},
};

CoordinateBlock::Kind block_kind(LinkKind kind) {
  switch (kind) {
    case LinkKind::kSpherical:
      return CoordinateBlock::Kind::kQuaternion;
    case LinkKind::kFree:
      return CoordinateBlock::Kind::kPose;
    default:
      return CoordinateBlock::Kind::kVector;
  }
}

/// A state on its way through time, and how to go on from it.
class Motion {
 public:
  explicit Motion(const SteppedState& state) : q_(state.q), v_(state.v) {}
  virtual ~Motion() = default;

  /// Goes to `end`, which is a sample; stops earlier where `go_on` says so or it fails. The state
  /// is the last good one.
  virtual StepResult advance(double end, const std::function<bool(double)>& go_on) = 0;
  virtual integrate::Statistics statistics() const = 0;

  double time() const { return time_; }
  std::span<const double> q() const { return q_; }
  std::span<const double> v() const { return v_; }

 protected:
  double time_ = 0;  // [s]
  std::vector<double> q_, v_;
};

class FixedMotion : public Motion {
 public:
  FixedMotion(const SteppedState& state, FixedStep method, double step)
      : Motion(state), stepper_(state.system, method), step_(step) {}

  StepResult advance(double end, const std::function<bool(double)>& go_on) override {
    const double begin = time_;
    const auto count = static_cast<long>(std::ceil((end - begin) / step_ * (1 - 1e-12)));
    StepResult result;
    for (long i = 1; i <= count; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(count);
      const double next = i == count ? end : begin + (end - begin) * share;
      result = stepper_.step(time_, next - time_, q_, v_);
      if (!result.ok()) break;
      time_ = next;
      if (go_on && !go_on(time_)) break;
    }
    return result;
  }
  integrate::Statistics statistics() const override { return stepper_.statistics(); }

 private:
  integrate::FixedStepper stepper_;
  double step_;  // [s]
};

integrate::Statistics sum(const integrate::Statistics& a, const integrate::Statistics& b) {
  return {.steps = a.steps + b.steps,
          .evaluations = a.evaluations + b.evaluations,
          .jacobians = a.jacobians + b.jacobians,
          .rejected = a.rejected + b.rejected};
}

/// Steps by their error, but near a singular configuration: at a change point the accelerations of
/// steps that become shorter and shorter are rounding, which may turn the motion into the other of
/// the two that meet there. So it is passed with steps of rk4, about as long as those before. BDF
/// steps go on, or fail: they may be too long for rk4, and were seen to keep to their motion.
class AdaptiveMotion : public Motion {
 public:
  AdaptiveMotion(const SteppedState& state, const RunOptions& options)
      : Motion(state),
        integrator_(make_integrator(state.system, options)),
        passage_(state.system, FixedStep::kRungeKutta4),
        is_near_singular_(options.method == RunMethod::kBdf ? nullptr : state.is_near_singular),
        x_(q_),
        is_adams_(options.method == RunMethod::kAdams),
        least_progress_(kNoProgress * options.duration) {
    x_.insert(x_.end(), v_.begin(), v_.end());
    integrator_.start(0, x_);
    end_ = x_;
  }

  StepResult advance(double end, const std::function<bool(double)>& go_on) override {
    StepResult result;
    while (reached_ < end) {
      if (!in_passage_ && is_near_) begin_passage();
      result = in_passage_ ? step_through(end) : step_freely();
      if (!result.ok() || (go_on && !go_on(reached_))) {
        if (!in_passage_) take(integrator_.x(), integrator_.time());
        return result;
      }
      if (in_passage_ && !is_near_singular_(q_, v_)) end_passage();
    }
    if (time_ == end) return result;  // behind a passage, or in it
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
        {.method = is_adams                            ? integrate::Method::kAdams
                   : options.method == RunMethod::kBdf ? integrate::Method::kBdf
                                                       : integrate::Method::kRungeKutta,
         .relative_tolerance = options.tolerance,
         .absolute_tolerance = 0.01 * options.tolerance});
  }

  StepResult step_freely() {
    StepResult result = integrator_.step();
    if (!result.ok()) return result;
    reached_ = integrator_.last_step().end;
    usual_step_ = std::max(reached_ - integrator_.last_step().begin, 0.5 * usual_step_);
    check_progress(&result);
    if (!result.ok() || !is_near_singular_) return result;
    std::ranges::copy(integrator_.x(), end_.begin());
    // Steps of Adams' method are not projected, but near a singular configuration they have to be.
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

  // Where a step, or a stage of it, comes to lie all but at the singular point, what rounding makes
  // of it is no motion: two steps of half the length say so. Others do not meet the point.
  StepResult step_through(double end) {
    constexpr double kAgree = 1e-5;  // of the largest speed
    const double left = end - time_;
    StepResult result;
    double least = HUGE_VAL, length = 0;
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
      if (!(difference < least)) continue;
      least = difference;
      length = h;
      next_q_.swap(q2_);
      next_v_.swap(v2_);
      if (least <= kAgree * speed) break;
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
    if (now - progress_ < least_progress_) {
      result->status = integrate::Status::kTooManySteps;
      result->text = concat(to_text(result->status), " at t = ", now, " s: ", kManySteps,
                            " steps brought it only ", now - progress_, " s farther");
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
  std::vector<double> end_;  // of the last free step: the state that it is left with there
  bool is_adams_;
  bool is_near_ = false;     // at the end of the last free step
  double reached_ = 0;       // [s] by steps; samples are behind it
  double usual_step_ = 0;    // [s] the longest of late
  bool in_passage_ = false;  // the state is q_, v_ at time_
  // Of step_through(): after one step, after two halves, and the best of these so far.
  std::vector<double> q1_, v1_, q2_, v2_, next_q_, next_v_;
  integrate::Statistics before_;  // the integrator was started anew
  double least_progress_;         // [s] of kManySteps
  double progress_ = 0;           // [s] where it was kManySteps ago, or less
  long steps_ = 0;
};

std::unique_ptr<Motion> make_motion(const RunOptions& options, const SteppedState& state) {
  const auto fixed = [&](FixedStep method) {
    return std::make_unique<FixedMotion>(state, method, options.step);
  };
  switch (options.method) {
    case RunMethod::kRk4:
      return fixed(FixedStep::kRungeKutta4);
    case RunMethod::kEuler:
      return fixed(FixedStep::kSemiImplicitEuler);
    case RunMethod::kMidpoint:
      return fixed(FixedStep::kMidpoint);
    default:
      return std::make_unique<AdaptiveMotion>(state, options);
  }
}

void check(const RunOptions& options, const MechanismDynamics& dynamics) {
  const auto positive = [](double x, const char* what, const char* unit) {
    require(std::isfinite(x) && x > 0, "run: ", what, " must be > 0", unit, ", got ", x);
  };
  positive(options.duration, "duration", " s");
  positive(options.sample_interval, "sample interval", " s");
  if (has_fixed_steps(options.method)) {
    positive(options.step, "step", " s");
  } else {
    positive(options.tolerance, "tolerance", "");
  }
  const double samples = options.duration / options.sample_interval;
  require(samples <= static_cast<double>(options.max_samples), "run: ", samples, " samples of ",
          options.sample_interval, " s, at most ", options.max_samples);
  require(dynamics.nv() > 0, "mechanism \"", dynamics.tree().mechanism.name,
          "\" has no joint that moves");
}

/// The state of the dynamics itself.
SteppedState own_state(MechanismDynamics* dynamics) {
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

/// Energies of all samples so far.
struct EnergyRange {
  double gravity = 0;  // [J] of the last one
  double largest = 0;  // kinetic and elastic [J]
  void take(const Observation& o) {
    gravity = o.gravity_energy;
    largest = std::max(largest, o.kinetic_energy + o.elastic_energy);
  }
};

/// Whether a state can be the last good one, after others that are.
bool is_good(const Observation& o, const EnergyRange& before) {
  const auto finite = [](double x) { return std::isfinite(x); };
  const double energy = o.kinetic_energy + o.elastic_energy;
  if (!finite(energy) || !finite(o.gravity_energy) || !std::ranges::all_of(o.poses, finite))
    return false;
  const double expected = before.largest + std::abs(o.gravity_energy - before.gravity);
  return expected == 0 || energy <= kAbsurd * expected;  // from rest there is no yardstick
}

/// Keeps the figures of the result while samples come.
void gather(double t, const Observation& o, RunResult* result) {
  const auto grow = [](double x, double* largest) {
    if (x > *largest) *largest = x;  // false for NaN
  };
  const double energy = o.kinetic_energy + o.gravity_energy + o.elastic_energy;
  grow(o.position_error, &result->position_error);
  grow(o.speed_error, &result->speed_error);
  if (result->samples == 0) result->first_energy = energy;
  if (std::isfinite(energy)) result->last_energy = energy;
  grow(std::abs(energy - result->first_energy), &result->energy_drift);
  if (energy - result->first_energy > result->energy_gain) {
    result->energy_gain = energy - result->first_energy;
    result->time_of_gain = t;
  }
  grow(o.kinetic_energy, &result->energy_scale);
  ++result->samples;
}

}  // namespace

const char* to_text(RunMethod method) {
  for (const NamedMethod& named : kMethods) {
    if (named.method == method) return named.name;
  }
  return "";
}

std::optional<RunMethod> find_run_method(std::string_view name) {
  for (const NamedMethod& named : kMethods) {
    if (named.name == name) return named.method;
  }
  return {};
}

bool has_fixed_steps(RunMethod method) {
  return method == RunMethod::kRk4 || method == RunMethod::kEuler || method == RunMethod::kMidpoint;
}

const char* to_text(RunStatus status) {
  switch (status) {
    case RunStatus::kDone:
      return "done";
    case RunStatus::kStopped:
      return "stopped";
    case RunStatus::kFailed:
      return "failed";
  }
  return "";
}

Stabilization choose_stabilization(RunMethod method, Formulation formulation,
                                   const std::optional<Stabilization>& wanted) {
  const bool needs_it = method == RunMethod::kAdams && formulation != Formulation::kCe;
  if (!wanted) {
    return {.kind = needs_it ? Stabilization::Kind::kBaumgarte : Stabilization::Kind::kProjection};
  }
  require(!needs_it || wanted->kind != Stabilization::Kind::kProjection,
          "adams steps cannot be projected on the constraints of ", to_text(formulation),
          ": take stabilization baumgarte, another method, or ce");
  return *wanted;
}

integrate::MechanicalSystem make_mechanical_system(MechanismDynamics* dynamics) {
  const multibody::Model<double>& model = dynamics->model();
  integrate::MechanicalSystem system;
  system.nq = model.nq;
  system.nv = model.nv;
  for (const auto& link : model.links) {
    if (link.nv == 0) continue;  // the world
    system.blocks.push_back(
        {.kind = block_kind(link.kind), .q_start = link.q_start, .v_start = link.v_start});
  }
  system.accelerations = [dynamics](double t, std::span<const double> q, std::span<const double> v,
                                    std::span<double> v_dot) {
    return dynamics->calc_accelerations(t, q, v, v_dot);
  };
  system.jacobian = [dynamics](double t, std::span<const double> q, std::span<const double> v,
                               std::span<double> J) { return dynamics->calc_jacobian(t, q, v, J); };
  const auto refused = std::make_shared<std::string>();
  system.project = [dynamics, refused](double t, std::span<double> q, std::span<double> v) {
    refused->clear();
    if (!dynamics->project(t, q, v)) return false;
    if (dynamics->last_loss() <= kLargestLoss) return true;
    *refused = MechanismDynamics::describe_loss(dynamics->last_loss(), t);
    return false;
  };
  system.why = [dynamics, refused] { return refused->empty() ? dynamics->why() : *refused; };
  const CoordinateNames names = name_coordinates(*dynamics);
  system.names = names.q;
  for (const std::string& name : names.v) system.names.push_back("speed of " + name);
  return system;
}

CoordinateNames name_coordinates(const MechanismDynamics& dynamics) {
  CoordinateNames names;
  names.q = dynamics.coordinates().q_names;
  names.v = dynamics.coordinates().v_names;
  names.q_units.assign(names.q.size(), "rad");
  names.v_units.assign(names.v.size(), "rad/s");
  names.v_dot_units.assign(names.v.size(), "rad/s^2");
  const auto is_length = [&](int v) {
    names.v_units[v] = "m/s";
    names.v_dot_units[v] = "m/s^2";
  };
  for (const auto& link : dynamics.model().links) {
    const int q = link.q_start, v = link.v_start;
    if (link.kind == LinkKind::kPrismatic && link.nv > 0) {
      names.q_units[q] = "m";
      is_length(v);
    }
    if (link.kind == LinkKind::kSpherical || link.kind == LinkKind::kFree) {
      for (int i = 0; i < 4; ++i) names.q_units[q + i] = "1";
    }
    if (link.kind == LinkKind::kFree) {
      for (int i = 0; i < 3; ++i) {
        names.q_units[q + 4 + i] = "m";
        is_length(v + 3 + i);
      }
    }
  }
  return names;
}

bool is_conservative(const MechanismDynamics& dynamics) {
  const multibody::Model<double>& model = dynamics.tree().model;
  const auto works = [](const auto& axis) {
    return axis.damping != 0 || axis.friction != 0 || axis.force != 0 ||
           ((axis.has_lower || axis.has_upper) && axis.stop_damping != 0);
  };
  const auto damps = [](const auto& spring) {
    return spring.damping != 0 || !spring.damper_x.empty();
  };
  const auto damps_softly = [](const auto& bushing) {
    return std::any_of(&bushing.damping[0][0], &bushing.damping[0][0] + 36,
                       [](double c) { return c != 0; });
  };
  return dynamics.tree().relaxed.empty() && std::ranges::none_of(model.axes, works) &&
         std::ranges::none_of(model.springs, damps) &&
         std::ranges::none_of(model.contacts, [](const auto& c) { return c.damping != 0; }) &&
         std::ranges::none_of(model.bushings, damps_softly) && model.wrenches.empty() &&
         std::ranges::none_of(model.links, [](const auto& link) { return link.is_driven; });
}

std::vector<std::string> find_warnings(const RunOptions& options, const MechanismDynamics& dynamics,
                                       const RunResult& result) {
  std::vector<std::string> warnings;
  if (!dynamics.warning().empty()) warnings.push_back(dynamics.warning());
  // A share of the largest kinetic energy; methods of low order swing by more, without fault.
  const bool is_coarse =
      options.method == RunMethod::kEuler || options.method == RunMethod::kMidpoint;
  const double limit = is_coarse ? 0.05 : 1e-3;
  if (result.energy_gain > limit * result.energy_scale && is_conservative(dynamics)) {
    warnings.push_back(concat("the energy, which nothing feeds, rose by ", result.energy_gain,
                              " J until t = ", result.time_of_gain,
                              " s, with a kinetic energy of at most ", result.energy_scale,
                              " J: steps are too long, or a singular configuration was passed"));
  }
  return warnings;
}

RunResult run_mechanism(const RunOptions& options, MechanismDynamics* dynamics,
                        const RunObserver& observer, const SteppedState* stepped) {
  check(options, *dynamics);
  const auto wall_start = std::chrono::steady_clock::now();
  RunResult result;
  const SteppedState state = stepped != nullptr ? *stepped : own_state(dynamics);
  const std::unique_ptr<Motion> motion = make_motion(options, state);
  std::vector<double> q(static_cast<std::size_t>(dynamics->nq())),
      v(static_cast<std::size_t>(dynamics->nv()));
  if (has_fixed_steps(options.method)) {
    const double interval = std::min(options.sample_interval, options.duration);
    result.step = interval / std::ceil(interval / options.step * (1 - 1e-12));
  }
  Observation observation;
  EnergyRange energies;
  const auto take_sample = [&] {
    state.to_seen(motion->q(), motion->v(), q, v);
    const bool is_known = dynamics->observe(motion->time(), q, v, &observation);
    if (!is_known) {
      result.status = RunStatus::kFailed;
      if (result.reason.empty()) result.reason = dynamics->why();
    }
    const bool is_open = observation.position_error > options.max_position_error;
    if (is_known && is_open) {
      result.status = RunStatus::kFailed;
      result.reason =
          concat("the loops are open by ", observation.position_error, " at t = ", motion->time(),
                 " s: equations that are left out as redundant are not",
                 " met any more, or the stabilization is too weak");
    }
    // Of a failed run the sample before may be the last good state.
    if (result.status == RunStatus::kFailed && result.samples > 0 &&
        (is_open || !is_good(observation, energies)))
      return;
    gather(motion->time(), observation, &result);
    energies.take(observation);
    result.time = motion->time();
    if (observer.sample) observer.sample(motion->time(), observation);
  };

  bool is_stopped = false;
  const auto go_on = [&](double t) {
    is_stopped = is_stopped || (observer.go_on && !observer.go_on(t));
    return !is_stopped;
  };
  take_sample();
  const auto intervals =
      static_cast<long>(std::ceil(options.duration / options.sample_interval * (1 - 1e-12)));
  for (long i = 1; i <= intervals && result.status == RunStatus::kDone && !is_stopped; ++i) {
    const double end =
        i == intervals ? options.duration : static_cast<double>(i) * options.sample_interval;
    const StepResult step = motion->advance(end, go_on);
    if (!step.ok()) {
      result.status = RunStatus::kFailed;
      result.reason = step.text;
    }
    if (motion->time() > result.time) take_sample();
  }
  if (is_stopped && result.status == RunStatus::kDone && result.time < options.duration)
    result.status = RunStatus::kStopped;
  result.statistics = motion->statistics();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;
  result.wall_time = wall.count();
  return result;
}

}  // namespace camber::sim
