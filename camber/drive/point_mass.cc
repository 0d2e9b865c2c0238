#include "camber/drive/point_mass.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"
#include "camber/math/polygon.h"
#include "camber/tire/scalars.h"

namespace camber::drive {
namespace {

/// A traction curve at a speed. A single number finds its side, lanes and duals look at all of
/// them.
template <class T>
T look_up_force(const std::vector<double>& speeds, const std::vector<double>& forces,
                const T& speed) {
  if constexpr (std::is_same_v<T, double>) {
    const auto next = std::upper_bound(speeds.begin() + 1, speeds.end() - 1, speed);
    const std::ptrdiff_t k = next - speeds.begin() - 1;
    const double inside = std::clamp(speed, speeds.front(), speeds.back());
    return forces[k] +
           (inside - speeds[k]) * (forces[k + 1] - forces[k]) / (speeds[k + 1] - speeds[k]);
  } else {
    return math::look_up_held(speeds, forces, speed);
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
  const SlopePull<T> pull = calc_slope_pull(ground, c, s);
  const T grip = vehicle.grip * ground.friction * pull.normal;  // [m/s^2]

  const T closed = look_up_force(vehicle.traction.speed, vehicle.traction.closed, state.speed);
  const T full = look_up_force(vehicle.traction.speed, vehicle.traction.full, state.speed);
  const driveline::BrakeTorque<T> brake = calc_brake(
      vehicle.brake, T(inputs.brake), T(state.speed / vehicle.rolling_radius), state.brake_twist);
  const T wanted =
      closed + inputs.throttle * (full - closed) + 4.0 * brake.torque / vehicle.rolling_radius;

  PointMassResult<T> result;
  result.tire_force = limit(wanted, T(vehicle.mass * grip));
  result.resistance = vehicle.drag * state.speed * abs(state.speed) +
                      vehicle.rolling * vehicle.mass * pull.normal * soft_sign(state.speed);
  const T along = result.tire_force / vehicle.mass;
  const T room = sqrt(grip * grip - along * along + 1e-12);
  const T turn = std::tan(inputs.steer) / vehicle.wheelbase * state.speed;  // [rad/s]
  result.lateral_acceleration = limit(T(turn * state.speed), room);
  // Equal to `turn` where friction suffices; at rest neither turns.
  const T held = abs(turn * state.speed) + 1e-12;
  result.rates.yaw = turn * (abs(result.lateral_acceleration) + 1e-12) / held;
  result.rates.x = state.speed * c;
  result.rates.y = state.speed * s;
  result.rates.speed = along + pull.ahead - result.resistance / vehicle.mass;
  result.rates.brake_twist = brake.twist_rate;
  return result;
}

PointMass make_hmmwv_point_mass() {
  PointMass vehicle;
  vehicle.traction = calc_traction_curve(driveline::make_hmmwv_driveline(), vehicle.rolling_radius);
  return vehicle;
}

#define CAMBER_INSTANTIATE(T)                                                             \
  template PointMassResult<T> calc_point_mass(const PointMass&, const PointMassState<T>&, \
                                              const SimpleInputs&, const SimpleGround<T>&);
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(tire::Dual)
CAMBER_INSTANTIATE(tire::Lanes)
#undef CAMBER_INSTANTIATE

}  // namespace camber::drive
