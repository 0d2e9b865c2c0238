#pragma once

#include <string>

#include "camber/core/overrides.h"
#include "camber/core/toml_reader.h"
#include "camber/vehicle/vehicle.h"

namespace camber::vehicle {

/// Reads a `kind = "vehicle"` file (docs/manual/vehicles.md). Throws ModelFileError with every
/// mistake, its place and key. `overrides` of this `part` replace values of the file.
Vehicle load_vehicle(const std::string& path, const Overrides& overrides = {},
                     std::string_view part = "");
/// The same for text in memory; `file` is the name that messages show.
Vehicle parse_vehicle(std::string text, std::string file);
/// The same for a file that is open.
Vehicle read_vehicle(TomlFile file);

}  // namespace camber::vehicle
