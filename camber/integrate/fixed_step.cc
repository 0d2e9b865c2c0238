// Methods: runge_kutta.h.
#include "camber/integrate/fixed_step.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "camber/core/require.h"

namespace camber::integrate {
namespace {

/// Its number, or -1.
int first_not_finite(std::span<const double> values) {
  // Tests all bits at once: infinity and NaN have an exponent of all ones.
  constexpr std::uint64_t kExponent = 0x7ff0000000000000;
  std::uint64_t is_bad = 0;
  for (const double value : values) {
    is_bad |=
        static_cast<std::uint64_t>((std::bit_cast<std::uint64_t>(value) & kExponent) == kExponent);
  }
  if (is_bad == 0) return -1;
  const auto bad = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
  return bad == values.end() ? -1 : static_cast<int>(bad - values.begin());
}

}  // namespace

FixedStepper::FixedStepper(MechanicalSystem system, FixedStep method)
    : system_(std::move(system)), method_(method) {
  check(system_, "FixedStepper");
  coordinates_ = Coordinates(system_.nq, system_.nv, system_.blocks);
  const auto nq = static_cast<std::size_t>(system_.nq), nv = static_cast<std::size_t>(system_.nv);
  begin_.resize(nq, nv);
  end_.resize(nq, nv);
  work_.resize(nq, nv);
}

FixedStepper::FixedStepper(Ode ode, FixedStep method)
    : FixedStepper(make_first_order_system(std::move(ode)), method) {}

StepResult FixedStepper::step(double t, double h, std::span<double> q, std::span<double> v) {
  require(q.size() == begin_.q.size() && v.size() == begin_.v.size(), "FixedStepper::step: q has ",
          q.size(), " entries and v ", v.size(), ", need ", system_.nq, " and ", system_.nv);
  require(std::isfinite(t) && std::isfinite(h) && h != 0, "FixedStepper::step: time ", t,
          " s and step ", h, " s must be finite, the step not 0");
  has_begin_rate_ = false;
  begin_.time = t;
  std::ranges::copy(q, begin_.q.begin());
  std::ranges::copy(v, begin_.v.begin());
  return try_step(h, q, v);
}

StepResult FixedStepper::step_again(double h, std::span<double> q, std::span<double> v) {
  require(std::isfinite(h) && h != 0,
          "FixedStepper::step_again: the step must be finite and not 0, got ", h, " s");
  if (has_step_) {  // else it was counted as it failed
    --statistics_.steps;
    ++statistics_.rejected;
  }
  return try_step(h, q, v);
}

StepResult FixedStepper::try_step(double h, std::span<double> q, std::span<double> v) {
  has_step_ = has_end_rate_ = false;
  h_ = h;
  if (!step_by_method(h)) {
    return failure(Status::kNoValue, failed_at_);
  }
  end_.time = begin_.time + h;
  if (system_.project && !system_.project(end_.time, end_.q, end_.v)) {
    bad_component_ = -1;
    return failure(Status::kProjectionFailed, end_.time);
  }
  const int bad_q = first_not_finite(end_.q), bad_v = first_not_finite(end_.v);
  if (bad_q >= 0 || bad_v >= 0) {
    bad_component_ = bad_q >= 0 ? bad_q : system_.nq + bad_v;
    return failure(Status::kNoValue, end_.time);
  }
  std::ranges::copy(end_.q, q.begin());
  std::ranges::copy(end_.v, v.begin());
  has_step_ = true;
  ++statistics_.steps;
  StepResult result;
  result.time = end_.time;
  return result;
}

bool FixedStepper::step_by_method(double h) {
  const auto calc = [this](double part, internal::StepPoint<double>* at) {
    if (at == &begin_ && has_begin_rate_) return true;
    if (!calc_v_dot(begin_.time + part, at->q, at->v, at->v_dot)) return false;
    has_begin_rate_ = true;
    return true;
  };
  switch (method_) {
    case FixedStep::kSemiImplicitEuler:
      return step_semi_implicit_euler(h, coordinates_, calc, &begin_, &work_, &end_);
    case FixedStep::kMidpoint:
      return step_runge_kutta(internal::kMidpointRule, h, coordinates_, calc, &begin_, &work_,
                              &end_);
    case FixedStep::kRungeKutta4:
      break;
  }
  return step_runge_kutta(internal::kKuttaRule, h, coordinates_, calc, &begin_, &work_, &end_);
}

bool FixedStepper::bends_beyond(std::span<const double> limits) const {
  require(limits.size() == work_.v_sum.size(), "FixedStepper::bends_beyond: ", limits.size(),
          " limits for ", work_.v_sum.size(), " speeds");
  if (!has_step_ || method_ == FixedStep::kSemiImplicitEuler) return false;
  bool is_beyond = false;
  for (std::size_t i = 0; i < limits.size(); ++i)
    is_beyond |= std::abs(h_ * (work_.v_sum[i] - begin_.v_dot[i])) > limits[i];
  return is_beyond;
}

bool FixedStepper::calc_v_dot(double t, std::span<const double> q, std::span<const double> v,
                              std::span<double> v_dot) {
  ++statistics_.evaluations;
  failed_at_ = t;
  bad_component_ = -1;
  if (!system_.accelerations(t, q, v, v_dot)) {
    return false;
  }
  const int bad = first_not_finite(v_dot);
  bad_component_ = bad < 0 ? -1 : system_.nq + bad;
  return bad < 0;
}

StepResult FixedStepper::failure(Status status, double time_of_failure) {
  StepResult result;
  result.status = status;
  result.time = begin_.time;
  result.component = bad_component_;
  result.text = concat(to_text(status), " at t = ", time_of_failure, " s");
  if (bad_component_ >= 0) {
    result.text += concat("; ", component_name(system_, bad_component_), " is not finite");
  } else if (system_.why) {
    result.text += concat(": ", system_.why());
  }
  ++statistics_.rejected;
  return result;
}

// On the manifold, xi goes from 0 with rate v0 to log(q0^-1 q1) with the rate of (1) there.
bool FixedStepper::interpolate(double t, std::span<double> q, std::span<double> v) {
  require(has_step_, "FixedStepper::interpolate: there is no step to interpolate");
  require(q.size() == begin_.q.size() && v.size() == begin_.v.size(),
          "FixedStepper::interpolate: q has ", q.size(), " entries and v ", v.size(), ", need ",
          system_.nq, " and ", system_.nv);
  const double h = end_.time - begin_.time, s = (t - begin_.time) / h;
  require(s >= 0 && s <= 1, "FixedStepper::interpolate: ", t, " s is not in the last step, ",
          begin_.time, " s to ", end_.time, " s");
  if (!has_end_rate_) {
    if (!calc_v_dot(end_.time, end_.q, end_.v, end_.v_dot)) {
      return false;
    }
    has_end_rate_ = true;
    coordinates_.calc_increment(begin_.q, end_.q, work_.xi_sum);
    coordinates_.calc_increment_rate(work_.xi_sum, end_.v, work_.xi_dot);
  }
  const double r = 1 - s, to_end = s * s * (3 - 2 * s), rate_0 = h * s * r * r,
               rate_1 = -h * s * s * r;
  for (std::size_t i = 0; i < work_.xi.size(); ++i) {
    work_.xi[i] = to_end * work_.xi_sum[i] + rate_0 * begin_.v[i] + rate_1 * work_.xi_dot[i];
    v[i] = (1 - to_end) * begin_.v[i] + to_end * end_.v[i] + rate_0 * begin_.v_dot[i] +
           rate_1 * end_.v_dot[i];
  }
  coordinates_.advance(begin_.q, work_.xi, q);
  return !system_.project || system_.project(t, q, v);
}

}  // namespace camber::integrate
