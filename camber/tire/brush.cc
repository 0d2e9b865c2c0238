// With C = 2 c a^2, theta = C / (3 mu Fz), sigma the slip over the rolling speed and q = theta
// |sigma|:
//   mu = mu_0 - d_mu min(1, sqrt(kappa^2 + tan^2 alpha))        (0)
//   |F| = mu Fz (3 q - 3 q^2 + q^3)              q < 1, else mu Fz       (1)
//   t = (a / 3) (1 - q)^3 / (1 - q + q^2 / 3)    q < 1, else 0           (2)
#include "camber/tire/brush.h"

#include <cmath>

#include "camber/symbolic/expr.h"
#include "camber/tire/rolling_slip.h"
#include "camber/tire/scalars.h"

namespace camber::tire {

template <class T>
TireForce<T> calc_steady_force(const BrushTire& tire, const Slip<T>& slip) {
  using math::select;
  const T comprehensive = smaller(length(slip.kappa, slip.tan_alpha), T(1));
  const T friction = tire.friction - tire.friction_loss * comprehensive;  // (0)
  const T limit = friction * slip.friction * slip.Fz;
  const double C = 2 * tire.tread_stiffness * tire.half_length * tire.half_length;
  const RollingSlip<T> sigma = calc_rolling_slip(slip);
  const auto carries = limit > 0.0;
  const T theta = select(carries, T(C / (3.0 * select(carries, limit, T(1)))), T(0));
  const T q = smaller(T(theta * sigma.length), T(1));
  // Before it slides the force is C sigma (1 - q + q^2 / 3), which has a slope at sigma = 0.
  const T sticking = C * (1.0 - q + q * q / 3.0);
  const auto slides = theta * sigma.length >= 1.0;
  const T stiffness = select(carries, select(slides, T(limit / sigma.length), sticking), T(0));
  TireForce<T> force;
  force.Fx = stiffness * sigma.x;
  force.Fy = -stiffness * sigma.y;
  const T rest = 1.0 - q;
  const T trail = tire.half_length / 3.0 * rest * rest * rest / (1.0 - q + q * q / 3.0);
  force.Mz = -trail * force.Fy;
  return force;
}

template <class T>
SlipStiffness<T> calc_slip_stiffness(const BrushTire& tire, const T& Fz, const T& /*friction*/) {
  using math::select;
  const double C = 2 * tire.tread_stiffness * tire.half_length * tire.half_length;
  const T K = select(Fz > 0.0, T(C), T(0));
  return {K, K};
}

#define CAMBER_INSTANTIATE(T)                                                \
  template TireForce<T> calc_steady_force(const BrushTire&, const Slip<T>&); \
  template SlipStiffness<T> calc_slip_stiffness(const BrushTire&, const T&, const T&);
CAMBER_FOR_EACH_TIRE_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::tire
