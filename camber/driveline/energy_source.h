#pragma once

// Where an engine's power comes from: fuel, or a battery through a motor's inverter.

#include <algorithm>
#include <cmath>

#include "camber/math/smooth_curve.h"

namespace camber::driveline {

/// Fuel by a Willans line [Guzzella and Sciarretta 2013, section 3.1]: the power of the fuel is that of
/// the crankshaft and of a constant torque that friction and pumping take, over an efficiency. In
/// overrun it is cut off.
struct Fuel {
  double efficiency = 0.4;        // of what burns
  double loss_torque = 0;         // [N m]
  double heating_value = 42.5e6;  // [J/kg]
  double density = 750;           // [kg/m^3]
};

/// Mass per time [kg/s].
inline double calc_fuel_rate(const Fuel& fuel, double torque, double speed) {
  const double power = std::max(0.0, torque + fuel.loss_torque) * std::max(0.0, speed);
  return power / (fuel.efficiency * fuel.heating_value);
}

/// Losses of motor and inverter [Larminie and Lowry 2012, section 7.1]: copper, iron, windage, constant.
struct MotorLosses {
  double copper = 0;    // over the square of the torque [W/(N m)^2]
  double iron = 0;      // over the speed [W s]
  double windage = 0;   // over the cube of the speed [W s^3]
  double constant = 0;  // [W]
};

inline double calc_motor_loss(const MotorLosses& losses, double torque, double speed) {
  const double w = std::abs(speed);
  return losses.copper * torque * torque + losses.iron * w + losses.windage * w * w * w +
         losses.constant;
}

/// An ideal source of a voltage that depends on the charge, behind a resistance.
struct Battery {
  math::SmoothCurve voltage;  // open circuit, over the state of charge 0 to 1 [V]
  double resistance = 0;      // [ohm]
  double capacity = 0;        // [A s]
  double start_charge = 0.8;  // 0 to 1
};

struct BatteryFlow {
  double voltage = 0;      // of the source [V]
  double current = 0;      // out of it is positive [A]
  double power = 0;        // of the source, its own loss included [W]
  double charge_rate = 0;  // of the state of charge [1/s]
};

/// For the power at its terminals: R I^2 - U I + P = 0, the smaller root. No more than U^2/4R comes out.
inline BatteryFlow calc_battery(const Battery& battery, double terminal_power, double charge) {
  const double U = battery.voltage.at(std::clamp(charge, 0.0, 1.0)), R = battery.resistance;
  const double root = std::sqrt(std::max(0.0, U * U - 4 * R * terminal_power));
  // Without cancellation, and for R = 0 too.
  const double denominator = U + root;
  const double power = std::min(terminal_power, U * U / (4 * std::max(R, 1e-9)));
  const double current = 2 * power / denominator;
  return {U, current, U * current, -current / battery.capacity};
}

}  // namespace camber::driveline
