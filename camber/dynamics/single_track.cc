#include "camber/dynamics/single_track.h"

#include <type_traits>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"
#include "camber/tire/scalars.h"

namespace camber::dynamics {
namespace {

/// |speed|, but never less than about half a meter per second, so that a vehicle at rest has slip
/// angles; exact from there on, with a continuous slope.
template <class T>
T never_zero(const T& speed) {
  using math::select;
  using std::abs;
  constexpr double kLeast = 0.5;
  const T faster = abs(speed);
  return select(faster > kLeast, faster, T((speed * speed + kLeast * kLeast) / (2 * kLeast)));
}

/// Tires divide by the ground's friction; on ground without any they give about nothing.
constexpr double kLeastFriction = 1e-4;

/// Fills in `across`, and bounds `along` by what the tires can give. What they give along is not
/// left for the other: an ellipse.
template <class T>
void calc_axle_force(const AxleTire& axle_tire, double tires, double grip, const T& friction,
                     AxleForce<T>* force) {
  using math::select;
  using std::sqrt;
  std::visit(
      [&](const auto& one) {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, LinearAxle>) {
          force->across = -one.stiffness * force->tan_slip;
        } else {
          const T most = grip * friction * force->load + 1e-9;
          force->along = limit(force->along, T(0.99 * most));
          const T share = force->along / most;
          const tire::Slip<T> slip{
              .kappa = T(0),
              .tan_alpha = force->tan_slip,
              .Fz = (1 / tires) * force->load,
              .friction = select(friction > kLeastFriction, friction, T(kLeastFriction))};
          force->across = tires * sqrt(1.0 - share * share) * calc_steady_force(one, slip).Fy;
        }
      },
      axle_tire);
}

/// Whether the first differential, which drives axles or groups of them, locks in low range.
bool has_lock(const driveline::Driveline& d) {
  return !d.differentials.empty() && d.differentials[0].low_range_lock > 0 &&
         d.differentials[0].outputs[0].wheel < 0;
}

}  // namespace

template <class T>
SingleTrackResult<T> calc_single_track(const SingleTrack& vehicle, const SingleTrackState<T>& state,
                                       const SimpleInputs& inputs, const driveline::GearState& gear,
                                       const SimpleGround<T>& ground) {
  using math::select, math::sincos;
  using std::abs;
  T s, c;
  sincos(state.yaw, &s, &c);
  const double cd = std::cos(inputs.steer), sd = std::sin(inputs.steer);
  const SlopePull<T> pull = calc_slope_pull(ground, vehicle.gravity, c, s);
  const T &u = state.forward, &v = state.left, &r = state.turn;

  // Engine and brakes, at wheels that roll.
  const T wheel_speed = u / vehicle.rolling_radius;
  const driveline::DriveInputs drive{
      .throttle = inputs.throttle, .is_low_range = inputs.is_low_range, .gear = gear};
  const driveline::DrivelineResult<T> driven =
      calc_engine_side(vehicle.driveline, drive, state.engine_speed, wheel_speed);
  const SimpleBraking<T> brakes = calc_simple_brakes(vehicle.brakes, inputs, wheel_speed,
                                                     state.brake_twist, state.brake_pressure);

  SingleTrackResult<T> result;
  AxleForce<T>&front = result.front, &rear = result.rear;
  front.along =
      (vehicle.front_drive * driven.output_torque + brakes.front) / vehicle.rolling_radius;
  rear.along =
      ((1 - vehicle.front_drive) * driven.output_torque + brakes.rear) / vehicle.rolling_radius;

  // The load follows what is accelerated along.
  const double wheelbase = vehicle.front + vehicle.rear;
  const T weight = vehicle.mass * pull.normal;
  const T moved = (front.along + rear.along) * (vehicle.height / wheelbase);
  const auto not_negative = [](const T& x) { return T(select(x < 0.0, T(0), x)); };
  front.load = not_negative(T(weight * (vehicle.rear / wheelbase) - moved));
  rear.load = not_negative(T(weight * (vehicle.front / wheelbase) + moved));

  // In low range axles that are locked to each other rotate alike: what one cannot give the other
  // does.
  if (inputs.is_low_range && has_lock(vehicle.driveline)) {
    const auto excess = [&](const AxleForce<T>& axle) {
      return T(axle.along -
               limit(axle.along, T(0.99 * vehicle.grip * ground.friction * axle.load)));
    };
    const T too_much_in_front = excess(front), too_much_behind = excess(rear);
    front.along += too_much_behind;
    rear.along += too_much_in_front;
  }

  const T front_left = v + vehicle.front * r, rear_left = v - vehicle.rear * r;
  front.tan_slip = (front_left * cd - u * sd) / never_zero(T(u * cd + front_left * sd));
  rear.tan_slip = rear_left / never_zero(u);
  calc_axle_force(vehicle.front_tire, vehicle.front_tires, vehicle.grip, ground.friction, &front);
  calc_axle_force(vehicle.rear_tire, vehicle.rear_tires, vehicle.grip, ground.friction, &rear);

  result.resistance = vehicle.drag * u * abs(u) + vehicle.rolling * weight * soft_sign(u);
  const T ahead = front.along * cd - front.across * sd + rear.along - result.resistance +
                  vehicle.mass * pull.ahead;
  const T front_across = front.across * cd + front.along * sd;
  const T left = front_across + rear.across + vehicle.mass * pull.left;
  const double wheels =
      vehicle.wheel_inertia / (vehicle.rolling_radius * vehicle.rolling_radius);  // as a mass [kg]
  SingleTrackState<T>& rates = result.rates;
  rates.x = u * c - v * s;
  rates.y = u * s + v * c;
  rates.yaw = r;
  rates.forward = (ahead + vehicle.mass * v * r) / (vehicle.mass + wheels);
  rates.left = left / vehicle.mass - u * r;
  rates.turn = (vehicle.front * front_across - vehicle.rear * rear.across) / vehicle.yaw_inertia;
  rates.engine_speed = driven.engine_rate;
  rates.brake_twist = brakes.twist_rate;
  rates.brake_pressure = brakes.pressure_rate;
  result.acceleration_ahead = rates.forward - v * r;
  result.acceleration_left = rates.left + u * r;
  return result;
}

double calc_gearbox_speed(const SingleTrack& vehicle, const SingleTrackState<double>& state,
                          const SimpleInputs& inputs) {
  return state.forward / vehicle.rolling_radius *
         output_ratio(vehicle.driveline, inputs.is_low_range);
}

driveline::ShiftView view_for_shifts(const SingleTrack& vehicle,
                                     const SingleTrackState<double>& state,
                                     const SimpleInputs& inputs, const driveline::GearState& gear,
                                     double acceleration) {
  const double wheel_speed = state.forward / vehicle.rolling_radius;
  const auto driven = calc_engine_side(
      vehicle.driveline,
      {.throttle = inputs.throttle, .is_low_range = inputs.is_low_range, .gear = gear},
      state.engine_speed, wheel_speed);
  const auto brakes = calc_simple_brakes(vehicle.brakes, inputs, wheel_speed, state.brake_twist,
                                         state.brake_pressure);
  return {
      .throttle = inputs.throttle,
      .output_speed = calc_gearbox_speed(vehicle, state, inputs),
      .turbine_torque = driven.turbine_torque,
      .is_low_range = inputs.is_low_range,
      .held_gear = inputs.held_gear,
      .wheel_force = (driven.output_torque + brakes.front + brakes.rear) / vehicle.rolling_radius,
      .acceleration = acceleration,
      .mass = vehicle.mass,
      .wheel_radius = vehicle.rolling_radius};
}

driveline::GearState make_rolling_gear(const SingleTrack& vehicle, double speed) {
  return settle_gear(vehicle.driveline, speed / vehicle.rolling_radius, 0);
}

SingleTrackState<double> make_rolling_state(const SingleTrack& vehicle, double speed) {
  SingleTrackState<double> state;
  state.forward = speed;
  state.engine_speed = settle_engine(vehicle.driveline, {.gear = make_rolling_gear(vehicle, speed)},
                                     speed / vehicle.rolling_radius);
  return state;
}

#define CAMBER_INSTANTIATE(T)                                              \
  template SingleTrackResult<T> calc_single_track(                         \
      const SingleTrack&, const SingleTrackState<T>&, const SimpleInputs&, \
      const driveline::GearState&, const SimpleGround<T>&);
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(tire::Dual)
CAMBER_INSTANTIATE(tire::Lanes)
#undef CAMBER_INSTANTIATE

}  // namespace camber::dynamics
