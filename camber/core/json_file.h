#pragma once

#include <cstddef>
#include <string>

namespace camber {

/// The text of a JSON file that may come from anywhere, as read_file(). Throws FileError also if it
/// nests deeper than 100 levels: values are copied by recursion, and a deep one would overflow the
/// stack.
std::string read_json_file(const std::string& path, std::size_t max_bytes);

}  // namespace camber
