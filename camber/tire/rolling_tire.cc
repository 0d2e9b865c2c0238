// Two deflections u, w take up the slip and lose it as the tread leaves the contact,
//   u' = -V_sx - V_t u / sigma_x,   w' = V_sy - V_t w / sigma_y,                         (1)
// and the steady model sees kappa' = u / sigma_x, tan(alpha') = w / sigma_y. At speed, with the
// transport speed V_t = |V_x|, they follow kappa and tan(alpha) over the way sigma; at rest they
// are springs of the stiffness K / sigma, which hold a car on a slope without creeping. A tread
// that slides without rolling has to end somewhere: with s' the length of (kappa' / s_x,
// tan(alpha') / s_y),
//   V_t = |V_x| + |V_s| s'^8.                                                            (2)
// At speed s_x = s_y = 3, far beyond where all models slide, and without effect (1e-8) where they
// do not. Towards standstill they go down to 2 mu Fz / K, about the peak of the force: what a wheel
// that slides to a stop springs back by is then what the force itself bends the tread by.
//
// Near standstill the springs are damped, in the slip and hence within friction:
//   kappa' -= d V_sx / K_x,   d = 2 zeta sqrt(m K_x / sigma_x) (1 - V^2 / V_low^2)^2.    (3)
#include "camber/tire/rolling_tire.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/math/polygon.h"
#include "camber/tire/scalars.h"

namespace camber::tire {
namespace {

constexpr double kEndOfSlip = 3;
constexpr double kStraightening = 20;  // [1/s]
constexpr double kSignSpeed = 0.05;    // [m/s]: about where a sign has become one

template <class T>
T soft_sign(const T& speed) {
  return speed / length(speed, T(kSignSpeed));
}

template <class T>
T power_8(const T& x) {
  const T x2 = x * x, x4 = x2 * x2;
  return x4 * x4;
}

}  // namespace

template <class T>
T calc_static_load(const VerticalLaw& law, const T& deflection) {
  using math::select;
  return select(deflection > 0.0, math::look_up(law.deflection, law.force, deflection), T(0));
}

double find_deflection(const VerticalLaw& law, double load) {
  require(load >= 0 && std::isfinite(load), "find_deflection: the load must be >= 0 N, got ", load);
  const std::size_t n = law.deflection.size();
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double slope =
        (law.force[k + 1] - law.force[k]) / (law.deflection[k + 1] - law.deflection[k]);
    if (load <= law.force[k + 1] || k + 2 == n)
      return law.deflection[k] + (load - law.force[k]) / slope;
  }
  require(false, "find_deflection: the vertical law needs two points");
  return 0;
}

template <class T>
TireResult<T> calc_tire(const RollingTire& tire, const WheelContact<T>& c,
                        const TireState<T>& state) {
  using math::select;
  using std::abs;
  using std::sqrt;
  TireResult<T> result;
  const auto touches = c.deflection > 0.0;
  const T spring = calc_static_load(tire.vertical, c.deflection);
  result.Fz =
      select(touches, larger(T(spring + tire.vertical.damping * c.deflection_rate), T(0)), T(0));
  const T pressed = larger(c.deflection, T(0));
  result.rolling_radius = tire.radius - pressed / 3.0;
  const T V_sx = c.Vx - c.omega * result.rolling_radius, V_sy = c.Vy;

  const double sigma_x = tire.relaxation_along, sigma_y = tire.relaxation_across;
  Slip<T> slip{.kappa = state.u / sigma_x,
               .tan_alpha = state.w / sigma_y,
               .gamma = c.gamma,
               .Fz = result.Fz,
               .friction = c.friction};
  slip.half_length = sqrt(2.0 * tire.radius * pressed + 1e-12) / 2.0;
  const SlipStiffness<T> K = std::visit(
      [&](const auto& model) { return calc_slip_stiffness(model, result.Fz, c.friction); },
      tire.steady);
  // 1 at rest, 0 from the low speed on.
  const T V2 = (c.Vx * c.Vx + c.Vy * c.Vy) / (tire.low_speed * tire.low_speed);
  const T fading = larger(T(1.0 - V2), T(0));
  const T rest = fading * fading;
  const auto end_of_slip = [&](const T& stiffness) {
    const auto carries = stiffness > 0.0;
    const T peak = 2.0 * c.friction * result.Fz / select(carries, stiffness, T(1));
    return T(kEndOfSlip + rest * (select(carries, peak, T(kEndOfSlip)) - kEndOfSlip));
  };
  const T end = length(T(slip.kappa / end_of_slip(K.Kx)), T(slip.tan_alpha / end_of_slip(K.Ky)));
  const T V_t = abs(c.Vx) + length(V_sx, V_sy) * power_8(end);  // (2)
  const T loss_x = V_t * slip.kappa, loss_y = V_t * slip.tan_alpha;
  const T u_rate = -V_sx - loss_x, w_rate = V_sy - loss_y;  // (1)
  // Off the ground the tread straightens.
  result.rates.u = select(touches, u_rate, T(-kStraightening * state.u));
  result.rates.w = select(touches, w_rate, T(-kStraightening * state.w));

  const auto damp = [&](const T& stiffness, double sigma) {  // d / K of (3)
    const auto carries = stiffness > 0.0;
    const T some = select(carries, stiffness, T(1));
    return T(select(
        carries, T(2.0 * tire.standing_damping * rest * sqrt(tire.standing_mass / (some * sigma))),
        T(0)));
  };
  slip.kappa = slip.kappa - damp(K.Kx, sigma_x) * V_sx;
  slip.tan_alpha = slip.tan_alpha + damp(K.Ky, sigma_y) * V_sy;

  result.force =
      std::visit([&](const auto& model) { return calc_steady_force(model, slip); }, tire.steady);
  const T forward = soft_sign(c.Vx);
  result.force.Mz = result.force.Mz * forward;
  const T rolls = soft_sign(T(c.omega * result.rolling_radius));
  if (std::holds_alternative<MagicFormulaTire>(tire.steady)) {
    result.force.My = result.force.My * rolls;
  } else {
    result.force.My = -tire.rolling_resistance * result.Fz * result.rolling_radius * rolls;
  }
  const TireForce<T>& F = result.force;
  result.sliding_power = F.Fy * loss_y - F.Fx * loss_x;
  result.damping_power = (spring - result.Fz) * c.deflection_rate;
  result.stored_power = spring * c.deflection_rate + F.Fx * u_rate - F.Fy * w_rate;
  return result;
}

#define CAMBER_INSTANTIATE(T)                                \
  template T calc_static_load(const VerticalLaw&, const T&); \
  template TireResult<T> calc_tire(const RollingTire&, const WheelContact<T>&, const TireState<T>&);
CAMBER_FOR_EACH_TIRE_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::tire
