#pragma once

#include <string>

#include "camber/multibody/dynamics.h"

namespace camber::app {

/// "urdf" for a file of that ending, else the `kind` that a TOML file gives; empty if it gives
/// none. Throws ModelFileError for what is no TOML.
std::string find_model_kind(const std::string& path);

/// Whether load_mechanism_source() reads files of this kind.
bool is_mechanism_kind(const std::string& kind);

/// A mechanism from a TOML or URDF file of that kind.
multibody::Mechanism load_mechanism_source(const std::string& path, const std::string& kind);

/// The mechanism assembled. What its author can mend (it cannot be assembled, speeds that
/// contradict each other, a body without mass where the formulation needs one) is a ModelFileError.
multibody::MechanismDynamics make_dynamics(const std::string& path,
                                           const multibody::Mechanism& mechanism,
                                           multibody::Formulation formulation,
                                           const multibody::Stabilization& stabilization = {});

}  // namespace camber::app
