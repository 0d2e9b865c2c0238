#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic::internal {

/// sin, atan2, select, ...: such a name before a '(' is always the function.
bool is_built_in_function(std::string_view word);
std::vector<std::string> built_in_functions();
/// A built-in function of one argument.
Expr apply_unary(std::string_view name, const Expr& argument);

}  // namespace camber::symbolic::internal
