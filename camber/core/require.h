#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace camber {
namespace internal {

// The overloads that make text live in require.cc, so that this header, which everything includes,
// costs no <sstream>.
std::string to_text(double value);  // shortest form that reads back to the same double
std::string to_text(long long value);
std::string to_text(unsigned long long value);

template <class Part>
void append_part(std::string* text, const Part& part) {
  if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
    text->append(std::string_view(part));
  } else if constexpr (requires { text->append(part.to_string()); }) {
    text->append(part.to_string());
  } else if constexpr (std::is_same_v<Part, bool>) {
    text->append(part ? "true" : "false");
  } else if constexpr (std::is_same_v<Part, char>) {
    text->push_back(part);
  } else if constexpr (std::is_floating_point_v<Part>) {
    text->append(to_text(static_cast<double>(part)));
  } else if constexpr (std::is_signed_v<Part>) {
    text->append(to_text(static_cast<long long>(part)));
  } else {
    static_assert(std::is_unsigned_v<Part>,
                  "require(): a part is text, a number, a char, a bool or has to_string()");
    text->append(to_text(static_cast<unsigned long long>(part)));
  }
}

[[noreturn]] void throw_invalid_argument(const std::string& text);

}  // namespace internal

/// The parts as one text: strings as they are, numbers in the shortest form that reads back,
/// objects as their to_string() says.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string text;
  (internal::append_part(&text, parts), ...);
  return text;
}

/// Throws std::invalid_argument with the parts as its message when a caller's argument is not what
/// the function needs. The parts are turned into text only then: hand over an object, not its
/// to_string(), which may take longer than the function itself.
///   require(q.size() == model.nq, "calc_mass_matrix: q has ", q.size(), ", needs ", model.nq);
template <class... Parts>
void require(bool condition, const Parts&... parts) {
  static_assert(sizeof...(Parts) > 0, "require(): say what is wrong, with the numbers");
  if (!condition) [[unlikely]] {
    internal::throw_invalid_argument(concat(parts...));
  }
}

}  // namespace camber
