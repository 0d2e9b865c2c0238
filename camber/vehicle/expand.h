#pragma once

#include <string>
#include <vector>

#include "camber/multibody/mechanism.h"
#include "camber/vehicle/vehicle.h"

namespace camber::vehicle {

/// The parts of the mechanism that belong to one corner. Body frames coincide with V in the design
/// position, those of a trailer with the trailer's frame, so a hardpoint has the same numbers in
/// all of them.
struct Corner {
  std::string name;  // "front_left"
  int axle = 0;      // in all_axles()
  bool is_left = true;
  Hardpoints points;                    // of this side
  Vector3 wheel_axis = {0, 1, 0};       // on the wheel's carrier, pointing left
  multibody::BodyIndex carrier, wheel;  // what the wheel spins on
  multibody::BodyIndex base;            // what the suspension is on: the chassis, or the trailer's
  bool is_towed = false;                // it belongs to the trailer
  /// The lower or trailing arm's hinge, whose last coordinate is its rotation; the wheel's hinge.
  multibody::JointIndex travel, spin;
  /// Its independent coordinates without the spin: the travel, and the coordinates of bushings.
  std::vector<std::string> coordinates;
  double dual_spacing = 0;  // between two tires on the hub [m]; 0: one
};

/// A vehicle as an ordinary mechanism.
struct VehicleMechanism {
  multibody::Mechanism mechanism;
  multibody::BodyIndex chassis;
  std::vector<Corner> corners;
  multibody::JointIndex steering;  // pitman or rack; invalid if there is none
  std::vector<int> steered;        // corners of the axle that it steers; linked ones are not listed
  multibody::JointIndex hitch;     // the trailer's ball joint; invalid if there is none
};

struct ExpandOptions {
  /// Hold the chassis in the world: a rig for kinematics.
  bool has_fixed_chassis = false;
  /// Each wheel's carrier is on its tire's vertical spring: for static loads and ride modes.
  bool is_standing = false;
};

/// Bodies are named "front_left_upright", those of a trailer "trailer_rear_left_wheel"; a joint is
/// named after its child. A wheel's joint is its spin, an arm's its travel, both among the
/// independent coordinates. Throws std::invalid_argument for a vehicle whose parts do not fit each
/// other; the message names the corner and the point.
VehicleMechanism expand(const Vehicle& vehicle, const ExpandOptions& options = {});

}  // namespace camber::vehicle
