// [Munthe-Kaas 1999] H. Munthe-Kaas, High order Runge-Kutta methods on manifolds, Applied Numerical
// Mathematics 29. docs/theory/simulation.md section 5 has the derivation. Within a step
// q = q0 (+) xi, and xi, v follow an ordinary differential equation in a linear space:
//   xi' = v + [xi, v]/2 + [xi, [xi, v]]/12,  v' = a(t, q0 (+) xi, v)                (1)
// to which Runge-Kutta methods apply unchanged. In both of ours a stage needs only the previous
// one, and x_i = x0 + c_i h k_(i-1) for each; their sums give the step. (2)
#include "camber/integrate/fixed_step.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "camber/core/require.h"

namespace camber::integrate {
namespace {

constexpr std::array kMidpointNodes = {0.0, 0.5};
constexpr std::array kMidpointWeights = {0.0, 1.0};
constexpr std::array kKuttaNodes = {0.0, 0.5, 0.5, 1.0};  // [Kutta 1901]
constexpr std::array kKuttaWeights = {1. / 6, 1. / 3, 1. / 3, 1. / 6};

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

/// y <- x + s k.
void add(std::span<const double> x, double s, std::span<const double> k, std::span<double> y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = x[i] + s * k[i];
  }
}

}  // namespace

FixedStepper::FixedStepper(MechanicalSystem system, FixedStep method)
    : system_(std::move(system)), method_(method) {
  check(system_, "FixedStepper");
  coordinates_ = Coordinates(system_.nq, system_.nv, system_.blocks);
  const auto nq = static_cast<std::size_t>(system_.nq), nv = static_cast<std::size_t>(system_.nv);
  for (Point* point : {&begin_, &end_, &stage_}) {
    point->q.resize(nq, NAN);
    point->v.resize(nv, NAN);
    point->v_dot.resize(nv, NAN);
  }
  for (auto* scratch : {&xi_, &xi_dot_, &xi_sum_, &v_sum_}) {
    scratch->resize(nv, NAN);
  }
}

FixedStepper::FixedStepper(Ode ode, FixedStep method)
    : FixedStepper(make_first_order_system(std::move(ode)), method) {}

StepResult FixedStepper::step(double t, double h, std::span<double> q, std::span<double> v) {
  require(q.size() == begin_.q.size() && v.size() == begin_.v.size(), "FixedStepper::step: q has ",
          q.size(), " entries and v ", v.size(), ", need ", system_.nq, " and ", system_.nv);
  require(std::isfinite(t) && std::isfinite(h) && h != 0, "FixedStepper::step: time ", t,
          " s and step ", h, " s must be finite, the step not 0");
  has_step_ = has_end_rate_ = false;
  begin_.time = t;
  std::ranges::copy(q, begin_.q.begin());
  std::ranges::copy(v, begin_.v.begin());
  bool has_value = false;
  switch (method_) {
    case FixedStep::kSemiImplicitEuler:
      has_value = step_semi_implicit_euler(h);
      break;
    case FixedStep::kMidpoint:
      has_value = step_runge_kutta(kMidpointNodes, kMidpointWeights, h);
      break;
    case FixedStep::kRungeKutta4:
      has_value = step_runge_kutta(kKuttaNodes, kKuttaWeights, h);
      break;
  }
  if (!has_value) {
    return failure(Status::kNoValue, failed_at_);
  }
  end_.time = t + h;
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

bool FixedStepper::step_semi_implicit_euler(double h) {
  if (!calc_v_dot(begin_.time, begin_.q, begin_.v, begin_.v_dot)) {
    return false;
  }
  add(begin_.v, h, begin_.v_dot, end_.v);
  std::ranges::transform(end_.v, xi_.begin(), [h](double v) { return h * v; });
  coordinates_.advance(begin_.q, xi_, end_.q);
  return true;
}

bool FixedStepper::step_runge_kutta(std::span<const double> nodes, std::span<const double> weights,
                                    double h) {
  if (!calc_v_dot(begin_.time, begin_.q, begin_.v, begin_.v_dot)) {
    return false;
  }
  const std::size_t n = v_sum_.size();
  for (std::size_t i = 0; i < n; ++i) {
    xi_sum_[i] = weights[0] * begin_.v[i];
    v_sum_[i] = weights[0] * begin_.v_dot[i];
  }
  for (std::size_t stage = 1; stage < nodes.size(); ++stage) {  // (2)
    const double part = nodes[stage] * h;
    const std::span<const double> rates = stage == 1 ? begin_.v : xi_dot_;
    std::ranges::transform(rates, xi_.begin(), [part](double rate) { return part * rate; });
    add(begin_.v, part, stage == 1 ? begin_.v_dot : stage_.v_dot, stage_.v);
    coordinates_.advance(begin_.q, xi_, stage_.q);
    if (!calc_v_dot(begin_.time + part, stage_.q, stage_.v, stage_.v_dot)) {  // (1)
      return false;
    }
    coordinates_.calc_increment_rate(xi_, stage_.v, xi_dot_);
    for (std::size_t i = 0; i < n; ++i) {
      xi_sum_[i] += weights[stage] * xi_dot_[i];
      v_sum_[i] += weights[stage] * stage_.v_dot[i];
    }
  }
  std::ranges::transform(xi_sum_, xi_.begin(), [h](double sum) { return h * sum; });
  coordinates_.advance(begin_.q, xi_, end_.q);
  add(begin_.v, h, v_sum_, end_.v);
  return true;
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
    coordinates_.calc_increment(begin_.q, end_.q, xi_sum_);
    coordinates_.calc_increment_rate(xi_sum_, end_.v, xi_dot_);
  }
  const double r = 1 - s, to_end = s * s * (3 - 2 * s), rate_0 = h * s * r * r,
               rate_1 = -h * s * s * r;
  for (std::size_t i = 0; i < xi_.size(); ++i) {
    xi_[i] = to_end * xi_sum_[i] + rate_0 * begin_.v[i] + rate_1 * xi_dot_[i];
    v[i] = (1 - to_end) * begin_.v[i] + to_end * end_.v[i] + rate_0 * begin_.v_dot[i] +
           rate_1 * end_.v_dot[i];
  }
  coordinates_.advance(begin_.q, xi_, q);
  return !system_.project || system_.project(t, q, v);
}

}  // namespace camber::integrate
