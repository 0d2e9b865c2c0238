#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace camber {

/// The candidate that a person who typed `word` most likely meant, if one is close enough: about
/// one typing error in three letters, ignoring case. Of equally close candidates, the first.
std::optional<std::string> closest_match(std::string_view word,
                                         std::span<const std::string> candidates);

/// `; did you mean "differential"?`, or nothing when no candidate is close: the end of a message.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace camber
