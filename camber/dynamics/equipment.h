#pragma once

#include <string>
#include <vector>

#include "camber/driveline/driveline.h"
#include "camber/dynamics/wheel_motion.h"

namespace camber::dynamics {

/// Steering wheel, column and power steering: turns the angle of the steering wheel into a torque at
/// the pitman arm, or a force at the rack. It moves at most at max_rate, acts through a soft shaft,
/// and exerts at most the torque or force of its pump.
struct SteeringGear {
  double ratio = 0;       // steering wheel's angle over the pitman arm's [1], or the rack's [rad/m]
  double lag = 0;         // of the power steering [s]
  double max_rate = 0;    // at the pitman arm [rad/s], or at the rack [m/s]
  double stiffness = 0;   // of the shaft [N m/rad], [N/m]
  double damping = 0;     // [N m s/rad], [N s/m]
  double max_torque = 0;  // [N m], [N]
  double lock = 0;        // max travel to each side [rad], [m]
  /// Torque that the power steering adds, over the driver's torque, both at the steering wheel [N
  /// m]; ascending from 0. Empty: no assistance.
  std::vector<double> driver_torque = {}, assist_torque = {};
  /// Of the steering wheel and its column, for a driver who steers by torque or lets go
  /// (steering_wheel.h). Without inertia the wheel is always held at an angle.
  double wheel_inertia = 0;  // [kg m^2]
  double wheel_damping = 0;  // [N m s/rad]
  double friction = 0;       // dry, of column and gear, at the steering wheel [N m]
  /// This drive lets it go or turns it by torque: its motion is part of the state.
  bool turns_freely = false;

  /// The driver's part of a torque at the pitman arm, or of a force at the rack: at the steering
  /// wheel [N m].
  double find_driver_torque(double torque) const;
};

struct AirDrag {
  double drag_area = 0;    // c_d A [m^2]
  double density = 1.225;  // [kg/m^3]
  Vec3<double> center;     // of pressure, in the vehicle's frame [m]
};

/// The equipment of a chassis. Wheels are numbered like the vehicle's: axle by axle, left before
/// right.
struct Equipment {
  std::string name = {};
  driveline::Driveline driveline = {};
  std::vector<driveline::Brake> brakes = {};  // one per wheel
  std::vector<bool> has_parking_brake = {};   // one per wheel
  double brake_lag = 0;                       // of the hydraulics [s]
  SteeringGear steering = {};
  AirDrag air = {};
};

}  // namespace camber::dynamics
