#pragma once

#include <vector>

namespace camber::dynamics {

/// Pitman's angle or rack's way over the mean angle of the steered wheels, from lock to lock with
/// the vehicle standing: what turns a driver's wish into the gear's.
struct SteeringMap {
  std::vector<double> angle, position;  // ascending angles [rad]; [rad] or [m]

  double find_position(double wheel_angle) const;
  double find_angle(double gear_position) const;
};

/// How far a wheel is steered against the body: its plane's angle to the left [rad].
template <class Chassis>
double calc_steer_angle(const Chassis& chassis, int wheel);

/// Of the wheels 0 and 1, at the state q; the chassis' last motion is another afterwards. Throws
/// std::runtime_error where the linkage does not reach its lock.
template <class Chassis>
SteeringMap make_steering_map(const std::vector<double>& q, double lock, Chassis* chassis);

}  // namespace camber::dynamics
