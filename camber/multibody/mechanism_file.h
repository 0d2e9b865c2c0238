#pragma once

#include <string>

#include "camber/core/overrides.h"
#include "camber/core/toml_reader.h"
#include "camber/multibody/mechanism.h"
#include "camber/multibody/mechanism_error.h"

namespace camber::multibody {

/// A `kind = "mechanism"` file (docs/manual/mechanism-files.md). Throws ModelFileError with every
/// mistake of the file, each with file, line, column and key: unknown keys and names, values of the
/// wrong type or out of range, expressions that do not parse, and what find_problems() finds.
/// `overrides` replace values of the file.
Mechanism load_mechanism(const std::string& path, const Overrides& overrides = {});
/// The same for text in memory; `file` is the name that messages show.
Mechanism parse_mechanism(std::string text, std::string file);
/// Reads a file that is already open; a pipe can be read only once. `places`, if given, receives
/// the places of its elements.
Mechanism read_mechanism(TomlFile file, MechanismPlaces* places = nullptr);

}  // namespace camber::multibody
