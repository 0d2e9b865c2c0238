#pragma once

#include <optional>
#include <string>

#include "camber/multibody/urdf_file.h"

namespace CLI {  // NOLINT(readability-identifier-naming): its own
class App;
}

namespace camber::app {

/// What a command line says of what a URDF file leaves open.
struct UrdfChoice {
  bool floating_base = false, is_strict = false;
  std::optional<double> stop_stiffness, stop_damping;

  /// Throws std::invalid_argument for values out of range, and where something is given for a file
  /// that is not URDF.
  multibody::UrdfOptions check(const std::string& path, bool is_urdf) const;
};

void add_urdf_options(CLI::App* command, UrdfChoice* choice);

/// A message about joints whose limits nothing enforces; empty if there are none.
std::string describe_loose_limits(const multibody::Mechanism& mechanism);

}  // namespace camber::app
