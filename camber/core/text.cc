#include "camber/core/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "camber/core/require.h"

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

std::string fixed_text(double value, int decimals) {
  if (!(std::abs(value) < 1e9)) return "";
  if (std::abs(value) < 0.5 * std::pow(10.0, -decimals)) value = 0;
  std::ostringstream out;
  out << std::fixed << std::setprecision(decimals) << value;
  return out.str();
}

std::string count_text(std::int64_t count, std::string_view one, std::string_view many) {
  if (count == 1) return concat(count, ' ', one);
  return many.empty() ? concat(count, ' ', one, 's') : concat(count, ' ', many);
}

double parse_number(const std::string& text, std::string_view what) {
  std::size_t used = 0;
  double value = 0.0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  require(used > 0 && used == text.size() && std::isfinite(value), what, ": \"", text,
          "\" is not a number");
  return value;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::string padded(const std::string& text, int width) {
  int characters = 0;
  for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return text + std::string(static_cast<std::size_t>(std::max(1, width - characters)), ' ');
}

}  // namespace camber
