#pragma once

// Changes of files that keep them nearly right: lines, numbers and words, and the keys that readers
// ask for. Changes of single bytes seldom get past a reader's first lines.

#include <cstdint>
#include <random>
#include <string>

#include "camber/core/key_watch.h"

namespace camber::fuzz {

using Random = std::minstd_rand;

/// One change of any text: a line left out, repeated or moved, a number or word replaced.
std::string change_text(const std::string& text, Random* random);

/// One change of a TOML file: as above, or a key, word or table that `known` has for its place.
std::string change_toml(const std::string& text, const KeyWatch& known, Random* random);

/// Chunks of a PNG file get the checksums of what they hold; the rest stays as it is.
std::string repair_png(std::string bytes);

}  // namespace camber::fuzz
