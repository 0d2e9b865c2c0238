#pragma once

// Steering laws: the angle of the front wheels that a driver requests. Limits of angle and rate are
// the driver's (driver.h). Equations and sources: docs/theory/drivers.md, section 2.

#include <limits>

#include "camber/autonomy/approach.h"
#include "camber/autonomy/path.h"
#include "camber/autonomy/table.h"
#include "camber/autonomy/vehicle_view.h"

namespace camber::autonomy {

// Open loop: an angle over time.

/// Straight ahead.
struct SteerStraight {};
struct SteerTable {
  Table angle;  // over time [s] -> [rad]
};
/// ISO 7401's step: to the angle within rise_time, less than 0.15 s, without a jump of rate or
/// acceleration.
struct SteerStep {
  double start = 1;         // [s]
  double rise_time = 0.12;  // [s]
  double angle = 0.02;      // [rad]
};
/// A slow ramp up to an angle, as ISO 4138's.
struct SteerRamp {
  double start = 1;    // [s]
  double rate = 0.01;  // [rad/s]
  double angle = 0.1;  // where it ends [rad]
};
struct SteerSine {
  double start = 1;         // [s]
  double amplitude = 0.02;  // [rad]
  double frequency = 0.5;   // [Hz]
  double periods = 1;
};
/// A period of a sine that is held at its second peak (49 CFR 571.126).
struct SteerSineWithDwell {
  double start = 1;         // [s]
  double amplitude = 0.05;  // [rad]
  double frequency = 0.7;   // [Hz]
  double dwell = 0.5;       // [s]
};

double calc_steer(const SteerStraight& law, double time);
double calc_steer(const SteerTable& law, double time);
double calc_steer(const SteerStep& law, double time);
double calc_steer(const SteerRamp& law, double time);
double calc_steer(const SteerSine& law, double time);
double calc_steer(const SteerSineWithDwell& law, double time);

// Along a path. `foot` belongs to the point midway between the axles.

/// Pure pursuit [Coulter 1992]: the arc from the rear axle to a point of the path ahead.
struct PurePursuit {
  double wheelbase = std::numeric_limits<double>::quiet_NaN();  // must be given [m]
  double look_ahead = 0.8;                                      // [s]
  double min_distance = 4, max_distance = 20;                   // of the point ahead [m]
  double understeer = 0;  // added per lateral acceleration [rad s^2/m]
};
/// Stanley's law [Hoffmann, Tomlin, Montemerlo, Thrun 2007] at the front axle.
struct Stanley {
  double wheelbase = std::numeric_limits<double>::quiet_NaN();  // must be given [m]
  double gain = 1.0;                                            // [1/s]
  double soft_speed = 1.0;                                      // [m/s]
  double yaw_damping = 0;  // angle per yaw rate that differs from the path's [s]
  double front_slip = 0;   // slip angle of the front axle per lateral acceleration [rad s^2/m]
};

/// The angle to a target at this bearing (left +) and distance from the rear axle.
double calc_pursuit_angle(double wheelbase, double bearing, double distance);
/// The law without feed-forward: heading_error is the path's direction minus the vehicle's,
/// deviation that of the front axle, left +.
double calc_stanley_angle(const Stanley& law, double heading_error, double deviation, double speed);

double calc_steer(const PurePursuit& law, const VehicleView& view, const Path& path,
                  const PathFoot& foot, const SteeringLimits& limits = {});
double calc_steer(const Stanley& law, const VehicleView& view, const Path& path,
                  const PathFoot& foot, const SteeringLimits& limits = {});

/// The same direction as an angle in (-pi, pi].
double wrap_angle(double angle);

}  // namespace camber::autonomy
