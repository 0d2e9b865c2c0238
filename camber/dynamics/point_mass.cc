#include "camber/dynamics/point_mass.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"
#include "camber/math/polygon.h"
#include "camber/tire/scalars.h"

namespace camber::dynamics {
namespace {

/// A traction curve at a speed and throttle.
template <class T>
struct Traction {
  T force, rotating_mass;  // [N], [kg]
};

/// A single number finds its side, lanes and duals look at all of them.
template <class T>
Traction<T> look_up_traction(const TractionCurve& c, const T& speed, double throttle) {
  const double level = std::clamp(throttle, 0.0, 1.0) * static_cast<double>(c.force.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(level), c.force.size() - 2);
  const double share = level - static_cast<double>(low);
  const auto between = [&](const std::vector<std::vector<double>>& y, const auto& at) {
    const T less = at(y[low]), more = at(y[low + 1]);
    return T(less + share * (more - less));
  };
  if constexpr (std::is_same_v<T, double>) {
    const auto next = std::upper_bound(c.speed.begin() + 1, c.speed.end() - 1, speed);
    const std::ptrdiff_t k = next - c.speed.begin() - 1;
    const double inside = std::clamp(speed, c.speed.front(), c.speed.back());
    const double part = (inside - c.speed[k]) / (c.speed[k + 1] - c.speed[k]);
    const auto at = [&](const std::vector<double>& y) { return y[k] + part * (y[k + 1] - y[k]); };
    return {between(c.force, at), between(c.mass, at)};
  } else {
    const auto at = [&](const std::vector<double>& y) {
      return math::look_up_held(c.speed, y, speed);
    };
    return {between(c.force, at), between(c.mass, at)};
  }
}

}  // namespace

// docs/theory/drivers.md, section 5. Along comes first, and what it leaves of the friction circle
// bounds the turn.
template <class T>
PointMassResult<T> calc_point_mass(const PointMass& vehicle, const PointMassState<T>& state,
                                   const SimpleInputs& inputs, const SimpleGround<T>& ground) {
  using math::sincos;
  using std::abs, std::sqrt, std::tan;
  T s, c;
  sincos(state.yaw, &s, &c);
  const SlopePull<T> pull = calc_slope_pull(ground, vehicle.gravity, c, s);
  const T grip_along = vehicle.grip_along * ground.friction * pull.normal;    // [m/s^2]
  const T grip_across = vehicle.grip_across * ground.friction * pull.normal;  // [m/s^2]

  const double radius = vehicle.rolling_radius;
  const Traction<T> traction = look_up_traction(vehicle.traction, state.speed, inputs.throttle);
  const SimpleBraking<T> brakes = calc_simple_brakes(
      vehicle.brakes, inputs, T(state.speed / radius), state.brake_twist, state.brake_pressure);
  const T wanted = traction.force + (brakes.front + brakes.rear) / radius;

  PointMassResult<T> result;
  result.tire_force = limit(wanted, T(vehicle.mass * grip_along));
  result.resistance = vehicle.drag * state.speed * abs(state.speed) +
                      vehicle.rolling * vehicle.mass * pull.normal * soft_sign(state.speed);
  const T along = result.tire_force / vehicle.mass;
  const T share = along / grip_along;
  const T room = grip_across * sqrt(1.0 - share * share + 1e-12);
  const T turn = std::tan(inputs.steer) / vehicle.wheelbase * state.speed;  // [rad/s]
  result.lateral_acceleration = limit(T(turn * state.speed), room);
  // Equal to `turn` where friction suffices; at rest neither turns.
  const T held = abs(turn * state.speed) + 1e-12;
  result.rates.yaw = turn * (abs(result.lateral_acceleration) + 1e-12) / held;
  result.rates.x = state.speed * c;
  result.rates.y = state.speed * s;
  result.rotating_mass = traction.rotating_mass + vehicle.wheel_inertia / (radius * radius);
  result.rates.speed = (result.tire_force + vehicle.mass * pull.ahead - result.resistance) /
                       (vehicle.mass + result.rotating_mass);
  result.rates.brake_twist = brakes.twist_rate;
  result.rates.brake_pressure = brakes.pressure_rate;
  return result;
}

#define CAMBER_INSTANTIATE(T)                                                             \
  template PointMassResult<T> calc_point_mass(const PointMass&, const PointMassState<T>&, \
                                              const SimpleInputs&, const SimpleGround<T>&);
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(tire::Dual)
CAMBER_INSTANTIATE(tire::Lanes)
#undef CAMBER_INSTANTIATE

}  // namespace camber::dynamics
