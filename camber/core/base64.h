#pragma once

#include <string>
#include <string_view>

namespace camber {

/// Base64 with padding [RFC 4648, section 4].
std::string encode_base64(std::string_view bytes);

}  // namespace camber
