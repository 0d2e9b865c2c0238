#pragma once

#include <vector>

#include "camber/autonomy/approach.h"
#include "camber/autonomy/path.h"
#include "camber/autonomy/vehicle_view.h"

namespace camber::autonomy {

/// What the driver believes of the vehicle (a linear single track), and how far it looks ahead.
struct PreviewFigures {
  double mass = 2597.14, yaw_inertia = 5301.06;                // [kg], [kg m^2]
  double front = 1.6011, rear = 1.7009;                        // axles from the center of mass [m]
  double front_stiffness = 98822.3, rear_stiffness = 93331.6;  // cornering, of an axle [N/rad]
  double horizon = 0.8;                                        // [s]
  double least_way = 3;   // that it looks ahead in any case [m]
  double top_speed = 40;  // greatest that tables are made for [m/s]
};

/// Optimal preview [MacAdam 1981]: the constant angle for which the linear vehicle's way over the
/// horizon differs least from the path's, in the mean of squares. Made once for a range of speeds;
/// an update is a sum over the horizon.
class PreviewSteering {
 public:
  explicit PreviewSteering(const PreviewFigures& figures);

  double calc_steer(const VehicleView& view, const Path& path, const PathFoot& foot,
                    const SteeringLimits& limits = {}) const;

 private:
  /// The way to the left at one time ahead, per unit of each cause.
  struct Response {
    double lateral_speed = 0, yaw_rate = 0, steer = 0;
  };

  PreviewFigures figures_;
  std::vector<Response> responses_;  // of all times for the first speed, then for the next, ...
};

}  // namespace camber::autonomy
