#pragma once

#include <string>
#include <string_view>

#include "camber/core/toml_value.h"

namespace camber::internal {

/// Puts the value of an assignment, "driver.speed.target=15" or "stop[0].value=2", into the tree,
/// with the tables on the way there; an array's entries must exist. What is no TOML value and does
/// not begin like one counts as text: model=fiala. What was put in carries `option`, the name that
/// messages show for its place. Returns what is wrong with the assignment; empty if nothing.
/// Parents must be linked again afterwards.
std::string set_toml_value(std::string_view assignment, const std::string& option, TomlValue* root);

}  // namespace camber::internal
