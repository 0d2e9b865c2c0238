#include "camber/report/markup.h"

#include <utility>

namespace camber::report {

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string unit_markup(const std::string& unit) {
  if (unit == "1") return "";
  std::string result = escape(unit);
  for (const auto& [plain, raised] : {std::pair{"^2", "\u00b2"}, std::pair{"^3", "\u00b3"}}) {
    for (auto at = result.find(plain); at != std::string::npos; at = result.find(plain)) {
      result.replace(at, 2, raised);
    }
  }
  return result;
}

}  // namespace camber::report
