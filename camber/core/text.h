#pragma once

#include <string>

namespace camber {

/// A number for people: at most `digits` significant digits, without trailing zeros, "1e-5".
std::string short_text(double value, int digits = 6);

}  // namespace camber
