#pragma once

#include <string>

#include "camber/core/overrides.h"
#include "camber/core/toml_reader.h"
#include "camber/dynamics/equipment.h"

namespace camber::dynamics {

/// Reads kind = "equipment": driveline, brakes, steering gear and air. Throws ModelFileError with
/// every mistake. docs/manual/equipment.md has the keys. `overrides` of this `part` replace values
/// of the file.
Equipment load_equipment(const std::string& path, const Overrides& overrides = {},
                         std::string_view part = "");
/// The same for a file that is open.
Equipment read_equipment(TomlFile file);

}  // namespace camber::dynamics
