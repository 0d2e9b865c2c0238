#pragma once

#include <limits>

#include "camber/dynamics/simple_brakes.h"
#include "camber/dynamics/simple_ground.h"
#include "camber/dynamics/traction_curve.h"

namespace camber::dynamics {

/// A vehicle that moves where it is steered, as fast as traction, brakes and friction allow: for
/// plans and for large numbers of vehicles.
struct PointMass {
  static constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
  double mass = kNotGiven;       // [kg]
  double wheelbase = kNotGiven;  // [m]
  double grip_along = 1;         // max force of all tires over the load
  double grip_across = 1;
  double drag = 0;                    // over the square of the speed [N s^2/m^2]
  double rolling = 0;                 // resistance over the load
  double rolling_radius = kNotGiven;  // [m]
  double wheel_inertia = 0;           // of all wheels, with their half shafts [kg m^2]
  double gravity = 9.81;              // [m/s^2]
  SimpleBrakes brakes = {};
  TractionCurve traction = {};
};

/// The state of a vehicle, or its rates.
template <class T>
struct PointMassState {
  T x = T(0), y = T(0), yaw = T(0);  // midway between the axles [m], [rad]
  T speed = T(0);                    // forward [m/s]
  T brake_twist = T(0);              // [rad]
  T brake_pressure = T(0);           // 0 to 1

  friend PointMassState operator+(const PointMassState& a, const PointMassState& b) {
    return {a.x + b.x,
            a.y + b.y,
            a.yaw + b.yaw,
            a.speed + b.speed,
            a.brake_twist + b.brake_twist,
            a.brake_pressure + b.brake_pressure};
  }
  friend PointMassState operator*(double s, const PointMassState& a) {
    return {s * a.x, s * a.y, s * a.yaw, s * a.speed, s * a.brake_twist, s * a.brake_pressure};
  }
};

template <class T>
struct PointMassResult {
  PointMassState<T> rates;
  T tire_force;            // along, of all wheels: drive and brake [N]
  T resistance;            // drag and rolling, against the motion [N]
  T rotating_mass;         // what wheels and engine add to the mass [kg]
  T lateral_acceleration;  // to the left [m/s^2]
};

template <class T>
PointMassResult<T> calc_point_mass(const PointMass& vehicle, const PointMassState<T>& state,
                                   const SimpleInputs& inputs, const SimpleGround<T>& ground);

/// A step; `ground_at(x, y)` gives the SimpleGround.
template <class T, class GroundAt>
void advance(const PointMass& vehicle, const SimpleInputs& inputs, const GroundAt& ground_at,
             double dt, PointMassState<T>* state) {
  *state = advance_classically(
      *state,
      [&](const PointMassState<T>& s) {
        return calc_point_mass(vehicle, s, inputs, ground_at(s.x, s.y)).rates;
      },
      dt);
}

}  // namespace camber::dynamics
