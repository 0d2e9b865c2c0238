#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "camber/core/base64.h"

namespace camber::server {

/// SHA-1 [RFC 3174]. The handshake of WebSockets requires it; nothing here relies on it for
/// security.
std::array<std::uint8_t, 20> calc_sha1(std::string_view bytes);

using camber::encode_base64;
/// The number of bytes that a base64 text stands for; -1 if the text is not exactly what
/// encode_base64() writes: other characters, missing padding, bits that should be zero.
int count_base64_bytes(std::string_view text);

}  // namespace camber::server
