#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "camber/core/diagnostics.h"

namespace camber::internal {

/// Where byte `offset` of a text value is in the file. `line` and `column` are where the value
/// starts, at its opening quote. Escapes and line ends that TOML leaves out are counted as the file
/// has them; past the end of the text it is the closing quote.
Position locate_in_string(std::string_view source, const std::string& file, int line, int column,
                          std::size_t offset);

}  // namespace camber::internal
