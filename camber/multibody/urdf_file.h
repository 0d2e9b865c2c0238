#pragma once

#include <string>

#include "camber/multibody/mechanism.h"
#include "camber/multibody/mechanism_error.h"

namespace camber::multibody {

/// What a URDF file leaves open.
struct UrdfOptions {
  bool floating_base = false;  // the root link moves freely; else it is fixed to the world
  /// URDF has limits without a stiffness: they are kept as `lower` and `upper`, and push back as
  /// hard as this says.
  double stop_stiffness = 0;  // [N/m] or [N m/rad]
  double stop_damping = 0;    // [N s/m] or [N m s/rad]
};

/// A robot described in URDF (docs/manual/mechanism-files.md): links, inertials, joints, damping
/// and friction, mimic joints as couplers. A root link called "world" is the world; any other one
/// hangs on the world by a joint of its own name. Visuals, collisions, efforts, velocities,
/// transmissions and safety controllers are passed over. Throws ModelFileError with line and column
/// where XML or robot are wrong, or when camber was built without liburdfdom.
Mechanism load_urdf(const std::string& path, const UrdfOptions& options = {});
/// The same for text in memory; `file` is the name that messages show. `places`, where given, tells
/// where links and joints are.
Mechanism parse_urdf(const std::string& text, const std::string& file,
                     const UrdfOptions& options = {}, MechanismPlaces* places = nullptr);

}  // namespace camber::multibody
