#include "camber/core/require.h"

#include <array>
#include <charconv>
#include <stdexcept>

namespace camber::internal {
namespace {

template <class Number>
std::string number_to_text(Number value) {
  std::array<char, 40> buffer;  // the longest double takes 24 characters
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end);
}

}  // namespace

std::string to_text(double value) { return number_to_text(value); }
std::string to_text(long long value) { return number_to_text(value); }
std::string to_text(unsigned long long value) { return number_to_text(value); }

void throw_invalid_argument(const std::string& text) { throw std::invalid_argument(text); }

}  // namespace camber::internal
