#pragma once

#include "camber/tire/scalars.h"
#include "camber/tire/slip.h"

namespace camber::tire {

/// Slip over the speed at which the tread goes through the contact, |R_e omega|, instead of the
/// hub's: sigma = kappa / (1 + kappa), tan(alpha) / (1 + kappa). A wheel that is locked has kappa =
/// -1 and slides with any sigma that is large enough.
template <class T>
struct RollingSlip {
  T x, y;    // with the signs of kappa and alpha
  T length;  // of both
};

template <class T>
RollingSlip<T> calc_rolling_slip(const Slip<T>& slip) {
  using std::abs;
  constexpr double kLocked = 1e-3;  // of the hub's speed
  const T inverse = 1.0 / larger(T(abs(1.0 + slip.direction * slip.kappa)), T(kLocked));
  RollingSlip<T> sigma;
  sigma.x = slip.kappa * inverse;
  sigma.y = slip.tan_alpha * inverse;
  sigma.length = length(sigma.x, sigma.y);
  return sigma;
}

}  // namespace camber::tire
