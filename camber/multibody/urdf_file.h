#pragma once

#include <string>

#include "camber/multibody/mechanism.h"
#include "camber/multibody/mechanism_error.h"

namespace camber::multibody {

/// Options for what a URDF file does not specify.
struct UrdfOptions {
  bool floating_base = false;  // the root link moves freely; else it is fixed to the world
  /// URDF has limits without a stiffness: they become `lower` and `upper` with this stiffness.
  double stop_stiffness = 0;  // [N/m] or [N m/rad]
  double stop_damping = 0;    // [N s/m] or [N m s/rad]
};

/// A robot described in URDF (docs/manual/mechanism-files.md): links, inertials, joints, damping
/// and friction, mimic joints as couplers. A root link called "world" is the world; any other one
/// is attached to the world by a joint of its own name. Visuals, collisions, efforts, velocities,
/// transmissions and safety controllers are ignored. Throws ModelFileError with line and column if
/// the XML or the robot is invalid, or if camber was built without liburdfdom.
Mechanism load_urdf(const std::string& path, const UrdfOptions& options = {});
/// The same for text in memory; `file` is the name that messages show. `places`, if given, receives
/// the places of links and joints.
Mechanism parse_urdf(const std::string& text, const std::string& file,
                     const UrdfOptions& options = {}, MechanismPlaces* places = nullptr);

}  // namespace camber::multibody
