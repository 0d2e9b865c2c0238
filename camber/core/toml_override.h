#pragma once

#include <string>
#include <string_view>

#include "camber/core/toml_value.h"

namespace camber::internal {

/// Puts the value of an assignment, "driver.speed.target=15" or "stop[0].value=2", into the tree,
/// with the tables on the way there; an array's entries must exist. A value that is not TOML and
/// does not start like TOML counts as text: model=fiala. The new value carries `option`, the place
/// that messages show. Returns what is wrong with the assignment, or an empty text. Parents must be
/// linked again afterwards.
std::string set_toml_value(std::string_view assignment, const std::string& option, TomlValue* root);

}  // namespace camber::internal
