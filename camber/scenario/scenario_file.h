#pragma once

#include <span>
#include <string>

#include "camber/core/toml_reader.h"
#include "camber/scenario/scenario.h"

namespace camber::scenario {

/// Reads a file of kind "scenario" (docs/manual/scenarios.md). `overrides` are assignments of
/// --set, "driver.speed.target=15", put in before anything is read (TomlFile::set()). Files that
/// it names are looked for beside it and must be there and of the right kind; they are not read
/// further. Throws ModelFileError with every mistake, its place and key.
Scenario load_scenario(const std::string& path, std::span<const std::string> overrides = {});

/// The same for text in memory; `file` is the name that messages show, and where it would lie.
Scenario parse_scenario(std::string text, std::string file,
                        std::span<const std::string> overrides = {});

/// The same for a file that is open; `path` is where it lies. Nodes of it do not survive.
Scenario read_scenario(TomlFile file, const std::string& path,
                       std::span<const std::string> overrides = {});

}  // namespace camber::scenario
