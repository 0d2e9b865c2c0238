#pragma once

#include <vector>

#include "camber/integrate/ode.h"

namespace camber::integrate {

/// The classical Runge-Kutta method with steps of the caller's choice: for real time, where each
/// step must cost the same, and as the plain yardstick of the adaptive methods.
class Rk4 {
 public:
  explicit Rk4(Ode ode);

  const Ode& ode() const { return ode_; }
  /// From t to t + h; x holds the state before and after. False where f or the projection had no
  /// value: x is then what it was before.
  bool step(double t, double h, std::span<double> x);

 private:
  Ode ode_;
  std::vector<double> k1_, k2_, k3_, k4_, stage_;
};

}  // namespace camber::integrate
