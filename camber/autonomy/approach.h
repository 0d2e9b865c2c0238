#pragma once

// Return to the path from far away: steering laws get a bounded deviation, so that wheels with
// limits of angle and rate, and tires with limited grip, bring the vehicle onto the path.
// docs/theory/drivers.md, section 7.

namespace camber::autonomy {

/// Limits that the driver never exceeds.
struct SteeringLimits {
  double angle = 0.5;  // [rad]
  double rate = 0.5;   // [rad/s]
};

/// Bounds for deviations and corrections of a steering law.
struct Approach {
  double near = 0;       // deviations up to this are not changed [m]
  double far = 0;        // max deviation that the law sees [m]
  double curvature = 0;  // up to which a correction to the path's own is not bounded [1/m]
};

/// For a law whose approach to a line has the slope deviation / distance, at a speed > 0 [m/s].
/// `time` is how far ahead it looks [s]; `max_slope` the max slope of the approach.
Approach make_approach(const SteeringLimits& limits, double wheelbase, double speed,
                       double distance, double time, double max_slope);

/// The value itself up to `free`, bit for bit; above, it approaches `max`. Three times continuously
/// differentiable.
double bound_smoothly(double value, double free, double max);

/// The deviation itself up to approach.near, bit for bit; above, it grows with the square root, as
/// the slope of an arc onto the path does, up to approach.far. As smooth as bound_smoothly().
double calc_seen_deviation(const Approach& approach, double deviation);

/// The curvature of a correction, bounded to 1.5 times approach.curvature.
double bound_correction(const Approach& approach, double curvature);

}  // namespace camber::autonomy
