#pragma once

#include <vector>

#include "camber/driveline/driveline.h"
#include "camber/dynamics/wheel_motion.h"

namespace camber::dynamics {

/// Turns the driver's wish into a torque at the pitman, or a force at the rack: a servo that moves
/// no faster than it can behind a shaft that is soft, and pushes no harder than its pump.
struct SteeringGear {
  double lag = 0.04;              // of the servo [s]
  double greatest_rate = 0.4;     // at the pitman [rad/s], or at the rack [m/s]
  double stiffness = 77700;       // [N m/rad], [N/m]: a column of 115 N m/rad behind a ratio of 26
  double damping = 600;           // [N m s/rad], [N s/m]
  double greatest_torque = 3000;  // [N m], [N]
  double lock = 0.52;             // how far it turns to each side [rad], [m]
};

struct AirDrag {
  double drag_area = 2.2;  // c_d A [m^2]
  double density = 1.225;  // [kg/m^3]
  Vec3<double> center;     // of pressure, in the vehicle's frame [m]
};

/// What a chassis is equipped with. Wheels: front left, front right, rear left, rear right.
struct Equipment {
  driveline::Driveline driveline;
  std::vector<driveline::Brake> brakes;  // one per wheel
  std::vector<bool> has_parking_brake;   // one per wheel
  double brake_lag = 0.15;               // of the hydraulics [s]
  SteeringGear steering;
  AirDrag air;
};

/// The HMMWV's (models/equipment/hmmwv.toml): brakes of 4 kN m per wheel before geared hubs, a
/// steering gear of 26 : 1, 2.2 m^2 of drag area.
Equipment make_hmmwv_equipment();

}  // namespace camber::dynamics
