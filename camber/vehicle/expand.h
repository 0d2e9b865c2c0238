#pragma once

#include <string>
#include <vector>

#include "camber/multibody/mechanism.h"
#include "camber/vehicle/vehicle.h"

namespace camber::vehicle {

/// Which of the mechanism's parts make up one corner. Body frames stand at V in the design
/// position, so a hardpoint has the same numbers in all of them.
struct Corner {
  std::string name;  // "front_left"
  int axle = 0;      // in Vehicle::axles
  bool is_left = true;
  Hardpoints points;                    // of this side
  Vector3 wheel_axis = {0, 1, 0};       // on the wheel's carrier, pointing left
  multibody::BodyIndex carrier, wheel;  // what the wheel spins on
  /// The lower or trailing arm's hinge, whose last coordinate is its turn; the wheel's.
  multibody::JointIndex travel, spin;
  /// Its independent coordinates without the spin: the travel, and all that bushings hold.
  std::vector<std::string> coordinates;
};

/// A vehicle as a mechanism like any other.
struct VehicleMechanism {
  multibody::Mechanism mechanism;
  multibody::BodyIndex chassis;
  std::vector<Corner> corners;
  multibody::JointIndex steering;  // pitman or rack; invalid where there is none
};

struct ExpandOptions {
  /// Hold the chassis in the world: a rig for kinematics.
  bool has_fixed_chassis = false;
  /// Each wheel's carrier stands on its tire's vertical spring: for static loads and ride modes.
  bool is_standing = false;
};

/// Bodies are named "front_left_upright"; a joint is named after its child. A wheel's joint is
/// its spin, an arm's its travel, both among the independent coordinates. Throws
/// std::invalid_argument for a vehicle whose parts do not fit each other; the message names the
/// corner and the point.
VehicleMechanism expand(const Vehicle& vehicle, const ExpandOptions& options = {});

}  // namespace camber::vehicle
