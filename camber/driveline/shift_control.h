#pragma once

// The controller of an automatic gearbox: selector, held gear, and when it shifts by itself. It
// works at the samples of the driver's commands (docs/theory/driving.md, section 7).

#include "camber/driveline/driveline.h"

namespace camber::driveline {

/// Positions of the selector in a command. Others than kDrive and kReverse do not change what is in.
enum SelectorPosition : int {
  kReverse = -1,
  kAsItIs = 0,
  kDrive = 1,
  kNeutral = 2,
  kPark = 3,
};

/// What the controller sees at a sample.
struct ShiftView {
  double throttle = 0;
  double output_speed = 0;    // of the gearbox [rad/s]
  double turbine_torque = 0;  // [N m]
  bool is_low_range = false;
  int held_gear = 0;        // forward gear that the driver holds; 0: the gearbox chooses
  double wheel_force = 0;   // of drive and brake torques, over the wheels' radius [N]
  double acceleration = 0;  // of the vehicle, forward [m/s^2]
  double mass = 0;          // of the vehicle; 0: the load is not known [kg]
  double wheel_radius = 1;  // [m]
};

/// What the gearbox does in a sample interval dt, in forward gears.
GearState control_gear(const Driveline& driveline, const GearState& state, const ShiftView& view,
                       double dt);

/// Follows the selector. D puts in the gear for the speed; R and D close a clutch over a shift_time;
/// N opens it at once; P waits until the vehicle hardly moves.
GearState select(const Driveline& driveline, const GearState& state, int selector,
                 double output_speed, double throttle);

/// The gear that the box comes to rest in at this speed and throttle, from the first.
int find_settled_gear(const Driveline& driveline, double output_speed, double throttle);

/// Throttle with which the settled engine gives a torque at the gearbox' output in a gear; infinite
/// if it cannot.
double find_throttle(const Driveline& driveline, int gear, double output_speed,
                     double output_torque);

}  // namespace camber::driveline
