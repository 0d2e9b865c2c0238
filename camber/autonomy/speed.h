#pragma once

#include <limits>

#include "camber/autonomy/curve_family.h"
#include "camber/autonomy/speed_profile.h"
#include "camber/autonomy/table.h"
#include "camber/autonomy/vehicle_view.h"

namespace camber::autonomy {

/// Open loop: pedals over time.
struct Pedals {
  Table throttle = {.x = {0}, .y = {0}};  // over time [s] -> 0 to 1
  Table brake = {.x = {0}, .y = {0}};
};

/// Keeps a speed: proportional to the error, with a feed-forward by the driver's model of the
/// vehicle and a correction for the errors of this model (docs/theory/drivers.md, section 3).
struct SpeedControl {
  SpeedProfile profile = {};
  double gain = 0.8;             // acceleration per speed error [1/s]
  double correction_rate = 0.5;  // how fast it learns what it does not know [1/s]
  double max_acceleration = 3, max_deceleration = 4;  // [m/s^2]
  double jerk = 2;                                    // [m/s^3]
  double dead_band = 0.2;   // above it the foot changes pedals at once [m/s^2]
  double patience = 0.5;    // after this time it changes pedals for less [s]
  double hold_speed = 0.2;  // below it, with target speed 0, it holds the brake [m/s]
  double hold_brake = 0.5;  // brake pedal then
  // Its model of the vehicle: mass, forces and brake force must be given.
  double mass = std::numeric_limits<double>::quiet_NaN();  // [kg]
  double gravity = 9.81;                                   // [m/s^2]
  double drag = 0;                                         // over speed squared [N s^2/m^2]
  double rolling = 0;                                      // over the weight
  /// Forces at evenly spaced throttles from none to full, over speed [m/s] -> [N]; they do not
  /// decrease with the throttle.
  CurveFamily force = {};
  CurveFamily rotating_mass = {{.x = {0}, .y = {0}}};  // of wheels and engine [m/s] -> [kg]
  double brake_force = std::numeric_limits<double>::quiet_NaN();  // at full brake [N]
  /// In reverse gear: profile, force and rotating_mass count speeds and forces backward.
  bool is_backward = false;
};

/// The state of a SpeedControl.
struct SpeedMemory {
  double correction = 0;    // [m/s^2]
  double acceleration = 0;  // last target [m/s^2]
  bool is_braking = false;
  double waited = 0;    // time for which the other pedal has been needed [s]
  double expected = 0;  // speed expected from what the driver knows [m/s]
  double rate = 0;      // of the expected speed [m/s^2]
  double stalled = 0;   // time for which it has not moved although it should [s]
  double push = 0;      // target acceleration beyond the usual one, against an obstacle [m/s^2]
};

struct PedalCommand {
  double throttle = 0, brake = 0;
};

/// Throws std::invalid_argument with the name of what is wrong.
void require_valid(const Pedals& pedals);
void require_valid(const SpeedControl& control);

PedalCommand calc_pedals(const Pedals& pedals, double time);
/// One sample, dt after the previous one; s is the place on the path.
PedalCommand calc_pedals(const SpeedControl& control, const VehicleView& view, double s, double dt,
                         SpeedMemory* memory);

}  // namespace camber::autonomy
