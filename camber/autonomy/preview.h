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
  /// How the wheels follow the command: with this lag [s], and with this angle per commanded one.
  double lag = 0, steer_gain = 1;
  bool is_tuned = false;  // stiffnesses and lag are to follow from the vehicle's own linear model
  bool finds_horizon = false;  // so is the horizon
};

/// Optimal preview [MacAdam 1981]: the constant angle for which the linear vehicle's path over the
/// horizon differs least from the given path, by least squares, wherever the wheels point at present. Tables are made once for each m/s
/// of speed, when the vehicle reaches it; an update is a sum over the horizon. One per thread.
class PreviewSteering {
 public:
  explicit PreviewSteering(const PreviewFigures& figures);

  double calc_steer(const VehicleView& view, const Path& path, const PathFoot& foot,
                    const SteeringLimits& limits = {}) const;

  /// The law beside a straight path: angle per deviation to the left [rad/m], per heading [1], per
  /// lateral speed midway between the axles [rad s/m], yaw rate [s] and present angle [1].
  struct Gains {
    double deviation = 0, heading = 0, lateral_speed = 0, yaw_rate = 0, steer = 0;
  };
  Gains calc_gains(double speed) const;

 private:
  /// The displacement to the left at one time ahead, per unit of each cause.
  struct Response {
    double lateral_speed = 0, yaw_rate = 0, steer = 0;
    double present = 0;  // of the angle that the wheels have; beside `steer`, which is commanded
  };

  /// The tables around a speed, and where it is between them.
  struct Place {
    int first = 0;
    double share = 0, speed = 0;  // [m/s] within the range of the tables
  };
  Place find_place(double speed) const;
  double between(const Place& place, int i, double Response::*member) const;
  void fill_table(int speed) const;

  PreviewFigures figures_;
  // All times for the first speed, then for the next, ...; filled where a table is known.
  mutable std::vector<Response> responses_;
  mutable std::vector<char> is_known_;
};

}  // namespace camber::autonomy
