#pragma once

#include <string>
#include <vector>

#include "camber/core/overrides.h"
#include "camber/multibody/mechanism.h"
#include "camber/multibody/mechanism_error.h"

namespace camber::multibody {

/// Options for what a URDF file does not specify.
struct UrdfOptions {
  bool floating_base = false;  // the root link moves freely; else it is fixed to the world
  /// URDF has limits without a stiffness: they become `lower` and `upper` with this stiffness.
  double stop_stiffness = 0;  // [N/m] or [N m/rad]
  double stop_damping = 0;    // [N s/m] or [N m s/rad]
  /// Refuse what is otherwise accepted with a note: inertias that no body has (dummy values, moments
  /// off the triangle inequality, inertia without mass), and <mimic> on a joint that cannot follow.
  bool is_strict = false;
  /// The same as text, "robot.floating_base=true", "robot.strict=true", "robot.stop_stiffness=2000",
  /// "robot.stop_damping=20"; and how the robot starts and what acts on its joints, by the keys of a
  /// mechanism file: "joints.elbow.position_deg=30", "joints.elbow.speed=0.2",
  /// "joints.elbow.torque=4".
  Overrides settings = {};
};

/// What a URDF file has that was accepted although it is not sound, one line each.
using UrdfNotes = std::vector<std::string>;

/// A robot described in URDF (docs/manual/mechanism-files.md): links, inertials, joints, damping
/// and friction, mimic joints as couplers. A root link called "world" is the world; any other one
/// is attached to the world by a joint of its own name. Visuals, collisions, efforts, velocities,
/// transmissions and safety controllers are ignored. Throws ModelFileError with line and column if
/// the XML or the robot is invalid, or if camber was built without liburdfdom.
Mechanism load_urdf(const std::string& path, const UrdfOptions& options = {});
/// The same for text in memory; `file` is the name that messages show. `places`, if given, receives
/// the places of links and joints, `notes` what was accepted.
Mechanism parse_urdf(const std::string& text, const std::string& file,
                     const UrdfOptions& options = {}, MechanismPlaces* places = nullptr,
                     UrdfNotes* notes = nullptr);

}  // namespace camber::multibody
