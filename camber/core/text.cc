#include "camber/core/text.h"

#include <cstdio>

namespace camber {

std::string short_text(double value, int digits) {
  if (value == 0.0) return "0";
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  std::string result = text;
  // 1e-05 -> 1e-5
  const std::size_t exponent = result.find('e');
  if (exponent != std::string::npos) {
    std::size_t zero = exponent + 2;
    if (result[exponent + 1] == '+') {
      result.erase(exponent + 1, 1);
      zero = exponent + 1;
    }
    while (zero + 1 < result.size() && result[zero] == '0') result.erase(zero, 1);
  }
  return result;
}

}  // namespace camber
