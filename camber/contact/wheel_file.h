#pragma once

#include <string>

#include "camber/contact/wheel_run.h"
#include "camber/core/toml_reader.h"

namespace camber::contact {

/// A scenario of kind "rolling_wheel": docs/manual/rolling-wheel.md. Throws ModelFileError with
/// every mistake.
WheelScenario read_wheel_scenario(TomlFile file);
WheelScenario load_wheel_scenario(const std::string& path);

}  // namespace camber::contact
