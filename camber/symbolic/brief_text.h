#pragma once

#include <stdexcept>
#include <string>

#include "camber/symbolic/expr.h"

namespace camber::symbolic::internal {

/// The expression as text for a message: long ones are cut.
inline std::string brief_text(const Expr& e) {
  constexpr std::size_t kLongest = 160;
  try {
    std::string text = e.to_string();
    if (text.size() > kLongest) {
      text.resize(kLongest);
      text += "...";
    }
    return text;
  } catch (const std::length_error&) {  // too long to print at all
    return "a " + std::string(kind_name(e.kind())) + " with more text than can be printed";
  }
}

}  // namespace camber::symbolic::internal
