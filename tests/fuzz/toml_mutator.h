#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace camber::fuzz {

/// Changes a text that is TOML, or something like it, line by line: writes keys and words that
/// readers have asked for (core/asked_keys.h) with values at the limits of their kinds, drops,
/// doubles and moves lines, adds tables. The result depends on text and seed and on what was asked
/// for so far.
std::string mutate_toml(const std::string& text, unsigned seed);

}  // namespace camber::fuzz
