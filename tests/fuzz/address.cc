// Addresses of the page's data, and the numbers in them: whatever comes, it is an address within its
// bounds or none.

#include "camber/view/address.h"

#include <cstdlib>
#include <string_view>

#include "tests/fuzz/targets.h"

void camber::fuzz::read_address(std::string_view bytes) {
  using camber::view::Address;
  const auto address = camber::view::parse_address(bytes);
  if (address) {
    if (address->parts.size() > Address::kMaxParts ||
        address->parameters.size() > Address::kMaxParameters || bytes.size() > Address::kMaxLength)
      std::abort();
    for (const std::string& part : address->parts) {
      if (part.empty()) std::abort();
      const auto integer = camber::view::parse_integer(part, -5, 1000);
      if (integer && (*integer < -5 || *integer > 1000)) std::abort();
    }
    for (const auto& [key, value] : address->parameters) {
      if (address->find(key) == nullptr) std::abort();
      const auto number = camber::view::parse_number(value, -1, 1e6);
      if (number && !(*number >= -1 && *number <= 1e6)) std::abort();
      const auto list = camber::view::parse_integers(value, 0, 99, 64);
      if (list && (list->empty() || list->size() > 64)) std::abort();
    }
  }
}
