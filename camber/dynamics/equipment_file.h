#pragma once

#include <span>
#include <string>
#include <vector>

#include "camber/core/overrides.h"
#include "camber/core/toml_reader.h"
#include "camber/driveline/driveline_file.h"
#include "camber/dynamics/equipment.h"

namespace camber::dynamics {

/// Reads a `kind = "equipment"` file (docs/manual/equipment.md) for a vehicle with these axles.
/// `overrides` of this `part` replace values of the file. Throws ModelFileError with every mistake,
/// its place and key.
Equipment load_equipment(const std::string& path, std::span<const driveline::AxleWheels> axles,
                         const Overrides& overrides = {}, std::string_view part = "");
Equipment read_equipment(TomlFile file, std::span<const driveline::AxleWheels> axles);

/// The same without a vehicle: the axles are those that have brakes in the file, with two wheels
/// each, in the order of the file.
Equipment load_equipment(const std::string& path, const Overrides& overrides = {},
                         std::string_view part = "");
Equipment read_equipment(TomlFile file);

}  // namespace camber::dynamics
