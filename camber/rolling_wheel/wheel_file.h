#pragma once

#include <string>

#include "camber/core/overrides.h"
#include "camber/core/toml_reader.h"
#include "camber/rolling_wheel/wheel_run.h"

namespace camber::rolling_wheel {

/// A scenario of kind "rolling_wheel": docs/manual/rolling-wheel.md. Throws ModelFileError with
/// every mistake. `overrides` replace values of the file.
WheelScenario read_wheel_scenario(TomlFile file);
WheelScenario load_wheel_scenario(const std::string& path, const Overrides& overrides = {});

}  // namespace camber::rolling_wheel
