#include "camber/view/address.h"

#include <charconv>

namespace camber::view {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return {};
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return {};
      c = static_cast<char>(16 * high + low);
      i += 2;
    }
    if (c == '\0') return {};
    out.push_back(c);
  }
  return out;
}

/// Cuts off what is before the first `separator`, which is removed.
std::string_view take_until(char separator, std::string_view* rest) {
  const std::size_t end = rest->find(separator);
  const std::string_view piece = rest->substr(0, end);
  *rest = end == std::string_view::npos ? std::string_view() : rest->substr(end + 1);
  return piece;
}

}  // namespace

const std::string* Address::find(std::string_view name) const {
  for (const auto& [key, value] : parameters)
    if (key == name) return &value;
  return nullptr;
}

std::optional<Address> parse_address(std::string_view target) {
  if (target.size() > Address::kMaxLength || target.empty() || target.front() != '/') return {};
  Address address;
  std::string_view query = target;
  std::string_view path = take_until('?', &query).substr(1);
  while (!path.empty()) {
    std::optional<std::string> part = decode(take_until('/', &path));
    if (!part || part->empty() || address.parts.size() == Address::kMaxParts) return {};
    address.parts.push_back(std::move(*part));
  }
  while (!query.empty()) {
    std::string_view pair = take_until('&', &query);
    const bool has_value = pair.find('=') != std::string_view::npos;
    std::optional<std::string> key = decode(take_until('=', &pair));
    std::optional<std::string> value = decode(pair);
    if (!has_value || !key || !value || address.find(*key) != nullptr ||
        address.parameters.size() == Address::kMaxParameters)
      return {};
    address.parameters.emplace_back(std::move(*key), std::move(*value));
  }
  return address;
}

std::optional<std::int64_t> parse_integer(std::string_view text, std::int64_t low,
                                          std::int64_t high) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    return {};
  return value;
}

std::optional<double> parse_number(std::string_view text, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high))
    return {};
  return value;
}

std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text, std::int64_t low,
                                                        std::int64_t high, std::size_t most) {
  std::vector<std::int64_t> values;
  if (text.empty() || text.back() == ',') return {};
  while (!text.empty()) {
    const std::optional<std::int64_t> value = parse_integer(take_until(',', &text), low, high);
    if (!value || values.size() == most) return {};
    values.push_back(*value);
  }
  return values;
}

}  // namespace camber::view
