#pragma once

#include <string>

#include "camber/core/toml_reader.h"
#include "camber/dynamics/equipment.h"

namespace camber::dynamics {

/// Reads kind = "equipment": driveline, brakes, steering gear and air. Throws ModelFileError with
/// every mistake. docs/manual/equipment.md has the keys.
Equipment load_equipment(const std::string& path);
/// The same for a file that is open.
Equipment read_equipment(TomlFile file);

}  // namespace camber::dynamics
