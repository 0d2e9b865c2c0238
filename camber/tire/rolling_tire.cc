// Two deflections u, w take up the slip and lose it as the tread leaves the contact,
//   u' = s_x (-V_sx - V_t u / sigma_x),   w' = s_y (V_sy - V_t w / sigma_y),              (1)
// and the steady model sees kappa' = u / sigma_x, tan(alpha') = w / sigma_y. At speed s_x = s_y = 1
// and the transport speed V_t = |V_x|: they follow kappa and tan(alpha) over the way sigma. At rest
// they are springs, which hold a car on a slope without creeping.
//
// A wheel that slides to a stop springs back by what its springs have taken up. So they take up
// little, a standing deflection u_0: with V^2 = V_x^2 + V_y^2 + V_sx^2 and r = (1 - V^2 /
// V_low^2)^2, 1 at rest and 0 from the low speed V_low on, sigma goes down to sigma_0 = u_0 / e_0,
//   s = sigma / (sigma + r (sigma_0 - sigma)).                                            (2)
// A tread that slides without rolling has to end somewhere: with s' the length of (kappa' / e_x,
// tan(alpha') / e_y),
//   V_t = |V_x| + |V_s| s'^8,   e = 3 + r (e_0 - 3),   e_0 = 1.25 mu Fz / K.              (3)
// At speed this is far beyond where all models slide, and without effect (1e-8) where they do not;
// at rest it is where the force comes near its peak, and the damping below does the rest.
//
// Near standstill the springs are damped with the time tau, in the slip and hence within friction:
//   kappa' -= d V_sx,  tan(alpha') += d V_sy,  d = (tau / sigma_0) (1 - V^2 / V_d^2)^2.   (4)
//
// The trail changes ends with the direction of rolling, so that
//   Mz = Mz(steady) (V_x / sqrt(V_x^2 + V_m^2))^3.                                        (5)
// Without the power it were a moment in proportion to V_x at rest; where the wheel's center swings
// about the kingpin, V_x is the steering's rate, and a side force of one sign (cars come to rest
// with their wheels pressed apart) drove the steering on: a trail of 0.1 m outdid its damping.
#include "camber/tire/rolling_tire.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "camber/core/require.h"
#include "camber/math/polygon.h"
#include "camber/symbolic/expr.h"
#include "camber/tire/scalars.h"

namespace camber::tire {
namespace {

constexpr double kEndOfSlip = 3;
constexpr double kStandingEnd = 1.25;    // of mu Fz / K
constexpr double kLeastEnd = 0.03;       // of slip: on ice 1 ms would be too long a step
constexpr double kLeastFriction = 1e-4;  // models have no peak without any
constexpr double kStraightening = 20;    // off the ground [1/s]
constexpr double kSignSpeed = 0.05;      // [m/s]: about where a sign has become one
constexpr double kDampedSpeed = 0.5;     // V_d [m/s]
constexpr double kTrailSpeed = 0.1;      // V_m [m/s]

template <class T>
T soft_sign(const T& speed) {
  return speed / length(speed, T(kSignSpeed));
}

/// From -1 backward to 1 forward, flat where the wheel stands. (5)
template <class T>
T calc_turned_trail(const T& speed) {
  const T sign = speed / length(speed, T(kTrailSpeed));
  return sign * sign * sign;
}

template <class T>
T power_8(const T& x) {
  const T x2 = x * x, x4 = x2 * x2;
  return x4 * x4;
}

/// How the tread behaves at a speed, along or across.
template <class T>
struct TreadAxis {
  T shortening{1};                // s of (2)
  T inverse_end{1 / kEndOfSlip};  // 1 / e of (3)
  T damping{0};                   // d of (4) [s/m]
};

template <class T>
struct Tread {
  TreadAxis<T> x, y;
};

template <class Model, class T>
Tread<T> calc_tread(const Model& model, const RollingTire& tire, const WheelContact<T>& c,
                    const T& Fz, const T& speed2) {
  using math::select;
  const auto fade = [&](double speed) {
    const T part = larger(T(1.0 - speed2 / (speed * speed)), T(0));
    return T(part * part);
  };
  const T rest = fade(tire.low_speed);
  if (surely(rest <= 0.0)) return {};
  const SlipStiffness<T> K = calc_slip_stiffness(model, Fz, larger(c.friction, T(kLeastFriction)));
  const T damping = tire.standing_damping_time * fade(kDampedSpeed);
  const auto calc_axis = [&](const T& stiffness, double sigma) {
    const auto carries = stiffness > 0.0;
    const T near_peak = kStandingEnd * c.friction * Fz / select(carries, stiffness, T(1));
    const T e_0 = select(carries, larger(near_peak, T(kLeastEnd)), T(kEndOfSlip));
    const T sigma_0 = smaller(T(tire.standing_deflection / e_0), T(sigma));
    return TreadAxis<T>{sigma / (sigma + rest * (sigma_0 - sigma)),
                        1.0 / (kEndOfSlip + rest * (e_0 - kEndOfSlip)), damping / sigma_0};
  };
  return {calc_axis(K.Kx, tire.relaxation_along), calc_axis(K.Ky, tire.relaxation_across)};
}

/// How far a tire has come down: 0 where it touches, 1 where its spring has come to what its damper
/// would do. What jumped where a wheel lands would cost a step its order.
template <class T>
T calc_share_down(const RollingTire& tire, const WheelContact<T>& c, const T& spring) {
  using std::abs;
  const T damper = tire.vertical.damping * abs(c.deflection_rate);
  return spring / larger(T(larger(spring, damper)), T(1e-300));
}

/// Load and radius, and the powers of the load's spring and damper. `down` is calc_share_down().
template <class T>
TireResult<T> press(const RollingTire& tire, const WheelContact<T>& c, T* down) {
  using math::select;
  TireResult<T> result;
  const T spring = calc_static_load(tire.vertical, c.deflection);
  *down = calc_share_down(tire, c, spring);
  const T damper = tire.vertical.damping * *down * c.deflection_rate;
  result.Fz = select(c.deflection > 0.0, larger(T(spring + damper), T(0)), T(0));
  result.rolling_radius = calc_rolling_radius(tire, c.deflection);
  result.sliding_power = T(0);
  result.damping_power = (spring - result.Fz) * c.deflection_rate;
  result.stored_power = spring * c.deflection_rate;
  return result;
}

template <class T>
T calc_rolling_moment(const RollingTire& tire, const TireResult<T>& result, const T& rolls) {
  return -tire.rolling_resistance * result.Fz * result.rolling_radius * rolls;
}

template <class Model, class T>
TireResult<T> calc_tire_of(const Model& model, const RollingTire& tire, const WheelContact<T>& c,
                           const TireState<T>& state) {
  using math::select;
  using std::abs;
  using std::sqrt;
  T down;
  TireResult<T> result = press(tire, c, &down);
  const T pressed = larger(c.deflection, T(0));
  const T V_rolling = c.omega * result.rolling_radius;
  const T V_sx = c.Vx - V_rolling, V_sy = c.Vy;

  Slip<T> slip{.kappa = state.u / tire.relaxation_along,
               .tan_alpha = state.w / tire.relaxation_across,
               .gamma = c.gamma,
               .Fz = result.Fz,
               .friction = larger(c.friction, T(kLeastFriction))};
  slip.half_length = 0.5 * sqrt(2.0 * tire.radius * pressed + 1e-12);
  const T speed2 = c.Vx * c.Vx + c.Vy * c.Vy + V_sx * V_sx;
  const Tread<T> tread = calc_tread(model, tire, c, result.Fz, speed2);
  const T end =
      power_8(length(T(slip.kappa * tread.x.inverse_end), T(slip.tan_alpha * tread.y.inverse_end)));
  const T V_t = abs(c.Vx) + length(V_sx, V_sy) * end;  // (3)
  const T loss_x = V_t * slip.kappa, loss_y = V_t * slip.tan_alpha;
  const T bending_x = -V_sx - loss_x, bending_y = V_sy - loss_y;
  // Off the ground the tread straightens, and takes up slip as it comes down.
  const T straightening = (1.0 - down) * kStraightening;
  result.rates.u = down * tread.x.shortening * bending_x - straightening * state.u;  // (1)
  result.rates.w = down * tread.y.shortening * bending_y - straightening * state.w;  // (1)

  slip.kappa = slip.kappa - tread.x.damping * V_sx;          // (4)
  slip.tan_alpha = slip.tan_alpha + tread.y.damping * V_sy;  // (4)

  slip.direction = soft_sign(c.Vx);
  slip.speed = c.Vx;
  result.force = calc_steady_force(model, slip);
  result.force.Mz = result.force.Mz * calc_turned_trail(c.Vx);  // (5)
  const T rolls = soft_sign(V_rolling);
  if constexpr (std::is_same_v<Model, MagicFormulaTire>) {
    result.force.My = result.force.My * rolls;
  } else {
    result.force.My = calc_rolling_moment(tire, result, rolls);
  }
  const TireForce<T>& F = result.force;
  result.sliding_power = F.Fy * loss_y - F.Fx * loss_x;
  result.tread_power = F.Fx * bending_x - F.Fy * bending_y;
  result.stored_power = result.stored_power + result.tread_power;
  return result;
}

}  // namespace

template <class T>
T calc_static_load(const VerticalLaw& law, const T& deflection) {
  using math::select;
  return select(deflection > 0.0, math::look_up(law.deflection, law.force, deflection), T(0));
}

double calc_spring_energy(const VerticalLaw& law, double deflection) {
  double energy = 0;
  const std::size_t n = law.deflection.size();
  for (std::size_t k = 0; k + 1 < n && deflection > law.deflection[k]; ++k) {
    const double slope =
        (law.force[k + 1] - law.force[k]) / (law.deflection[k + 1] - law.deflection[k]);
    const double end = k + 2 == n ? deflection : std::min(deflection, law.deflection[k + 1]);
    const double way = end - law.deflection[k];
    energy += way * (law.force[k] + 0.5 * slope * way);
  }
  return energy;
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
T calc_rolling_radius(const RollingTire& tire, const T& deflection) {
  using std::atan;
  const T pressed = larger(deflection, T(0));
  if (!tire.rolling_radius) return tire.radius - pressed * (1.0 / 3.0);
  const RollingRadiusLaw& law = *tire.rolling_radius;
  return tire.radius - law.unit * law.D * atan(T(pressed * (law.B / law.unit))) - law.F * pressed;
}

template <class T>
TireResult<T> calc_tire(const RollingTire& tire, const WheelContact<T>& c,
                        const TireState<T>& state) {
  if (tire.constraint) {
    T down;
    TireResult<T> result = press(tire, c, &down);
    const T rolls = soft_sign(T(c.omega * result.rolling_radius));
    result.force.My = calc_rolling_moment(tire, result, rolls);
    return result;
  }
  return std::visit([&](const auto& model) { return calc_tire_of(model, tire, c, state); },
                    tire.steady);
}

#define CAMBER_INSTANTIATE(T)                                   \
  template T calc_static_load(const VerticalLaw&, const T&);    \
  template T calc_rolling_radius(const RollingTire&, const T&); \
  template TireResult<T> calc_tire(const RollingTire&, const WheelContact<T>&, const TireState<T>&);
CAMBER_FOR_EACH_TIRE_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

double calc_standing_stiffness(const RollingTire& tire, double load, double friction) {
  const double K = std::visit(
      [&](const auto& model) {
        return calc_slip_stiffness(model, load, std::max(friction, kLeastFriction)).Kx;
      },
      tire.steady);
  const double e_0 = std::max(kStandingEnd * friction * load / K, kLeastEnd);
  return K / std::min(tire.standing_deflection / e_0, tire.relaxation_along);
}

}  // namespace camber::tire
