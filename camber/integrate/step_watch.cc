// The rate at the end of a step is the first rate of the next one, so that an embedded formula
// costs nothing (docs/theory/simulation.md section 5):
//   rk4       h/6 (k4 - k5), the difference to a formula of order 3 [Dormand, Prince 1978]       (1)
//   midpoint  h/6 (k1 - 2 k2 + k3), the difference to Simpson's rule                             (2)
//   euler     h/2 (k1 - k2), the difference to the trapezoidal rule                              (3)
// (1) has one order of h less than the error of rk4. Its factor h rho, with
//   h rho = 2 |k3 - k2| / |k2 - k1|,                                                             (4)
// Collatz's measure of the step [Hairer, Norsett, Wanner 1993, section II.4], restores it; where
// h rho is one or more, the step does not follow the motion and (1) stays as it is.
#include "camber/integrate/step_watch.h"

#include <algorithm>
#include <cmath>

namespace camber::integrate {
namespace {

constexpr double kTolerance = 0.01;  // of the largest speed
constexpr double kLost = 0.1;        // of the largest speed, in one step
constexpr long kManyLost = 10;       // a motion from rest has some at its start
constexpr double kWild = 10;         // of the largest speed, in one step: it diverges
// Speeds below this share of the largest one, or below this [m/s or rad/s], are rest and rounding.
constexpr double kSmallShare = 1e-6;
constexpr double kRest = 1e-9;

std::size_t stages_of(FixedStep method) {
  switch (method) {
    case FixedStep::kRungeKutta4:
      return 4;
    case FixedStep::kMidpoint:
      return 2;
    case FixedStep::kSemiImplicitEuler:
      break;
  }
  return 1;
}

}  // namespace

StepWatch::StepWatch(FixedStep method, int nv)
    : method_(method),
      stages_(stages_of(method)),
      k_(stages_, std::vector<double>(static_cast<std::size_t>(nv))),
      max_speed_(static_cast<std::size_t>(nv)),
      error_(static_cast<std::size_t>(nv)) {}

void StepWatch::begin(double h) {
  stage_ = 0;
  h_ = h;
}

void StepWatch::take(std::span<const double> v_dot) {
  if (stage_ == 0 && h_done_ != 0) settle(v_dot);
  if (stage_ < stages_) std::ranges::copy(v_dot, k_[stage_].begin());
  ++stage_;
}

void StepWatch::end(std::span<const double> v) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    max_speed_[i] = std::max(max_speed_[i], std::abs(v[i]));
    largest_ = std::max(largest_, max_speed_[i]);
  }
  h_done_ = stage_ == stages_ ? std::abs(h_) : 0;
}

double StepWatch::scale(std::size_t i) const {
  return std::max({max_speed_[i], kSmallShare * largest_, kRest});
}

void StepWatch::settle(std::span<const double> next) {
  double share = 1;  // (4)
  if (method_ == FixedStep::kRungeKutta4) {
    double last = 0, first = 0;
    for (std::size_t i = 0; i < error_.size(); ++i) {
      const double per = 1 / scale(i);
      const double a = per * (k_[2][i] - k_[1][i]), b = per * (k_[1][i] - k_[0][i]);
      last += a * a;
      first += b * b;
    }
    share = first > 0 ? std::min(1.0, 2 * std::sqrt(last / first)) : (last > 0 ? 1.0 : 0.0);
  }
  bool is_lost = false;
  for (std::size_t i = 0; i < error_.size(); ++i) {
    double error = 0;
    switch (method_) {
      case FixedStep::kRungeKutta4:
        error = h_done_ / 6 * std::abs(k_[3][i] - next[i]) * share;  // (1)
        break;
      case FixedStep::kMidpoint:
        error = h_done_ / 6 * std::abs(k_[0][i] - 2 * k_[1][i] + next[i]);  // (2)
        break;
      case FixedStep::kSemiImplicitEuler:
        error = h_done_ / 2 * std::abs(k_[0][i] - next[i]);  // (3)
        break;
    }
    error_[i] += error;
    is_lost = is_lost || error > kLost * scale(i);
    is_wild_ = is_wild_ || error > kWild * scale(i);
  }
  if (is_lost) ++lost_steps_;
}

StepWatch::Finding StepWatch::finding() const {
  Finding worst{.lost_steps = lost_steps_, .is_wild = is_wild_};
  for (std::size_t i = 0; i < error_.size(); ++i) {
    const double error = error_[i] / scale(i);
    if (!(error > worst.error)) continue;
    worst.error = error;
    worst.component = static_cast<int>(i);
  }
  return worst;
}

bool StepWatch::is_doubtful() const {
  return is_wild_ || lost_steps_ > kManyLost ||
         (method_ == FixedStep::kRungeKutta4 && finding().error > kTolerance);
}

}  // namespace camber::integrate
