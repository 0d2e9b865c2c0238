#pragma once

#include <cstddef>
#include <string_view>

#include "camber/core/diagnostics.h"

namespace camber::internal {

// Limits far above what a person writes. toml++ 3.3.0 recurses over nested values and over the
// parts of a key, and overflows the stack on a file that is nothing but "a.a.a.a..." or "[[[[...".
inline constexpr std::size_t kMaxTomlBytes = std::size_t{8} << 20;
inline constexpr int kMaxTomlDepth = 32;               // arrays and inline tables inside each other
inline constexpr int kMaxTomlKeyParts = 32;            // a.b.c has three
inline constexpr std::size_t kMaxTomlKeyBytes = 1024;  // a whole dotted key
inline constexpr int kMaxTomlValues = 500'000;  // bounds the memory: a value takes about 300 bytes

/// Throws ModelFileError at the first place where the text exceeds a limit, has a NUL byte or is
/// not UTF-8. A text that passes is not necessarily TOML, but toml++ parses it in bounded stack and
/// time.
void check_toml_limits(std::string_view text, const std::string& file);

/// Line and column of a byte of the text, for messages.
Position position_at(std::string_view text, const std::string& file, std::size_t offset);

/// The offset after the TOML string that opens with a quote at `begin`, or the end of the text if
/// it never closes.
std::size_t find_string_end(std::string_view text, std::size_t begin);

/// Bytes of the UTF-8 sequence at `begin`, or 0 if it is not valid (RFC 3629: shortest form, no
/// surrogates, at most U+10FFFF).
std::size_t utf8_length(std::string_view text, std::size_t begin);

}  // namespace camber::internal
