#pragma once

#include <limits>
#include <variant>

#include "camber/driveline/shift_control.h"
#include "camber/dynamics/simple_brakes.h"
#include "camber/dynamics/simple_ground.h"
#include "camber/dynamics/traction_curve.h"
#include "camber/tire/brush.h"
#include "camber/tire/fiala.h"
#include "camber/tire/magic_formula.h"
#include "camber/tire/tmeasy.h"

namespace camber::dynamics {

/// Lateral force proportional to the slip, without limit.
struct LinearAxle {
  double stiffness = 0;  // of all tires [N/rad]
};
/// Other models describe one of the tires that share the axle's load.
using AxleTire = std::variant<LinearAxle, tire::BrushTire, tire::FialaTire, tire::TmeasyTire,
                              tire::MagicFormulaTire>;

/// A vehicle of one wheel per axle: forward and lateral speed, yaw; a driveline with its engine and
/// gears, brakes that hold; wheels that roll without slip along. No roll, no pitch; the load moves
/// to the rear and front axle as it accelerates and brakes. Several unsteered axles are replaced by
/// one where their load acts. docs/theory/drivers.md, section 6.
struct SingleTrack {
  static constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
  double mass = kNotGiven, yaw_inertia = kNotGiven;  // [kg], [kg m^2]
  double front = kNotGiven, rear = kNotGiven;        // axles from the center of mass [m]
  double height = kNotGiven;                         // of the center of mass [m]
  AxleTire front_tire = LinearAxle{}, rear_tire = LinearAxle{};
  double front_tires = 2, rear_tires = 2;  // how many share an axle's load
  double grip = 1;                         // max force along over the load; saturating tires only
  double drag = 0;                         // over the square of the speed [N s^2/m^2]
  double rolling = 0;                      // resistance over the load
  double rolling_radius = kNotGiven;       // [m]
  double wheel_inertia = 0;                // of all wheels, with their half shafts [kg m^2]
  double gravity = 9.81;                   // [m/s^2]
  double front_drive = 0.5;                // share of the drive torque at the front axle
  SimpleBrakes brakes = {};
  driveline::Driveline driveline = {};
};

/// The state of a vehicle, or its rates.
template <class T>
struct SingleTrackState {
  T x = T(0), y = T(0), yaw = T(0);            // of the center of mass [m], [rad]
  T forward = T(0), left = T(0), turn = T(0);  // its speed in the vehicle's axes [m/s], yaw rate
  T engine_speed = T(0);                       // [rad/s]
  T brake_twist = T(0);                        // [rad]
  T brake_pressure = T(0);                     // 0 to 1

  friend SingleTrackState operator+(const SingleTrackState& a, const SingleTrackState& b) {
    return {a.x + b.x,
            a.y + b.y,
            a.yaw + b.yaw,
            a.forward + b.forward,
            a.left + b.left,
            a.turn + b.turn,
            a.engine_speed + b.engine_speed,
            a.brake_twist + b.brake_twist,
            a.brake_pressure + b.brake_pressure};
  }
  friend SingleTrackState operator*(double s, const SingleTrackState& a) {
    return {s * a.x,
            s * a.y,
            s * a.yaw,
            s * a.forward,
            s * a.left,
            s * a.turn,
            s * a.engine_speed,
            s * a.brake_twist,
            s * a.brake_pressure};
  }
};

/// Forces of the ground on an axle, in its wheels' axes.
template <class T>
struct AxleForce {
  T along, across, load;  // [N]
  T tan_slip;             // tangent of the slip angle; the hub moves to the left: +
};

template <class T>
struct SingleTrackResult {
  SingleTrackState<T> rates;
  AxleForce<T> front, rear;
  T resistance;                             // drag and rolling, against the motion [N]
  T acceleration_ahead, acceleration_left;  // of the center of mass, without gravity [m/s^2]
};

template <class T>
SingleTrackResult<T> calc_single_track(const SingleTrack& vehicle, const SingleTrackState<T>& state,
                                       const SimpleInputs& inputs, const driveline::GearState& gear,
                                       const SimpleGround<T>& ground);

/// What the gearbox's controller sees of it.
driveline::ShiftView view_for_shifts(const SingleTrack& vehicle,
                                     const SingleTrackState<double>& state,
                                     const SimpleInputs& inputs, const driveline::GearState& gear,
                                     double acceleration);

/// A step, and then what the gearbox does; `ground_at(x, y)` gives the SimpleGround.
template <class GroundAt>
void advance(const SingleTrack& vehicle, const SimpleInputs& inputs, const GroundAt& ground_at,
             double dt, SingleTrackState<double>* state, driveline::GearState* gear) {
  const double speed_before = state->forward;
  *state = advance_classically(
      *state,
      [&](const SingleTrackState<double>& s) {
        return calc_single_track(vehicle, s, inputs, *gear, ground_at(s.x, s.y)).rates;
      },
      dt);
  const double acceleration = (state->forward - speed_before) / dt;
  *gear = control_gear(vehicle.driveline, *gear,
                       view_for_shifts(vehicle, *state, inputs, *gear, acceleration), dt);
}

/// Speed of the gearbox' output [rad/s].
double calc_gearbox_speed(const SingleTrack& vehicle, const SingleTrackState<double>& state,
                          const SimpleInputs& inputs);

/// How it rolls straight ahead from the origin with closed throttle: gear and engine as they come
/// to rest.
driveline::GearState make_rolling_gear(const SingleTrack& vehicle, double speed);
SingleTrackState<double> make_rolling_state(const SingleTrack& vehicle, double speed);

/// How far the point midway between the axles is ahead of the center of mass [m].
inline double midway_ahead(const SingleTrack& vehicle) {
  return 0.5 * (vehicle.front - vehicle.rear);
}

}  // namespace camber::dynamics
