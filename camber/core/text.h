#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

/// A human-readable number: "0.25", "1500", "2e-5".
std::string short_text(double value, int digits = 6);

/// A fixed number of decimals, without the sign of a zero: "0.0", not "-0.0". Empty for a value
/// that is not finite or is 1e9 or more.
std::string fixed_text(double value, int decimals);

/// "1 step", "3 steps"; the plural is `one` and an s unless `many` gives it.
std::string count_text(std::int64_t count, std::string_view one, std::string_view many = "");

/// The finite number that the whole `text` represents; else throws std::invalid_argument: `what`:
/// "a" is not a number.
double parse_number(const std::string& text, std::string_view what);

/// "1:2:3" -> {"1", "2", "3"}. Empty parts count, but not one after a separator at the end.
std::vector<std::string> split(const std::string& text, char separator);

/// The text with spaces after it up to a width in characters, and at least one space; a character
/// of several bytes (UTF-8) counts as one.
std::string padded(const std::string& text, int width);

}  // namespace camber
