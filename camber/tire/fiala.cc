// With U the friction at the slip, F = U Fz, the forces in pure slip are those of ADAMS/Tire:
//   U = U_max - (U_max - U_min) min(1, sqrt(kappa^2 + tan^2 alpha))                             (1)
//   Fx = C_s kappa below |kappa| = F / (2 C_s), sign(kappa) (F - F^2 / (4 C_s |kappa|)) beyond (2)
//   H = 1 - C_a |tan alpha| / (3 F);  Fy = -sign(alpha) F (1 - H^3),
//   Mz = sign(alpha) F w (1 - H) H^3 while H > 0; beyond, -sign(alpha) F and 0                  (3)
// Combined slip (docs/theory/tires.md, section 1): with a = (C_s kappa, -C_a tan alpha) and
// x = |a| / F both laws are F x r(x), so that they are weighted by the direction,
//   r = r_y + (r_x - r_y) (a_x / |a|)^2,                                                        (4)
// and the force turns from a, which a tread that sticks has, to the sliding direction
// s = (kappa, -tan alpha), by the fraction m of Fiala's parabolic pressure under which it slides:
//   F = r ((1 - m) a + m |a| s / |s|),   p = min(1, x / 3),  m = p (3 - 2 p) / (3 - 3 p + p^2), (5)
//   Mz = -Fy w (1 - p)^3 / (3 - 3 p + p^2).                                                     (6)
// (4), (5) and (6) are (2) and (3) in pure slip; |F| <= F as r x <= 1, and F s > 0.
#include "camber/tire/fiala.h"

#include <cmath>

#include "camber/symbolic/expr.h"
#include "camber/tire/scalars.h"

namespace camber::tire {

namespace {

/// Each direction by itself, (2) and (3).
template <class T>
TireForce<T> calc_separate_forces(const FialaTire& tire, const Slip<T>& slip, const T& F) {
  using math::select;
  using std::abs;
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

/// Within the friction circle, (4) to (6).
template <class T>
TireForce<T> calc_combined_forces(const FialaTire& tire, const Slip<T>& slip, const T& F) {
  using math::select;
  const double C_s = tire.slip_stiffness, C_a = tire.cornering_stiffness;
  const auto carries = F > 0.0;
  const T a_x = C_s * slip.kappa, a_y = C_a * slip.tan_alpha, a = length(a_x, a_y);
  const T x = a / select(carries, F, T(1)), p = smaller(T(x * (1.0 / 3.0)), T(1));
  const auto slides = x > 0.5;
  const T some_x = select(slides, x, T(1));
  const T r_x = select(slides, T((1.0 - 0.25 / some_x) / some_x), T(1));
  const T shape = 3.0 - 3.0 * p + p * p;
  const T r_y = select(x < 3.0, T(shape * (1.0 / 3.0)), T(1.0 / some_x));
  const T r = r_y + (r_x - r_y) * (a_x * a_x / (a * a));
  const T m = p * (3.0 - 2.0 * p) / shape;
  const T C_mean = a / length(slip.kappa, slip.tan_alpha);
  const T H = 1.0 - p;
  TireForce<T> force;
  force.Fx = select(carries, T(slip.kappa * r * (C_s + (C_mean - C_s) * m)), T(0));
  force.Fy = select(carries, T(-slip.tan_alpha * r * (C_a + (C_mean - C_a) * m)), T(0));
  force.Mz = -force.Fy * tire.width * H * H * H / shape;
  return force;
}

}  // namespace

template <class T>
TireForce<T> calc_steady_force(const FialaTire& tire, const Slip<T>& slip) {
  const T comprehensive = smaller(length(slip.kappa, slip.tan_alpha), T(1));
  const T U =
      slip.friction * (tire.max_friction - (tire.max_friction - tire.min_friction) * comprehensive);
  const T F = U * slip.Fz;  // (1)
  return tire.is_combined ? calc_combined_forces(tire, slip, F)
                          : calc_separate_forces(tire, slip, F);
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
