#pragma once

#include <string>
#include <string_view>

namespace camber::server {

constexpr std::size_t kTokenDigits = 32;

/// 128 bits of the system's random numbers as 32 hexadecimal digits. Throws std::runtime_error if
/// there are none.
std::string make_token();
/// Whether `text` has the form of a token: 32 digits of 0-9, a-f.
bool is_token_text(std::string_view text);
/// Compares in a time that does not depend on where they differ.
bool equals_token(std::string_view given, std::string_view token);
/// The token in a file that only the user may read (mode 0600 or stricter); a missing file is
/// created with a new token. Throws FileError with what is wrong.
std::string read_token_file(const std::string& path);

}  // namespace camber::server
