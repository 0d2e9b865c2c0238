#pragma once

// The parts of a mechanism's file, each read from its table. Mistakes go to the file's diagnostics;
// the value returned then only serves to find further mistakes.

#include <optional>
#include <string>
#include <vector>

#include "camber/core/toml_reader.h"
#include "camber/multibody/mechanism.h"
#include "camber/multibody/mechanism_values.h"

namespace camber::multibody::internal {

// Names of bodies, axes and coordinates refer to parts that have been read before.

Body read_body(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values);
Joint read_joint(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values);
Rod read_rod(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values);
Coupler read_coupler(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values);
Rolling read_rolling(const TomlNode& node, const Mechanism& mechanism, MechanismValues* values);

/// "crank", or "knuckle.1" for the second axis of a joint with several; with factor 0.
std::optional<Coupler::Term> find_axis(const std::string& name, const Mechanism& mechanism,
                                       const TomlNode& node);
/// Key `relax`: a number, or n rows of n, by which a constraint relaxes. Functions of these
/// coordinates.
void read_weight(const TomlNode& relax, int n, const std::vector<std::string>& coordinates,
                 MechanismValues* values, Relaxation* relaxation);

/// Names of the axes that have a coordinate of their own.
std::vector<std::string> coordinate_names(const Mechanism& mechanism);

SpringDamper read_spring(const TomlNode& node, MechanismValues* values);
Bushing read_bushing(const TomlNode& node, MechanismValues* values);
Wrench read_wrench(const TomlNode& node, MechanismValues* values);

}  // namespace camber::multibody::internal
