// Laws that are linear in deviation and course do not bring a vehicle back from every place if the
// rate of its wheels is limited: path, course and angle are three integrators in a row with a
// bounded input, and no linear feedback makes these globally stable [Sussmann, Yang 1991]. Nested
// bounds do [Teel 1992]: the bounded deviation bounds the course, and the bounded correction bounds
// the angle. docs/theory/drivers.md, section 7, has (7) to (10).

#include "camber/autonomy/approach.h"

#include <algorithm>
#include <cmath>

namespace camber::autonomy {
namespace {

constexpr double kTurning = 3.0;  // lateral acceleration of the arc onto the path [m/s^2]
// Lateral acceleration up to which a correction is not bounded [m/s^2]; its bound, 1.5 times this,
// is less than 0.8 g.
constexpr double kHolding = 4.0;
// Shares of the time ahead in which the wheels return from the arc, or from a correction, to the
// path's angle. With 0.6 for the arc and only tires as a bound of the correction, a single track
// with power steering that lags by 40 ms kept oscillating from lock to lock at 5 m/s.
constexpr double kArcShare = 0.4, kCorrectionShare = 0.5;
constexpr double kLockShare = 0.5;  // share of the max curvature that the arc may take

}  // namespace

Approach make_approach(const SteeringLimits& limits, double wheelbase, double speed,
                       double distance, double time, double max_slope) {
  const double lock = std::tan(std::min(limits.angle, 1.5)) / wheelbase;
  const double turned = limits.rate * time / wheelbase;  // curvature that the wheels reach
  const double arc =
      std::min({kTurning / (speed * speed), kArcShare * turned, kLockShare * lock});  // (8)
  const double far = max_slope * distance;
  return {.near = std::min(distance * distance * arc, 0.5 * far),  // (8)
          .far = far,
          .curvature = std::min(kHolding / (speed * speed), kCorrectionShare * turned)};  // (10)
}

double bound_smoothly(double value, double free, double max) {
  const double beyond = std::abs(value) - free;
  if (!(beyond > 0)) return value;
  const double room = max - free, u = beyond / room;
  return std::copysign(free + beyond / std::cbrt(1 + u * u * u), value);
}

double calc_seen_deviation(const Approach& approach, double deviation) {
  const double beyond = std::abs(deviation) / approach.near - 1;
  if (!(beyond > 0)) return deviation;
  // (9)
  const double seen = 1 + beyond / std::sqrt(std::cbrt(1 + beyond * beyond * beyond));
  return std::copysign(approach.near * bound_smoothly(seen, 1, approach.far / approach.near),
                       deviation);
}

double bound_correction(const Approach& approach, double curvature) {
  return bound_smoothly(curvature, approach.curvature, 1.5 * approach.curvature);
}

}  // namespace camber::autonomy
