#pragma once

#include <array>
#include <limits>

#include "camber/autonomy/approach.h"
#include "camber/autonomy/path.h"
#include "camber/autonomy/vehicle_view.h"

namespace camber::autonomy {

/// The linear single track that model predictive steering plans with, and what it counts as equally
/// bad: a deviation from the path, a course that differs from the path's, a rate of the wheels.
/// The vehicle's own numbers have no defaults: each of them must be given.
struct MpcFigures {
  static constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
  double mass = kNotGiven, yaw_inertia = kNotGiven;                // [kg], [kg m^2]
  double front = kNotGiven, rear = kNotGiven;                      // axles from center of mass [m]
  double front_stiffness = kNotGiven, rear_stiffness = kNotGiven;  // cornering, per axle [N/rad]
  double horizon = 1.5;                                            // [s]
  double min_distance = 8;          // that the horizon has at least [m]
  double delay = 0.1;               // from the command to the wheels [s]
  double deviation = 0.12;          // [m]
  double course = 0.1;              // [rad]
  double rate = 0.15;               // of the front wheels [rad/s]
  double lateral_acceleration = 6;  // that it never plans to exceed [m/s^2]
  bool is_kinematic = false;        // the vehicle goes where it is steered, at once: a point mass
};

/// Model predictive steering: rates of the front wheels over a horizon that keep the linear single
/// track near the path, within limits of angle, rate and lateral acceleration. The first of them is
/// driven, then the plan is made anew. docs/theory/drivers.md, section 2.
class MpcSteering {
 public:
  static constexpr int kSteps = 25;  // over the horizon
  using Rates = std::array<double, kSteps>;

  explicit MpcSteering(const MpcFigures& figures);

  /// The angle to command for the next `sample_time` [s]; `command` is the present one [rad].
  double calc_steer(const VehicleView& view, const Path& path, const PathFoot& foot,
                    const SteeringLimits& limits, double command, double sample_time) const;
  /// The rates of the plan [rad/s], each held for a step of the horizon.
  Rates plan(const VehicleView& view, const Path& path, const PathFoot& foot,
             const SteeringLimits& limits, double command) const;

  const MpcFigures& figures() const { return figures_; }

 private:
  MpcFigures figures_;
};

}  // namespace camber::autonomy
