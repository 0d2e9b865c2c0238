#pragma once

#include <cmath>
#include <string>

#include "camber/core/text.h"

namespace camber::study {

/// short_text() without an exponent for numbers from 1 to ten million: "1920", not "1.92e3".
inline std::string rounded_text(double value, int digits) {
  const std::string text = short_text(value, digits);
  const double size = std::abs(value);
  if (text.find('e') == std::string::npos || size < 1 || size >= 1e7) return text;
  return fixed_text(parse_number(text, "rounded_text"), 0);
}

}  // namespace camber::study
