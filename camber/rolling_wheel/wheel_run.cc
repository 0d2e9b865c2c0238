#include "camber/rolling_wheel/wheel_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "camber/core/require.h"

namespace camber::rolling_wheel {
namespace {

using integrate::Event;
using integrate::Integrator;
using integrate::Ode;
using integrate::Status;
using Derivative = math::Dual<2>;

// The state, followed by the work done if the run keeps an energy account.
enum { kX, kV, kSlip, kStateSize, kLoadWork = kStateSize, kContactWork, kRunSize };

constexpr int kMaxSwitches = 10'000;
constexpr double kOpen = -1;  // the end of a slip that has not ended

/// The equations of one scenario under one law; for kEvents, in the current mode.
class WheelSystem {
 public:
  WheelSystem(const WheelScenario& scenario, WheelLaw law, bool counts_work)
      : scenario_(scenario), law_(law), counts_work_(counts_work) {}

  WheelMode mode = WheelMode::kStick;

  template <class T>
  WheelRates<T> rates(double t, const T& v, const T& slip) const {
    return calc_wheel_rates(scenario_.wheel, scenario_.schedule(t), law_, mode, v, slip);
  }

  void calc(double t, std::span<const double> x, std::span<double> x_dot) const {
    const WheelRates<double> r = rates(t, x[kV], x[kSlip]);
    x_dot[kX] = x[kV];
    x_dot[kV] = r.v_dot;
    x_dot[kSlip] = sticks() ? 0.0 : r.slip_dot;
    if (!counts_work_) return;
    x_dot[kLoadWork] = r.load_power;
    x_dot[kContactWork] = r.contact_power;
  }

  void calc_jacobian(double t, std::span<const double> x, std::span<double> J) const {
    const auto r = rates(t, Derivative::variable(x[kV], 0), Derivative::variable(x[kSlip], 1));
    std::ranges::fill(J, 0.0);
    const auto n = static_cast<std::size_t>(counts_work_ ? kRunSize : kStateSize);
    J[kV * n + kX] = 1;
    for (int i = 0; i < 2; ++i) {
      const std::size_t column = (i == 0 ? kV : kSlip) * n;
      J[column + kV] = r.v_dot.partial(i);
      J[column + kSlip] = sticks() ? 0.0 : r.slip_dot.partial(i);
      if (!counts_work_) continue;
      J[column + kLoadWork] = r.load_power.partial(i);
      J[column + kContactWork] = r.contact_power.partial(i);
    }
  }

  /// The rest of a slip that the contact can hold decays so quickly that nothing else changes
  /// meanwhile. Its impulse is known, and so is the energy that it dissipates.
  void take_away_slip(double t, double stick_slip, std::span<double> x) const {
    if (x[kSlip] == 0 || std::abs(x[kSlip]) > stick_slip) return;
    const WheelRates<double> r = rates(t, x[kV], 0.0);
    if (std::abs(r.holding) > (1 - 1e-6) * r.limit) return;  // about to slip, or slipping
    const double impulse = -x[kSlip] / slip_mobility(scenario_.wheel);
    if (counts_work_) x[kContactWork] += 0.5 * impulse * x[kSlip];
    x[kV] += impulse / scenario_.wheel.mass;
    x[kSlip] = 0;
  }

  /// The next mode of a contact whose slip is zero at this moment.
  WheelMode mode_without_slip(double t, double v) const {
    const WheelRates<double> r = rates(t, v, 0.0);
    return std::abs(r.holding) <= r.limit ? WheelMode::kStick : slip_direction(t, v);
  }
  WheelMode slip_direction(double t, double v) const {
    return rates(t, v, 0.0).holding > 0 ? WheelMode::kBackward : WheelMode::kForward;
  }

  Ode make_ode(double stick_slip) const {
    Ode ode{.size = counts_work_ ? kRunSize : kStateSize,
            .f =
                [this](double t, std::span<const double> x, std::span<double> x_dot) {
                  calc(t, x, x_dot);
                  return true;
                },
            .jacobian =
                [this](double t, std::span<const double> x, std::span<double> J) {
                  calc_jacobian(t, x, J);
                  return true;
                },
            .names = {"x", "x'", "slip"}};
    if (counts_work_) ode.names.insert(ode.names.end(), {"work of loads", "work of contact"});
    if (law_ == WheelLaw::kRelaxed && stick_slip > 0) {
      ode.project = [this, stick_slip](double t, std::span<double> x) {
        take_away_slip(t, stick_slip, x);
        return true;
      };
    }
    return ode;
  }

  /// An event function that falls through zero when the contact starts or stops slipping.
  double calc_switch(double t, std::span<const double> x) const {
    if (law_ == WheelLaw::kEvents && mode == WheelMode::kForward) return x[kSlip];
    if (law_ == WheelLaw::kEvents && mode == WheelMode::kBackward) return -x[kSlip];
    const WheelRates<double> r = rates(t, x[kV], x[kSlip]);
    return r.limit - std::abs(r.needed);
  }

 private:
  bool sticks() const { return law_ == WheelLaw::kEvents && mode == WheelMode::kStick; }

  const WheelScenario& scenario_;
  WheelLaw law_;
  bool counts_work_;
};

}  // namespace

/// One run: the integration intervals between switches, and the samples.
class WheelRunner::State {
 public:
  State(WheelScenario scenario, const WheelRunOptions& options)
      : scenario_(std::move(scenario)),
        options_(options),
        restarts_(options.law == WheelLaw::kRelaxed &&
                  options.integrator.method != integrate::Method::kRungeKutta),
        system_(scenario_, options.law, options.accounts),
        integrator_(make_ode(), options.integrator) {
    x_[kV] = scenario_.speed;
    x_[kSlip] = scenario_.speed - scenario_.rim_speed;
    first_energy_ = kinetic_energy(x_[kV], x_[kSlip]);
    if (x_[kSlip] == 0) {
      system_.mode = system_.mode_without_slip(0, x_[kV]);
    } else {
      system_.mode = x_[kSlip] > 0 ? WheelMode::kForward : WheelMode::kBackward;
    }
    note_slip(0, is_slipping(0));
    integrator_.start(0, state());
    add_sample(0);
    intervals_ = static_cast<long>(std::ceil(scenario_.duration / options_.sample_interval - 1e-9));
  }
  State(const State&) = delete;  // the equations refer to the scenario
  State& operator=(const State&) = delete;

  const WheelScenario& scenario() const { return scenario_; }
  WheelRun& run() { return run_; }
  bool is_done() const { return is_done_; }

  /// To the next sample.
  void advance() {
    if (is_done_) return;
    ++interval_;
    advance_to(interval_ == intervals_ ? scenario_.duration
                                       : static_cast<double>(interval_) * options_.sample_interval);
    if (interval_ == intervals_ || !run_.result.ok()) finish();
  }

  void finish() {
    if (std::exchange(is_done_, true)) return;
    add_statistics();
    if (run_.result.status == Status::kEvent) run_.result.status = Status::kDone;
    note_slip(time(), false);
    if (energy_scale_ > 0) run_.energy_error /= energy_scale_;
  }

 private:
  enum { kSwitch, kStop };

  Ode make_ode() {
    Ode ode = system_.make_ode(restarts_ ? 0 : stick_slip());
    const bool has_events = options_.law == WheelLaw::kEvents;
    if (!has_events && !options_.accounts) return ode;
    const bool has_switch = has_events || options_.law == WheelLaw::kRelaxed;
    ode.events = {
        Event{.name = "switch",
              .g =
                  [this, has_switch](double t, std::span<const double> x) {
                    return has_switch ? system_.calc_switch(t, x) : 1.0;
                  },
              .direction = has_events ? Event::Direction::kFalling : Event::Direction::kBoth},
        Event{.name = "stop",
              .g =
                  [this](double t, std::span<const double> x) {
                    // A step may extend beyond the end: without a time for braking there is no
                    // stop.
                    return !scenario_.brake_from || t < *scenario_.brake_from
                               ? 1.0
                               : x[kV] - scenario_.stop_speed;
                  },
              .direction = Event::Direction::kFalling}};
    return ode;
  }

  /// Slip below this counts as zero: rounding, or the width over which the law is smoothed.
  double stick_slip() const {
    return std::max(30 * options_.integrator.absolute_tolerance, scenario_.wheel.slip_speed);
  }

  double time() const { return run_.samples.back().time; }

  double kinetic_energy(double v, double slip) const {
    const RollingWheel& wheel = scenario_.wheel;
    const double omega = wheel.locked ? 0 : (v - slip) / wheel.radius;
    return 0.5 * (wheel.mass * v * v + wheel.inertia * omega * omega);
  }

  bool is_slipping(double t) const {
    if (options_.law == WheelLaw::kEvents) return system_.mode != WheelMode::kStick;
    if (options_.law != WheelLaw::kRelaxed) return false;
    return system_.calc_switch(t, x_) < 0;
  }

  bool was_slipping() const { return !run_.slips.empty() && run_.slips.back().end == kOpen; }

  void note_slip(double t, bool slips) {
    if (slips && !was_slipping()) run_.slips.push_back({t, kOpen});
    if (!slips && was_slipping()) run_.slips.back().end = t;
  }

  std::span<const double> state() const {
    return std::span(x_).first(options_.accounts ? kRunSize : kStateSize);
  }
  void take_state() { std::ranges::copy(integrator_.x(), x_.begin()); }

  void advance_to(double t) {
    if (scenario_.brake_from && time() <= *scenario_.brake_from && *scenario_.brake_from < t) {
      if (!reach(*scenario_.brake_from)) return;
      brake_distance_ = x_[kX];
    }
    if (reach(t)) add_sample(t);
  }

  /// Advances through all events.
  bool reach(double t) {
    if (restarts_) return step_to(t);
    while (t > integrator_.time()) {
      run_.result = integrator_.advance_to(t);
      if (!run_.result.ok()) return false;
      take_state();
      if (run_.result.status == Status::kEvent && !pass_event()) return false;
    }
    return true;
  }

  /// Advances step by step: multistep methods restart where a slip has ended, because their history
  /// belongs to the slip.
  bool step_to(double t) {
    while (t > integrator_.time()) {
      take_state();
      const double slip = x_[kSlip];
      system_.take_away_slip(integrator_.time(), stick_slip(), x_);
      if (x_[kSlip] != slip) {
        note_slip(integrator_.time(), false);
        add_statistics();
        integrator_.start(integrator_.time(), state());
      }
      run_.result = integrator_.step();
      if (!run_.result.ok()) return false;
      take_state();
      if (run_.result.status == Status::kEvent && !pass_event()) return false;
    }
    return integrator_.interpolate(t, std::span(x_).first(state().size()));
  }

  bool pass_event() {
    if (run_.result.event != kStop) return pass_switch();
    note_stop();
    return true;
  }

  void note_stop() {
    if (run_.stop) return;
    run_.stop = {integrator_.time() - *scenario_.brake_from, x_[kX] - brake_distance_};
  }

  /// The relaxed law simply continues; the law of events gets its new mode and restarts.
  bool pass_switch() {
    const double t = integrator_.time();
    if (options_.law == WheelLaw::kRelaxed) {
      note_slip(t, !was_slipping());
      return true;
    }
    x_[kSlip] = 0;
    // A contact that has just started to slip needs the full friction force, up to rounding.
    system_.mode = system_.mode == WheelMode::kStick ? system_.slip_direction(t, x_[kV])
                                                     : system_.mode_without_slip(t, x_[kV]);
    note_slip(t, system_.mode != WheelMode::kStick);
    add_statistics();
    if (++switches_ > kMaxSwitches) {
      run_.result.status = Status::kTooManySteps;
      run_.result.text = concat("the contact switched ", switches_, " times up to t = ", t, " s");
      return false;
    }
    integrator_.start(t, state());
    return true;
  }

  void add_sample(double t) {
    const WheelRates<double> r = system_.rates(t, x_[kV], x_[kSlip]);
    const double energy = kinetic_energy(x_[kV], x_[kSlip]);
    const double work = x_[kLoadWork] + x_[kContactWork];
    run_.samples.push_back({.time = t,
                            .distance = x_[kX],
                            .speed = x_[kV],
                            .rim_speed = scenario_.wheel.locked ? 0 : x_[kV] - x_[kSlip],
                            .inputs = scenario_.schedule(t),
                            .force = r.force,
                            .holding = r.holding,
                            .limit = r.limit,
                            .relaxation = r.relaxation,
                            .contact_power = r.contact_power,
                            .kinetic_energy = energy,
                            .energy_error = options_.accounts ? energy - first_energy_ - work : 0});
    const double slip = std::abs(x_[kSlip]);
    if (slip > run_.largest_slip) {
      run_.largest_slip = slip;
      run_.largest_slip_time = t;
    }
    run_.largest_contact_power = std::max(run_.largest_contact_power, r.contact_power);
    if (r.limit > 0) {
      run_.largest_force_share = std::max(run_.largest_force_share, std::abs(r.force) / r.limit);
    }
    energy_scale_ = std::max({energy_scale_, energy, std::abs(x_[kContactWork])});
    run_.energy_error = std::max(run_.energy_error, std::abs(run_.samples.back().energy_error));
  }

  void add_statistics() {
    const integrate::Statistics s = integrator_.statistics();
    run_.statistics.steps += s.steps;
    run_.statistics.evaluations += s.evaluations;
    run_.statistics.jacobians += s.jacobians;
    run_.statistics.rejected += s.rejected;
  }

  WheelScenario scenario_;
  WheelRunOptions options_;
  bool restarts_;
  WheelSystem system_;
  Integrator integrator_;
  std::array<double, kRunSize> x_ = {};
  WheelRun run_;
  int switches_ = 0;
  double first_energy_ = 0, energy_scale_ = 0;
  double brake_distance_ = 0;
  long interval_ = 0, intervals_ = 0;  // between samples: those so far, and all
  bool is_done_ = false;
};

void check(const WheelScenario& scenario) {
  check(scenario.wheel);
  require(static_cast<bool>(scenario.schedule), "rolling wheel: has no schedule");
  require(scenario.duration > 0 && scenario.duration <= 1e9,
          "rolling wheel: duration must be > 0 s, got ", scenario.duration);
  require(!scenario.wheel.locked || scenario.rim_speed == 0,
          "rolling wheel: a locked wheel has no rim_speed, got ", scenario.rim_speed);
  constexpr int kLooks = 1000;
  for (int i = 0; i <= kLooks; ++i) {
    const double t = scenario.duration * i / kLooks;
    const WheelInputs inputs = scenario.schedule(t);
    require(inputs.mu >= 0, "rolling wheel: mu must be >= 0, it is ", inputs.mu, " at t = ", t);
    require(inputs.brake >= 0, "rolling wheel: the brake's torque must be >= 0 N m, it is ",
            inputs.brake, " at t = ", t);
    require(std::isfinite(inputs.drive),
            "rolling wheel: the drive's torque has no value at t = ", t);
  }
}

integrate::IntegratorOptions choose_integrator(WheelLaw law, double tolerance) {
  const bool is_stiff = law == WheelLaw::kRelaxed || law == WheelLaw::kRegularized;
  return {.method = is_stiff ? integrate::Method::kBdf : integrate::Method::kRungeKutta,
          .relative_tolerance = tolerance,
          .absolute_tolerance = 0.01 * tolerance};
}

integrate::Ode make_wheel_ode(const WheelScenario& scenario, WheelLaw law, double stick_slip) {
  require(law != WheelLaw::kEvents, "make_wheel_ode: the law of events is not a single equation");
  const auto system = std::make_shared<WheelSystem>(scenario, law, false);
  Ode ode = system->make_ode(stick_slip);
  ode.why = [system] { return std::string(); };  // keeps it alive
  return ode;
}

WheelRunner::WheelRunner(WheelScenario scenario, const WheelRunOptions& options) {
  check(scenario);
  require(options.sample_interval > 0 && scenario.duration / options.sample_interval <= 1e8,
          "run_wheel: sample interval must be > 0 s and not below a 1e8th of the duration, got ",
          options.sample_interval);
  state_ = std::make_unique<State>(std::move(scenario), options);
}
WheelRunner::~WheelRunner() = default;
WheelRunner::WheelRunner(WheelRunner&&) noexcept = default;

const WheelScenario& WheelRunner::scenario() const { return state_->scenario(); }
const WheelRun& WheelRunner::run() const { return state_->run(); }
bool WheelRunner::is_done() const { return state_->is_done(); }
void WheelRunner::advance() { state_->advance(); }
void WheelRunner::stop() { state_->finish(); }

WheelRun run_wheel(const WheelScenario& scenario, const WheelRunOptions& options) {
  WheelRunner runner(scenario, options);
  while (!runner.is_done()) runner.advance();
  return runner.run();
}

}  // namespace camber::rolling_wheel
