#include "camber/core/suggestion.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "camber/core/require.h"

namespace camber {
namespace {

// Longer words are not typing errors, and the work grows with the product of the lengths.
constexpr std::size_t kMaxLength = 64;

std::string to_lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// Optimal string alignment distance ([Boytsov 2011] section 2.2): insertions, deletions,
// substitutions and swaps of neighbors, no substring edited twice. d(i, j) compares the first i
// letters of a with the first j of b; rows i-2, i-1 and i are kept.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> closest_match(std::string_view word,
                                         std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kMaxLength) return std::nullopt;
  const std::string lower = to_lower(word);
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kMaxLength) continue;
    const std::size_t distance = edit_distance(lower, to_lower(candidate));
    // As many edits as letters is a different word, however short both are.
    if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto match = closest_match(word, candidates);
  return match ? concat("; did you mean \"", *match, "\"?") : "";
}

}  // namespace camber
