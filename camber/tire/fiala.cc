// With U the friction at the slip, F = U Fz:
//   U = U_max - (U_max - U_min) min(1, sqrt(kappa^2 + tan^2 alpha))                             (1)
//   Fx = C_s kappa below |kappa| = F / (2 C_s), sign(kappa) (F - F^2 / (4 C_s |kappa|)) beyond (2)
//   H = 1 - C_a |tan alpha| / (3 F);  Fy = -sign(alpha) F (1 - H^3),
//   Mz = sign(alpha) F w (1 - H) H^3 while H > 0; beyond, -sign(alpha) F and 0                  (3)
#include "camber/tire/fiala.h"

#include <cmath>

#include "camber/symbolic/expr.h"
#include "camber/tire/scalars.h"

namespace camber::tire {

template <class T>
TireForce<T> calc_steady_force(const FialaTire& tire, const Slip<T>& slip) {
  using math::select;
  using std::abs;
  const T comprehensive = smaller(length(slip.kappa, slip.tan_alpha), T(1));
  const T U =
      slip.friction * (tire.max_friction - (tire.max_friction - tire.min_friction) * comprehensive);
  const T F = U * slip.Fz;
  const auto carries = F > 0.0;
  const T some_F = select(carries, F, T(1));
  TireForce<T> force;
  const T kappa_size = abs(slip.kappa);
  const double C_s = tire.slip_stiffness;
  const auto slides = kappa_size > F / (2.0 * C_s);
  const T some_kappa = select(slides, kappa_size, T(1));
  const T beyond = F - F * F / (4.0 * C_s * some_kappa);
  force.Fx = select(
      carries, select(slides, select(slip.kappa < 0.0, T(-beyond), beyond), T(C_s * slip.kappa)),
      T(0));
  const T H =
      larger(T(1.0 - tire.cornering_stiffness * abs(slip.tan_alpha) / (3.0 * some_F)), T(0));
  const T H3 = H * H * H;
  const auto turns_right = slip.tan_alpha < 0.0;
  const T side = select(carries, T(F * (1.0 - H3)), T(0));
  const T aligning = select(carries, T(F * tire.width * (1.0 - H) * H3), T(0));
  force.Fy = select(turns_right, side, T(-side));
  force.Mz = select(turns_right, T(-aligning), aligning);
  return force;
}

template <class T>
SlipStiffness<T> calc_slip_stiffness(const FialaTire& tire, const T& Fz, const T& /*friction*/) {
  using math::select;
  return {select(Fz > 0.0, T(tire.slip_stiffness), T(0)),
          select(Fz > 0.0, T(tire.cornering_stiffness), T(0))};
}

#define CAMBER_INSTANTIATE(T)                                                \
  template TireForce<T> calc_steady_force(const FialaTire&, const Slip<T>&); \
  template SlipStiffness<T> calc_slip_stiffness(const FialaTire&, const T&, const T&);
CAMBER_FOR_EACH_TIRE_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::tire
