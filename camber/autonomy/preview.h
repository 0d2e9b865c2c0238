#pragma once

#include <limits>
#include <vector>

#include "camber/autonomy/approach.h"
#include "camber/autonomy/path.h"
#include "camber/autonomy/vehicle_view.h"

namespace camber::autonomy {

/// The linear single-track model that the driver has of the vehicle, and how far it looks ahead.
/// The vehicle's parameters have no defaults: each of them must be given.
struct PreviewFigures {
  static constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
  double mass = kNotGiven, yaw_inertia = kNotGiven;                // [kg], [kg m^2]
  double front = kNotGiven, rear = kNotGiven;                      // axles from center of mass [m]
  double front_stiffness = kNotGiven, rear_stiffness = kNotGiven;  // cornering, per axle [N/rad]
  double horizon = 0.8;                                            // [s]
  double min_distance = 3;    // min distance that it looks ahead [m]
  double top_speed = 40;      // max speed that tables are made for [m/s]
  bool is_kinematic = false;  // the vehicle goes where it is steered, at once: a point mass
};

/// Optimal preview [MacAdam 1981]: the constant angle for which the linear vehicle's path over the
/// horizon differs least from the given path, by least squares. Tables are made once for each m/s
/// of speed, when the vehicle reaches it; an update is a sum over the horizon. One per thread.
class PreviewSteering {
 public:
  explicit PreviewSteering(const PreviewFigures& figures);

  double calc_steer(const VehicleView& view, const Path& path, const PathFoot& foot,
                    const SteeringLimits& limits = {}) const;

 private:
  /// The displacement to the left at one time ahead, per unit of each cause.
  struct Response {
    double lateral_speed = 0, yaw_rate = 0, steer = 0;
  };

  void fill_table(int speed) const;

  PreviewFigures figures_;
  // All times for the first speed, then for the next, ...; filled where a table is known.
  mutable std::vector<Response> responses_;
  mutable std::vector<char> is_known_;
};

}  // namespace camber::autonomy
