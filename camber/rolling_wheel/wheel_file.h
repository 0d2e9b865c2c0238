#pragma once

#include <string>

#include "camber/core/toml_reader.h"
#include "camber/rolling_wheel/wheel_run.h"

namespace camber::rolling_wheel {

/// A scenario of kind "rolling_wheel": docs/manual/rolling-wheel.md. Throws ModelFileError with
/// every mistake.
WheelScenario read_wheel_scenario(TomlFile file);
WheelScenario load_wheel_scenario(const std::string& path);

}  // namespace camber::rolling_wheel
