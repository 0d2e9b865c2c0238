#pragma once

#include <string>
#include <string_view>

namespace camber::report {

/// Text that stands for itself in HTML and SVG, in attributes too.
std::string escape(std::string_view text);

}  // namespace camber::report
