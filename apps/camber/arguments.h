#pragma once

#include <string>
#include <vector>

namespace camber::app {

/// The number that `text` is, all of it, and finite; else std::invalid_argument names the option.
double parse_number(const std::string& text, const std::string& option);

/// "1:2:3" -> {"1", "2", "3"}
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace camber::app
