#pragma once

#include <vector>

namespace camber::dynamics {

/// The pitman arm's angle or the rack's displacement over the mean angle of the steered axle's
/// wheels, from lock to lock with the vehicle at rest. It converts the driver's request to one for
/// the steering gear.
struct SteeringMap {
  std::vector<double> angle, position;  // ascending angles [rad]; [rad] or [m]

  double find_position(double wheel_angle) const;
  double find_angle(double gear_position) const;
  /// Sign of positions to the left.
  double left_sign() const { return position.back() >= position.front() ? 1 : -1; }
  /// Absolute change of position per wheel angle, straight ahead.
  double center_slope() const;
};

/// Steer angle of a wheel relative to the body that carries it, the vehicle's or the trailer's: its
/// plane's angle to the left [rad].
template <class Chassis>
double calc_steer_angle(const Chassis& chassis, int wheel);

/// The mean of calc_steer_angle() over the steered axle's wheels [rad]; 0 without steering.
template <class Chassis>
double calc_mean_steer_angle(const Chassis& chassis);

/// The map at the state q; changes the chassis' last motion. Throws std::invalid_argument if the
/// linkage does not reach its lock.
template <class Chassis>
SteeringMap make_steering_map(const std::vector<double>& q, double lock, Chassis* chassis);

}  // namespace camber::dynamics
