#pragma once

#include <vector>

#include "camber/driveline/driveline.h"

namespace camber::dynamics {

/// The gear in which the gearbox settles at this speed of the wheels and throttle, starting from
/// the first.
driveline::GearState settle_gear(const driveline::Driveline& driveline, double wheel_speed,
                                 double throttle, bool is_low_range = false);

/// The engine speed at which the engine's torque equals that of the converter [rad/s].
double settle_engine(const driveline::Driveline& driveline, const driveline::DriveInputs& inputs,
                     double wheel_speed);

/// Force of all wheels over the vehicle's speed, in the steady gear and at the steady engine speed.
/// An engine that accelerates with the vehicle takes part of the force, like a mass.
struct TractionCurve {
  std::vector<double> speed;               // [m/s]
  std::vector<std::vector<double>> force;  // at throttles evenly from none to full [N]
  std::vector<std::vector<double>> mass;   // that of the engine [kg]
};

/// The speeds of a traction curve, and its values at one of them: for users who do not need the
/// whole curve of calc_traction_curve().
struct TractionPoints {
  driveline::Driveline driveline;
  double rolling_radius = 0;  // [m]
  bool is_low_range = false;
  int gear = 1;  // 1 for all forward ones, 0 for neutral, -1 for reverse

  std::vector<double> speeds() const;
  /// How many throttles, evenly from none to full.
  std::size_t throttles() const { return gear == 0 ? 2 : 11; }
  struct Value {
    double force = 0;  // of all wheels [N]
    double mass = 0;   // the engine's [kg]
  };
  Value at(double speed, std::size_t throttle) const;
};

/// Up to a tenth above the speed at which the engine ends in its highest gear. `gear`: 1 for all
/// forward ones, 0 for neutral, -1 for reverse.
TractionCurve calc_traction_curve(const driveline::Driveline& driveline, double rolling_radius,
                                  bool is_low_range = false, int gear = 1);

}  // namespace camber::dynamics
