#pragma once

#include "camber/driveline/brake.h"
#include "camber/dynamics/equipment.h"
#include "camber/dynamics/simple_ground.h"

namespace camber::dynamics {

/// Brakes of a simple vehicle, on one line. Its wheels all rotate alike, so they have one twist.
struct SimpleBrakes {
  double front = 0, rear = 0;                         // capacity of an axle, all wheels [N m]
  bool parks_in_front = false, parks_behind = false;  // where the parking brake acts
  double lag = 0.1;                                   // of the line [s]
  driveline::Brake spring = {};                       // all but the capacity
  BrakeBooster booster = {};
  BrakeValve front_valve = {}, rear_valve = {};
};

template <class T>
struct SimpleBraking {
  T front, rear;                // torques on an axle's wheels [N m]
  T twist_rate, pressure_rate;  // [rad/s], [1/s]
};

template <class T>
SimpleBraking<T> calc_simple_brakes(const SimpleBrakes& brakes, const SimpleInputs& inputs,
                                    const T& wheel_speed, const T& twist, const T& pressure) {
  using math::select;
  driveline::Brake unit = brakes.spring;
  unit.capacity = 1;
  const driveline::BrakeTorque<T> one = calc_brake(unit, T(1), wheel_speed, twist);
  const auto on = [&](bool parks, const BrakeValve& valve) {
    const T parking(parks ? inputs.parking_brake : 0), line = calc_valve(valve, pressure);
    return T(select(line > parking, line, parking));
  };
  return {T(brakes.front * on(brakes.parks_in_front, brakes.front_valve) * one.torque),
          T(brakes.rear * on(brakes.parks_behind, brakes.rear_valve) * one.torque), one.twist_rate,
          T((brakes.booster.find_pressure(inputs.brake) - pressure) / brakes.lag)};
}

}  // namespace camber::dynamics
