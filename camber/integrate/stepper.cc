#include "camber/integrate/stepper.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "camber/core/require.h"

namespace camber::integrate::internal {
namespace {

int to_sundials(Event::Direction direction) {
  switch (direction) {
    case Event::Direction::kRising:
      return 1;
    case Event::Direction::kFalling:
      return -1;
    case Event::Direction::kBoth:
      break;
  }
  return 0;
}

// Steps shorter than this fraction of the time count as too short, and this many in a row end the
// run (a few may occur at the start): near a singular time a solver accepts smaller and smaller
// steps, until t + h equals t.
constexpr double kShortStep = 1e-13;
constexpr int kMostShortSteps = 100;

/// Its number, or -1.
int first_not_finite(std::span<const double> values) {
  const auto bad = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
  return bad == values.end() ? -1 : static_cast<int>(bad - values.begin());
}

}  // namespace

void require_success(int code, const char* call) {
  if (code < 0) {
    throw std::runtime_error(concat("SUNDIALS: ", call, " failed with ", code));
  }
}

void check(const IntegratorOptions& options, const Ode& ode) {
  require(options.relative_tolerance > 0, "IntegratorOptions: relative_tolerance must be > 0, got ",
          options.relative_tolerance);
  require(options.absolute_tolerance > 0, "IntegratorOptions: absolute_tolerance must be > 0, got ",
          options.absolute_tolerance);
  const auto& each = options.absolute_tolerances;
  require(each.empty() || each.size() == static_cast<std::size_t>(ode.size),
          "IntegratorOptions: ", each.size(), " absolute_tolerances for ", ode.size, " components");
  require(std::ranges::all_of(each, [](double a) { return a > 0; }),
          "IntegratorOptions: absolute_tolerances must be > 0");
  require(options.first_step >= 0, "IntegratorOptions: first_step must be >= 0 s, got ",
          options.first_step);
  require(options.max_step >= 0, "IntegratorOptions: max_step must be >= 0 s, got ",
          options.max_step);
  require(options.max_steps > 0, "IntegratorOptions: max_steps must be > 0, got ",
          options.max_steps);
}

Stepper::Stepper(const char* caller, Ode ode, IntegratorOptions options)
    : caller_(caller), ode_(std::move(ode)), options_(std::move(options)) {
  state_ = make_vector();
  dense_ = make_vector();
  errors_ = make_vector();
  weights_ = make_vector();
  delivered_.resize(static_cast<std::size_t>(ode_.size), NAN);
  found_.resize(ode_.events.size());
  for (const Event& event : ode_.events) {
    root_directions_.push_back(to_sundials(event.direction));
  }
}

Vector Stepper::make_vector() const {
  Vector v(N_VNew_Serial(ode_.size, context_));
  if (!v) {
    throw std::bad_alloc();
  }
  N_VConst(0.0, v.get());
  return v;
}

void Stepper::set_tolerances(int (*set)(void*, double, N_Vector), void* memory) {
  const Vector absolute = make_vector();
  N_VConst(options_.absolute_tolerance, absolute.get());
  std::ranges::copy(options_.absolute_tolerances, span_of(absolute.get()).begin());
  require_success(set(memory, options_.relative_tolerance, absolute.get()), "SVtolerances");
}

void Stepper::start(double t0, std::span<const double> x0) {
  require(x0.size() == delivered_.size(), caller_, "::start: x0 has ", x0.size(),
          " entries, needs ", ode_.size);
  const int bad = first_not_finite(x0);
  require(bad < 0, caller_, "::start: ", bad < 0 ? "" : component_name(ode_, bad),
          " is not finite");
  require(std::isfinite(t0), caller_, "::start: the time is not finite");
  time_ = t0;
  std::ranges::copy(x0, span_of(state_.get()).begin());
  std::ranges::copy(x0, delivered_.begin());
  exception_ = nullptr;
  has_value_ = true;
  lacked_value_ = false;
  bad_component_ = -1;
  short_steps_ = 0;
  restart();
  started_ = true;
}

StepResult Stepper::advance_to(double t) {
  require(started_, caller_, "::advance_to: start() comes first");
  require(t > time_, caller_, "::advance_to: must be later than ", time_, " s, got ", t, " s");
  return advance(t, false);
}

StepResult Stepper::step() {
  require(started_, caller_, "::step: start() comes first");
  const double begin = time_;
  // A time scale for the first step, otherwise meaningless.
  StepResult result = advance(time_ + 1, true);
  if (!result.ok()) {
    return result;
  }
  if (time_ - begin > kShortStep * std::abs(time_)) {
    short_steps_ = 0;
    lacked_value_ = false;
  } else if (++short_steps_ >= kMostShortSteps) {
    has_value_ = !lacked_value_;
    return failure(Status::kStepTooSmall);
  }
  return result;
}

StepResult Stepper::advance(double t, bool one_step) {
  StepResult result;
  bad_component_ = -1;
  for (bool arrived = false; !arrived;) {
    const int code = evolve(t, one_step);
    rethrow();
    if (code < 0) {
      return failure(status_of(code), code);
    }
    arrived = code != kRoot;
    if (code == kRoot) {
      result.event = take_events(&arrived);
      result.status = arrived ? Status::kEvent : Status::kDone;
    }
  }
  result.time = time_;
  deliver();
  if (ode_.project && !ode_.project(time_, delivered_)) {
    return failure(Status::kProjectionFailed);
  }
  return result;
}

void Stepper::rethrow() {
  if (exception_) {
    started_ = false;
    std::rethrow_exception(std::exchange(exception_, nullptr));
  }
}

void Stepper::deliver() { std::ranges::copy(span_of(state_.get()), delivered_.begin()); }

TimeSpan Stepper::last_step() {
  require(started_, caller_, "::last_step: start() comes first");
  return get_last_step();
}

bool Stepper::interpolate(double t, int derivative, std::span<double> x) {
  require(started_, caller_, "::interpolate: start() comes first");
  require(x.size() == delivered_.size(), caller_, "::interpolate: x has ", x.size(),
          " entries, needs ", ode_.size);
  const TimeSpan span = get_last_step();
  require(t >= span.begin && t <= span.end, caller_, "::interpolate: ", t,
          " s is not in the last step, ", span.begin, " s to ", span.end, " s");
  if (derivative == 0 && span.begin == span.end) {  // before the first step
    std::ranges::copy(delivered_, x.begin());
    return true;
  }
  const int code = get_dense(t, derivative, dense_.get());
  rethrow();
  std::ranges::copy(span_of(dense_.get()), x.begin());
  return code == 0 && (derivative > 0 || !ode_.project || ode_.project(t, x));
}

int Stepper::take_events(bool* stops) {
  get_root_info(found_.data());
  int last = -1;
  for (std::size_t i = 0; i < found_.size() && !*stops; ++i) {
    if (found_[i] != 0) {
      last = static_cast<int>(i);
      *stops = ode_.events[i].stops;
    }
  }
  return last;
}

StepResult Stepper::failure(Status status, int code) {
  if (!has_value_ && (status == Status::kNoConvergence || status == Status::kStepTooSmall)) {
    status = Status::kNoValue;  // the cause of the failed iteration or the shrinking steps
  }
  StepResult result;
  result.status = status;
  result.time = time_ = reached();
  result.component =
      status == Status::kNoValue && bad_component_ >= 0 ? bad_component_ : worst_component();
  deliver();
  result.text = concat(to_text(status), " at t = ", result.time, " s");
  if (result.component >= 0) {
    result.text += concat("; the largest error is in ", component_name(ode_, result.component));
  }
  if (status == Status::kFailed) {
    result.text += concat(" (SUNDIALS ", code, ")");
  }
  if (ode_.why && (status == Status::kNoValue || status == Status::kProjectionFailed)) {
    result.text += concat(": ", ode_.why());
  }
  started_ = false;
  return result;
}

int Stepper::worst_component() {
  get_errors(errors_.get(), weights_.get());
  const int by_error = largest(errors_.get());
  if (by_error >= 0 || !get_rates(errors_.get())) {
    return by_error;
  }
  return largest(errors_.get());  // no complete step: the component that changes fastest
}

int Stepper::largest(N_Vector values) const {
  const auto v = span_of(values), weights = span_of(weights_.get());
  int result = -1;
  double maximum = 0;
  for (int i = 0; i < ode_.size; ++i) {
    const double weighted = std::abs(v[i]) * weights[i];
    if (weighted > maximum) {
      maximum = weighted;
      result = i;
    }
  }
  return result;
}

int Stepper::call_f(double t, N_Vector x, N_Vector x_dot) {
  return guarded([&] {
    // A diverging Newton iteration may request the derivatives of an invalid state.
    has_value_ = first_not_finite(span_of(x)) < 0 && ode_.f(t, span_of(x), span_of(x_dot));
    has_value_ = has_value_ && are_finite(x_dot);
    lacked_value_ |= !has_value_;
    return has_value_;
  });
}

bool Stepper::are_finite(N_Vector values) {
  const int bad = first_not_finite(span_of(values));
  bad_component_ = bad >= 0 ? bad : bad_component_;
  return bad < 0;
}

int Stepper::call_project(double t, N_Vector x) {
  return guarded([&] { return ode_.project(t, span_of(x)); });
}

int Stepper::call_events(double t, N_Vector x, double* g) {
  return guarded([&] {
    for (std::size_t i = 0; i < ode_.events.size(); ++i) {
      g[i] = ode_.events[i].g(t, span_of(x));
    }
    return true;
  });
}

}  // namespace camber::integrate::internal
