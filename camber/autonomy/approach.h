#pragma once

// Back to the path from afar: what laws of steering get to see of deviations, so that wheels that
// turn only so far and so fast, and tires that hold only so much, bring the vehicle onto the path.
// docs/theory/drivers.md, section 7.

namespace camber::autonomy {

/// What the driver never exceeds.
struct SteeringLimits {
  double angle = 0.5;  // [rad]
  double rate = 0.5;   // [rad/s]
};

/// What a law of steering leaves as it is, and what it bounds.
struct Approach {
  double near = 0;       // deviations up to here are seen as they are [m]
  double far = 0;        // none is seen as more [m]
  double curvature = 0;  // that a correction may take freely, beside the path's own [1/m]
};

/// For a law whose approach to a line has the slope deviation / way, at this speed [m/s] (> 0).
/// `time` is how far ahead it looks [s]; `steepest` the greatest slope.
Approach make_approach(const SteeringLimits& limits, double wheelbase, double speed, double way,
                       double time, double steepest);

/// The value itself up to `free`, bit for bit; from there on less and less more, up to `most`.
/// Three times continuously differentiable.
double bound_smoothly(double value, double free, double most);

/// The deviation itself up to approach.near, bit for bit; from there on it grows with the root, as
/// the slope of an arc onto the path does, up to approach.far. As smooth as the above.
double calc_seen_deviation(const Approach& approach, double deviation);

/// The curvature of a correction, bounded to half as much again as what it may take freely.
double bound_correction(const Approach& approach, double curvature);

}  // namespace camber::autonomy
