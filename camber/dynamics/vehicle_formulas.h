#pragma once

// Loads on a chassis other than those of the ground, as templates that a vehicle in doubles
// (DrivenVehicle) and vehicles in lanes (LaneVehicles) share. docs/theory/driving.md, sections 2
// and 5.

#include <cmath>

#include "camber/dynamics/equipment.h"
#include "camber/dynamics/wheel_on_ground.h"
#include "camber/math/scalar.h"
#include "camber/math/vec3.h"

namespace camber::dynamics {

/// x within the limit, its corners rounded by parabolas over a fifth of the limit on both sides: a
/// corner that is passed within a step costs as much as the rest of the step's error.
template <class T>
T bound_softly(const T& x, const T& limit) {
  using math::all, math::select;
  using std::abs;
  const T round = 0.2 * limit, size = abs(x), beyond = size - limit + round;
  const auto is_within = beyond <= 0.0;
  if (all(is_within)) return x;
  const T held = select(beyond >= 2.0 * round, limit, T(size - beyond * beyond / (4.0 * round)));
  return select(is_within, x, select(x < 0.0, T(-held), held));
}

/// Action of a SteeringGear on the vehicle.
template <class T>
struct PowerSteering {
  T lag{1}, max_rate{0}, stiffness{0}, damping{0}, max_torque{0};  // as SteeringGear
};

inline PowerSteering<double> power_steering_of(const SteeringGear& gear) {
  return {gear.lag, gear.max_rate, gear.stiffness, gear.damping, gear.max_torque};
}

template <class T>
struct SteeringLoad {
  T rate;    // of the power steering's own state
  T torque;  // on the pitman arm [N m], or on the rack [N]
};

/// The power steering `state` follows the request with its lag, no faster than its max rate; it acts
/// on the pitman arm or rack through the soft shaft, with no more torque than the pump gives.
template <class T>
SteeringLoad<T> calc_power_steering(const PowerSteering<T>& gear, const T& request, const T& state,
                                    const T& position, const T& position_rate) {
  SteeringLoad<T> load;
  load.rate = bound_softly(T((request - state) / gear.lag), gear.max_rate);
  const T torque = gear.stiffness * (state - position) + gear.damping * (load.rate - position_rate);
  load.torque = bound_softly(torque, gear.max_torque);
  return load;
}

/// As AirDrag.
template <class T>
struct BasicAirDrag {
  T drag_area{0}, density{0};
  Vec3<T> center;
};

template <class T>
struct AirLoad {
  Vec3<T> force, torque;  // on the chassis body at its frame's origin [N], [N m]
  T power;                // [W]
};

template <class T>
AirLoad<T> calc_air_load(const BasicAirDrag<T>& air, const math::Mat3<T>& R_WB, const Vec3<T>& v_WB,
                         const Vec3<T>& w_WB) {
  using std::sqrt;
  const Vec3<T> arm = R_WB * air.center;
  const Vec3<T> velocity = v_WB + cross(w_WB, arm);
  const T speed = sqrt(dot(velocity, velocity));
  AirLoad<T> load;
  load.force = velocity * T(-0.5 * air.density * air.drag_area * speed);
  load.torque = cross(arm, load.force);
  load.power = dot(load.force, velocity);
  return load;
}

/// Speed of the shaft to a wheel: relative to the hub, plus, by the fraction of the axle torque
/// that reacts on the chassis, that of the hub relative to the chassis. The power into the shafts
/// then equals the power at the wheels exactly.
template <class T>
T calc_shaft_speed(const WheelMotion<T>& motion, const T& reaction_share, const Vec3<T>& w_WB) {
  return motion.spin + reaction_share * dot(motion.axis, motion.hub_turn_rate - w_WB);
}

/// Powers of all wheels.
template <class T>
struct WheelPowers {
  T to_wheels{0}, to_brakes{0}, to_tires{0}, to_treads{0}, to_springs{0};  // [W]

  void add(const T& drive_torque, const T& brake_torque, const T& shaft_speed,
           const WheelForces<T>& f) {
    to_wheels += drive_torque * shaft_speed;
    to_brakes -= brake_torque * shaft_speed;
    to_tires -= f.sliding_power + f.rolling_power + f.damping_power;
    to_treads += f.tread_power;
    to_springs += f.stored_power - f.tread_power;
  }
};

/// Rates of the accounts, in the order of EnergyAccounts' places in the state. The power into the
/// tires is computed by the tires themselves, at their contacts. That it equals the power of their
/// forces on the wheels is a law (docs/theory/tires.md (8)), which the balance checks.
template <class T>
void calc_account_rates(const WheelPowers<T>& wheels, const T& engine_torque, const T& engine_speed,
                        const T& engine_inertia, const T& engine_rate, const T& air_power,
                        const T& steering_torque, const T& steering_rate, T* rate) {
  const T engine = engine_torque * engine_speed;
  // Power that the engine's flywheel does not store goes into the converter.
  const T into_converter = engine - engine_inertia * engine_rate * engine_speed;
  rate[0] = engine;
  rate[1] = into_converter - wheels.to_wheels;
  rate[2] = wheels.to_brakes;
  rate[3] = wheels.to_tires;
  rate[4] = wheels.to_treads;
  rate[5] = wheels.to_springs;
  rate[6] = -air_power;
  rate[7] = steering_torque * steering_rate;
}

}  // namespace camber::dynamics
