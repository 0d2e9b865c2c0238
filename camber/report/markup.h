#pragma once

#include <string>
#include <string_view>

namespace camber::report {

/// Escapes text for HTML and SVG, attributes included.
std::string escape(std::string_view text);

/// A unit as it is printed, escaped: "m/s^2" with a superscript 2, empty for "1".
std::string unit_markup(const std::string& unit);

}  // namespace camber::report
