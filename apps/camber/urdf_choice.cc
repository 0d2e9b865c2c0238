#include "apps/camber/urdf_choice.h"

#include <cmath>

#include <CLI/CLI.hpp>

#include "camber/core/require.h"

namespace camber::app {

multibody::UrdfOptions UrdfChoice::check(const std::string& path, bool is_urdf) const {
  require(is_urdf || (!floating_base && !is_strict && !stop_stiffness && !stop_damping),
          "--floating-base, --strict, --stop-stiffness and --stop-damping are for robots in URDF, "
          "not for ",
          path);
  require(stop_stiffness || !stop_damping, "--stop-damping goes with --stop-stiffness");
  const double stiffness = stop_stiffness.value_or(0), damping = stop_damping.value_or(0);
  require(!stop_stiffness || (std::isfinite(stiffness) && stiffness > 0),
          "--stop-stiffness: must be > 0 N m/rad or N/m, got ", stiffness);
  require(std::isfinite(damping) && damping >= 0,
          "--stop-damping: must be >= 0 N m s/rad or N s/m, got ", damping);
  return {.floating_base = floating_base,
          .stop_stiffness = stiffness,
          .stop_damping = damping,
          .is_strict = is_strict};
}

void add_urdf_options(CLI::App* command, UrdfChoice* choice) {
  command->add_flag("--floating-base", choice->floating_base,
                    "URDF only: the root link moves freely instead of being fixed to the world");
  command->add_flag("--strict", choice->is_strict,
                    "URDF only: refuse inertias that no body has and <mimic> on fixed joints, "
                    "which are otherwise accepted with a note");
  command->add_option("--stop-stiffness", choice->stop_stiffness,
                      "URDF only: stiffness of the stops beyond the joints' limits "
                      "[N m/rad, N/m]; no stops if not given");
  command->add_option("--stop-damping", choice->stop_damping,
                      "URDF only: damping of these stops [N m s/rad, N s/m]");
}

std::string describe_loose_limits(const multibody::Mechanism& mechanism) {
  std::string names;
  for (const multibody::Joint& joint : mechanism.joints) {
    for (const multibody::JointAxis& axis : joint.axes) {
      if ((!axis.lower && !axis.upper) || axis.stop_stiffness > 0) continue;
      names += concat(names.empty() ? "\"" : ", \"", joint.name, "\"");
    }
  }
  if (names.empty()) return "";
  return concat("limits of ", names,
                " do not hold: URDF gives them no stiffness; --stop-stiffness does");
}

}  // namespace camber::app
