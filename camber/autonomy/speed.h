#pragma once

#include "camber/autonomy/speed_profile.h"
#include "camber/autonomy/table.h"
#include "camber/autonomy/vehicle_view.h"

namespace camber::autonomy {

/// Open loop: pedals over time.
struct Pedals {
  Table throttle = {.x = {0}, .y = {0}};  // over time [s] -> 0 to 1
  Table brake = {.x = {0}, .y = {0}};
};

/// Keeps a speed: proportional and integral, with what the driver knows of the vehicle fed forward
/// (docs/theory/drivers.md, section 3).
struct SpeedControl {
  SpeedProfile profile = {};
  double gain = 0.8;           // acceleration over the speed's error [1/s]
  double integral_gain = 0.1;  // [1/s^2]
  double greatest_acceleration = 3, greatest_deceleration = 4;  // [m/s^2]
  double jerk = 2;                                              // [m/s^3]
  double dead_band = 0.2;   // beyond which the foot changes pedals [m/s^2]
  double hold_speed = 0.2;  // below it, and if it wants to stand, it holds the brake [m/s]
  double hold_brake = 0.5;  // how much then
  // What it knows of the vehicle.
  double mass = 2597.14;   // [kg]
  double drag = 1.38;      // over the square of the speed [N s^2/m^2]
  double rolling = 0.015;  // over the weight
  Table full_force = {.x = {0, 30}, .y = {12000, 4000}};   // full throttle, over speed [m/s] -> [N]
  Table closed_force = {.x = {0, 30}, .y = {300, -1500}};  // no throttle
  double brake_force = 36000;                              // at full brake [N]
};

/// What a SpeedControl remembers.
struct SpeedMemory {
  double integral = 0;      // [m/s^2]
  double acceleration = 0;  // asked for last [m/s^2]
  bool is_braking = false;
};

struct PedalCommand {
  double throttle = 0, brake = 0;
};

/// Throws std::invalid_argument with the name of what is wrong.
void require_valid(const Pedals& pedals);
void require_valid(const SpeedControl& control);

PedalCommand calc_pedals(const Pedals& pedals, double time);
/// One sample, dt after the last one; s is the place on the path.
PedalCommand calc_pedals(const SpeedControl& control, const VehicleView& view, double s, double dt,
                         SpeedMemory* memory);

}  // namespace camber::autonomy
