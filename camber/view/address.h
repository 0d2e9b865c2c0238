#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace camber::view {

/// The address of a request: "/api/slice?run=0&column=3,4" is the parts {"api", "slice"} and the
/// parameters {{"run", "0"}, {"column", "3,4"}}. Escapes (%2C) are decoded.
struct Address {
  static constexpr std::size_t kMaxLength = 2048, kMaxParts = 8, kMaxParameters = 16;

  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::string>> parameters;

  /// Value of a parameter, or null if it is not there.
  const std::string* find(std::string_view name) const;
};

/// Empty for an invalid address: no '/' at the start, too long, too many parts, an invalid escape,
/// a parameter twice, a byte 0.
std::optional<Address> parse_address(std::string_view target);

/// The whole text as a number; empty if it is not one, or is outside [low, high].
std::optional<std::int64_t> parse_integer(std::string_view text, std::int64_t low,
                                          std::int64_t high);
std::optional<double> parse_number(std::string_view text, double low, double high);
/// "3,4,5": at most `most` integers in [low, high]; empty otherwise.
std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text, std::int64_t low,
                                                        std::int64_t high, std::size_t most);

}  // namespace camber::view
