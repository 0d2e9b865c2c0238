#pragma once

#include <string>

#include "camber/core/toml_reader.h"
#include "camber/sensors/sensor_spec.h"

namespace camber::sensors {

/// Reads a [[sensor]] table of a scenario: its `model` names a file of kind "sensor" with the
/// values, which the table's own keys replace. A model is a path relative to `folder`, or the name of
/// a file in models/sensors of the folder or one of those above it. Mistakes in the table are noted
/// at their nodes; those in a model's file are thrown as ModelFileError.
SensorSpec read_sensor(const TomlNode& table, const std::string& folder);

/// Reads a file of kind "sensor" alone. Throws ModelFileError.
SensorSpec load_sensor(const std::string& path);

}  // namespace camber::sensors
