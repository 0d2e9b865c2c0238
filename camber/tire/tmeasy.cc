// [Rill, Arrieta Castro 2020] chapter 3. At the load Fz = q p_n forces and slopes are
//   y(q) = q (2 y1 - y2 / 2 - (y1 - y2 / 2) q)                                              (1)
// through zero, y1 and y2; slips go linearly through theirs. In a direction (c, s) between along
// and across each of the five figures is that of an ellipse,
//   y = sqrt((y_x c)^2 + (y_y s)^2).                                                          (2)
// The curve: a rational function up to the peak, whose slope at zero has to be 2 f_m / s_m at
// least,
//   f = f'0 s / (1 + n (n + f'0 s_m / f_m - 2)),  n = s / s_m,                                (3)
// then a parabola that has its curvature there, a second one into the sliding force, or a cubic
// where the first would not meet the second in time.
#include "camber/tire/tmeasy.h"

#include <cmath>

#include "camber/symbolic/expr.h"
#include "camber/tire/rolling_slip.h"
#include "camber/tire/scalars.h"

namespace camber::tire {
namespace {

template <class T>
T at_load(const T& q, double one, double two) {  // (1)
  return q * ((2 * one - 0.5 * two) - (one - 0.5 * two) * q);
}

template <class T>
T calc_load_ratio(const TmeasyTire& tire, const T& Fz) {
  return smaller(Fz, T(tire.max_load)) * (1 / tire.nominal_load);
}

template <class T>
T between(const T& q, double one, double two) {
  return one + (two - one) * (q - 1.0);
}

template <class T>
struct CurveAtLoad {
  T slope, peak, sliding, peak_slip, sliding_slip;
};

// Less friction lowers the forces and lets them come at smaller slips: the slope stays.
template <class T>
CurveAtLoad<T> calc_curve(const TmeasyCurve (&curve)[2], const T& q, const T& friction) {
  return {at_load(q, curve[0].slope, curve[1].slope),
          friction * at_load(q, curve[0].peak, curve[1].peak),
          friction * at_load(q, curve[0].sliding, curve[1].sliding),
          friction * between(q, curve[0].peak_slip, curve[1].peak_slip),
          friction * between(q, curve[0].sliding_slip, curve[1].sliding_slip)};
}

// The slope at zero times the peak's slip, raised to what (3) needs.
template <class T>
T calc_steepness(const CurveAtLoad<T>& k) {
  return larger(T(k.slope * k.peak_slip), T(2.0 * k.peak));
}

template <class T>
T calc_slope(const CurveAtLoad<T>& k) {
  return calc_steepness(k) / k.peak_slip;
}

// f / s beyond the peak.
template <class T>
T calc_falling(const CurveAtLoad<T>& k, const T& steepness, const T& s) {
  using math::select;
  const T ratio = k.peak / k.peak_slip;
  const T curvature = ratio * ratio / steepness;
  const T span = k.sliding_slip - k.peak_slip;
  const T meeting = k.peak_slip + (k.peak - k.sliding) / (curvature * span);
  const T past = s - k.peak_slip, left = k.sliding_slip - s;
  const auto meets = meeting <= k.sliding_slip;
  const T tail = select(meets, T(k.sliding_slip - meeting), T(1));
  const T second = k.sliding + curvature * (meeting - k.peak_slip) /
                                   select(tail > 0.0, tail, T(1)) * left * left;
  const T two_parabolas = select(s <= meeting, T(k.peak - curvature * past * past), second);
  const T part = past / span;
  const T cubic = k.peak - (k.peak - k.sliding) * part * part * (3.0 - 2.0 * part);
  return select(s < k.sliding_slip, select(meets, two_parabolas, cubic), k.sliding) / s;
}

// The trail over the contact's length: falls to zero, overshoots, ends at zero.
template <class T>
T calc_trail_share(const TmeasyTire& tire, const T& q, const T& sy) {
  using math::select;
  using std::abs;
  const T zero = between(q, tire.trail_zero[0], tire.trail_zero[1]);
  const T end = between(q, tire.trail_end[0], tire.trail_end[1]);
  const T n0 = between(q, tire.trail[0], tire.trail[1]);
  const T both = 1.0 / (zero * end);
  const T size = abs(sy), s = size * end * both, w = zero * zero * both;
  const T falling = (1.0 - w) * (1.0 - s) + w * (1.0 - (3.0 - 2.0 * s) * s * s);
  const auto falls = size <= zero;
  if (surely(falls)) return n0 * falling;
  const T left = (end - size) / (end - zero);
  const T overshoot = -(1.0 - w) * (s - 1.0) * left * left;
  return n0 * select(falls, falling, select(size < end, overshoot, T(0)));
}

}  // namespace

template <class T>
TireForce<T> calc_tmeasy_force(const TmeasyTire& tire, const T& sx, const T& sy,
                               const Slip<T>& slip) {
  using math::select;
  const auto carries = slip.Fz > 0.0;
  const T q = select(carries, calc_load_ratio(tire, slip.Fz), T(1));
  const CurveAtLoad<T> x = calc_curve(tire.along, q, slip.friction);
  const CurveAtLoad<T> y = calc_curve(tire.across, q, slip.friction);
  constexpr double kLeastSlip = 1e-9;
  const T slipping = length(sx, sy), s = larger(slipping, T(kLeastSlip));
  const auto has_direction = slipping > kLeastSlip;
  const T inverse = 1.0 / s;
  const T c = select(has_direction, T(sx * inverse), T(1));
  const T sn = select(has_direction, T(sy * inverse), T(0));
  const auto mix = [&](const T& along, const T& across) {  // (2)
    return length(T(along * c), T(across * sn));
  };
  CurveAtLoad<T> k;
  k.slope = mix(x.slope, y.slope);
  k.peak = mix(x.peak, y.peak);
  k.peak_slip = mix(x.peak_slip, y.peak_slip);
  const T steepness = calc_steepness(k);
  // (3) times s_m^2 f_m, over s, which has a value at s = 0.
  const T s_m = k.peak_slip;
  T stiffness = steepness * s_m * k.peak /
                (s_m * s_m * k.peak + s * ((s - 2.0 * s_m) * k.peak + steepness * s_m));
  const auto is_rising = s < s_m;
  if (!surely(is_rising)) {
    k.sliding = mix(x.sliding, y.sliding);
    k.sliding_slip = mix(x.sliding_slip, y.sliding_slip);
    stiffness = select(is_rising, stiffness, calc_falling(k, steepness, s));
  }
  TireForce<T> force;
  T stiffness_x = stiffness, stiffness_y = stiffness;
  if (!surely(has_direction)) {
    // Where the slip has no direction the ellipse has no slope: each axis takes its own.
    stiffness_x = select(has_direction, stiffness, calc_slope(x));
    stiffness_y = select(has_direction, stiffness, calc_slope(y));
  }
  force.Fx = select(carries, T(stiffness_x * sx), T(0));
  force.Fy = select(carries, T(stiffness_y * sy), T(0));
  force.Mz = -2.0 * slip.half_length * calc_trail_share(tire, q, sy) * force.Fy;
  return force;
}

template <class T>
TireForce<T> calc_steady_force(const TmeasyTire& tire, const Slip<T>& slip) {
  const RollingSlip<T> sigma = calc_rolling_slip(slip);
  return calc_tmeasy_force(tire, sigma.x, T(-sigma.y), slip);
}

template <class T>
SlipStiffness<T> calc_slip_stiffness(const TmeasyTire& tire, const T& Fz, const T& /*friction*/) {
  using math::select;
  const auto carries = Fz > 0.0;
  const T q = select(carries, calc_load_ratio(tire, Fz), T(1));
  return {select(carries, calc_slope(calc_curve(tire.along, q, T(1))), T(0)),
          select(carries, calc_slope(calc_curve(tire.across, q, T(1))), T(0))};
}

#define CAMBER_INSTANTIATE(T)                                                                     \
  template TireForce<T> calc_steady_force(const TmeasyTire&, const Slip<T>&);                     \
  template TireForce<T> calc_tmeasy_force(const TmeasyTire&, const T&, const T&, const Slip<T>&); \
  template SlipStiffness<T> calc_slip_stiffness(const TmeasyTire&, const T&, const T&);
CAMBER_FOR_EACH_TIRE_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::tire
