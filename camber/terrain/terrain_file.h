#pragma once

#include <string>
#include <vector>

#include "camber/core/overrides.h"
#include "camber/core/toml_reader.h"
#include "camber/terrain/bump.h"
#include "camber/terrain/terrain.h"

namespace camber::terrain {

/// A [terrain] table (docs/manual/terrain.md), of a terrain's own file or of a scenario. Relative
/// file names refer to `folder`. Mistakes are recorded in the table's file, with line and key; the
/// result is valid only if the file's finish() does not throw.
Terrain read_terrain(const TomlNode& table, const std::string& folder);

/// The obstacles of a [[terrain.bump]] list. Mistakes are recorded in its file.
std::vector<Bump> read_bumps(const TomlNode& list);

/// A file of kind "terrain". Throws ModelFileError with every mistake. `overrides` of this `part`
/// replace values of the file.
Terrain read_terrain_file(TomlFile file, const std::string& path);
Terrain load_terrain(const std::string& path, const Overrides& overrides = {},
                     std::string_view part = "");

}  // namespace camber::terrain
