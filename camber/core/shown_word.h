#pragma once

#include <string>
#include <string_view>

namespace camber {

/// A word of a file that may hold anything, in quotes for a message: at most 40 bytes, with ? for
/// what is not printable ASCII. A NUL would end the message, other controls command a terminal.
inline std::string shown_word(std::string_view word) {
  std::string text(word.substr(0, 40));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) >= 127) c = '?';
  }
  return "\"" + text + (word.size() > 40 ? "...\"" : "\"");
}

}  // namespace camber
