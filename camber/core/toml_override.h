#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/toml_value.h"

namespace camber::internal {

/// "driver.speed.target=15" or "stop[0].value=2", taken apart.
struct Assignment {
  std::vector<std::string> path;  // keys and indices
  TomlValue value;
};

/// Where the '=' between key and value is: the first one outside quotes; npos if there is none.
std::size_t find_equals(std::string_view assignment);

/// Keys may be in quotes ("front axle".mass=3). A value that is not TOML and does not start like
/// TOML counts as text: model=fiala. Returns what is wrong with the assignment; empty if nothing.
std::string parse_assignment(std::string_view text, Assignment* result);

/// Puts the value of an assignment into the tree and makes the tables that are missing on the way
/// there; an array's entries must exist. The value carries `option`, the name that messages show
/// for its place. Returns what is wrong with the assignment; empty if nothing. Parents must be
/// linked again afterwards.
std::string set_toml_value(std::string_view text, const std::string& option, TomlValue* root);

}  // namespace camber::internal
