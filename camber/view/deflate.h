#pragma once

#include <string>

namespace camber::view::internal {

/// A zlib stream, as DecompressionStream("deflate") reads it. `level` is 1 to 9. Throws
/// std::invalid_argument if zlib fails.
std::string deflate_all(const std::string& bytes, int level);

}  // namespace camber::view::internal
