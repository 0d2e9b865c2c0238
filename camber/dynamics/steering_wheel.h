#pragma once

// A steering wheel that nobody holds at an angle: the driver's torque turns it, or nobody does, and the
// road turns it back. docs/theory/driving.md, section 12.
//
// All in the driver's view, at the steering wheel, with theta' its speed:
//   J theta'' = T_driver - T_felt - c theta' - T_f - T_stop                                 (1)
// T_felt is what the power steering leaves of the gear's torque (SteeringGear::find_driver_torque()). Dry
// friction is a bristle's of deflection z [Dahl 1968],
//   z' = theta' - |theta'| z / z_max,   T_f = T_max z / z_max + d z'                        (2)
// The state is the gear's position x with theta' = i(x) x', where i is the ratio there:
//   theta'' = i x'' + i'(x) x'^2                                                            (3)
// so that the wheel really stands where the road's torque does not exceed T_max.

#include <algorithm>
#include <cmath>

#include "camber/dynamics/equipment.h"
#include "camber/dynamics/vehicle_formulas.h"

namespace camber::dynamics {

/// Rates of the wheel's states: gear coordinate [rad] or [m], its speed, the bristle [rad].
struct SteeringWheelRates {
  double position = 0, speed = 0, bristle = 0;
  double gear_torque = 0;  // on the pitman arm [N m], or on the rack [N]
};

/// `position`, `speed`: the gear's that belong to the wheel's; `bristle` of its friction. `gear_position`,
/// `gear_speed` of the pitman arm or rack. `torque`: the driver's, in the direction of `position` [N m].
/// `travel_speed` of the vehicle [m/s].
inline SteeringWheelRates calc_steering_wheel(const SteeringGear& gear, double torque,
                                              double position, double speed, double bristle,
                                              double gear_position, double gear_speed,
                                              double travel_speed) {
  constexpr double kBristle = 0.01;      // z_max [rad]
  constexpr double kBristleTime = 0.02;  // d z_max / T_max [s]
  constexpr double kStopStiffness = 4;   // of the shaft's stiffness
  SteeringWheelRates rates;
  const double shaft =
      gear.stiffness * (position - gear_position) + gear.damping * (speed - gear_speed);
  rates.gear_torque = bound_softly(shaft, gear.max_torque);
  const SteeringGear::LocalRatio here = gear.find_ratio(position);
  const double turn = here.ratio * speed;  // theta'
  rates.bristle = turn - std::abs(turn) * bristle / kBristle;
  const double friction =
      gear.friction * (bristle + kBristleTime * rates.bristle) / kBristle;  // (2)
  const double beyond = std::max(std::abs(position) - gear.lock, 0.0);
  const double stop =
      std::copysign(kStopStiffness * gear.stiffness * beyond / here.ratio, position);
  const double sum = torque - gear.find_driver_torque(rates.gear_torque, position, travel_speed) -
                     gear.wheel_damping * turn - friction - stop;  // (1)
  rates.position = speed;
  rates.speed = (sum / gear.wheel_inertia - here.slope * speed * speed) / here.ratio;  // (3)
  return rates;
}

}  // namespace camber::dynamics
