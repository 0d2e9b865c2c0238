#pragma once

#include <stdexcept>
#include <string>

#include "camber/symbolic/expr.h"

namespace camber::symbolic::internal {

/// The number as text for a message; of a long whole number only the first digits.
inline std::string brief_text(const Number& number) {
  constexpr std::size_t kLongest = 40;
  constexpr std::size_t kShown = 12;
  const auto cut = [](std::string digits) {
    if (digits.size() <= kLongest) return digits;
    return digits.substr(0, kShown) + "... (" + std::to_string(digits.size()) + " digits)";
  };
  if (!number.is_exact()) return number.to_string();
  const std::string sign = number.sign() < 0 ? "-" : "";
  const std::string above = sign + cut(abs(number.numerator()).to_string());
  return number.is_integer() ? above : above + "/" + cut(number.denominator().to_string());
}

/// The expression as text for a message; a long one is cut.
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
