#pragma once

#include <array>
#include <vector>

#include "camber/autonomy/driver.h"
#include "camber/dynamics/equipment.h"
#include "camber/scenario/scenario.h"

namespace camber::sim {

/// What a driver has to know of the vehicle.
struct PilotVehicle {
  double mass = 0, yaw_inertia = 0;                // [kg], [kg m^2]
  double front = 0, rear = 0;                      // axles from the center of mass [m]
  double front_stiffness = 0, rear_stiffness = 0;  // cornering, of an axle [N/rad]
  double rolling_radius = 0;                       // [m]
  double rolling_resistance = 0;                   // over the weight
  double wheel_inertia = 0;                        // of all wheels [kg m^2]
  double greatest_steer = 0;                       // mean of the front wheels at lock [rad]
  double gravity = 9.81;                           // [m/s^2]
  const dynamics::Equipment* equipment = nullptr;
};

/// The driver of a scenario: an autonomy::Driver, its path, and lane changes that begin at a time,
/// wherever the vehicle then is.
class Pilot {
 public:
  Pilot(const scenario::Driver& driver, const scenario::Start& start, const PilotVehicle& vehicle);

  autonomy::Command update(const autonomy::VehicleView& view);

  bool has_path() const { return !driver_.setup().path.empty(); }
  /// Of the vehicle from the path, left + [m].
  double deviation() const { return driver_.foot().deviation; }
  const autonomy::Path& path() const { return driver_.setup().path; }
  /// Where the path was below the vehicle, about every meter of the way [m].
  const std::vector<std::array<double, 2>>& sketch() const { return sketch_; }

  std::vector<double> state() const;
  void set_state(const std::vector<double>& state);

 private:
  /// A change that has begun: where, along what, over which way.
  struct Begun {
    double x, y, heading, length, offset;
  };

  void begin_change(const autonomy::VehicleView& view);
  static autonomy::Path make_path(const Begun& change);

  std::vector<scenario::LaneChange> changes_;  // those that wait for a time
  std::vector<Begun> begun_;
  autonomy::Driver driver_;
  std::vector<std::array<double, 2>> sketch_;
};

}  // namespace camber::sim
