#pragma once

#include <span>
#include <string>
#include <vector>

#include "camber/core/toml_reader.h"
#include "camber/driveline/driveline_file.h"
#include "camber/dynamics/equipment.h"

namespace camber::dynamics {

/// Reads a `kind = "equipment"` file (docs/manual/equipment.md) for a vehicle with these axles.
/// Throws ModelFileError with every mistake, its place and key.
Equipment load_equipment(const std::string& path, std::span<const driveline::AxleWheels> axles);
Equipment read_equipment(TomlFile file, std::span<const driveline::AxleWheels> axles);

/// The same without a vehicle: the axles are those that have brakes in the file, with two wheels
/// each, in the order of the file.
Equipment load_equipment(const std::string& path);
Equipment read_equipment(TomlFile file);

}  // namespace camber::dynamics
