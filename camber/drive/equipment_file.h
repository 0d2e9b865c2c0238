#pragma once

#include <string>

#include "camber/drive/equipment.h"

namespace camber::drive {

/// Reads kind = "equipment": driveline, brakes, steering gear and air. Throws ModelFileError with
/// every mistake. docs/manual/equipment.md has the keys.
Equipment load_equipment(const std::string& path);
/// The same for text in memory; `file` is the name that messages show.
Equipment parse_equipment(std::string text, const std::string& file);

}  // namespace camber::drive
