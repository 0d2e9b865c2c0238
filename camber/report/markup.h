#pragma once

#include <string>
#include <string_view>

namespace camber::report {

/// Text that stands for itself in HTML and SVG, in attributes too.
std::string escape(std::string_view text);

/// A unit as it is printed, escaped: "m/s^2" with a raised 2, nothing for "1".
std::string unit_markup(const std::string& unit);

}  // namespace camber::report
