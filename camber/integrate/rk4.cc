// [Kutta 1901], the method with nodes 0, 1/2, 1/2, 1:
//   k1 = f(t, x), k2 = f(t + h/2, x + h/2 k1), k3 = f(t + h/2, x + h/2 k2), k4 = f(t + h, x + h k3)
//   x(t + h) = x + h (k1 + 2 k2 + 2 k3 + k4) / 6 (1)
#include "camber/integrate/rk4.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::integrate {

Rk4::Rk4(Ode ode) : ode_(std::move(ode)) {
  check(ode_, "Rk4");
  for (auto* scratch : {&k1_, &k2_, &k3_, &k4_, &stage_}) {
    scratch->resize(static_cast<std::size_t>(ode_.size), NAN);
  }
}

bool Rk4::step(double t, double h, std::span<double> x) {
  require(x.size() == stage_.size(), "Rk4::step: x has ", x.size(), " entries, needs ", ode_.size);
  const auto stage = [&](double part, const std::vector<double>& k) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      stage_[i] = x[i] + part * h * k[i];
    }
  };
  if (!ode_.f(t, x, k1_)) {
    return false;
  }
  stage(0.5, k1_);
  if (!ode_.f(t + 0.5 * h, stage_, k2_)) {
    return false;
  }
  stage(0.5, k2_);
  if (!ode_.f(t + 0.5 * h, stage_, k3_)) {
    return false;
  }
  stage(1.0, k3_);
  if (!ode_.f(t + h, stage_, k4_)) {
    return false;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {  // (1)
    stage_[i] = x[i] + h * (k1_[i] + 2 * k2_[i] + 2 * k3_[i] + k4_[i]) / 6;
  }
  if (ode_.project && !ode_.project(t + h, stage_)) {
    return false;
  }
  std::ranges::copy(stage_, x.begin());
  return true;
}

}  // namespace camber::integrate
