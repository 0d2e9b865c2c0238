#include "camber/autonomy/path_file.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

constexpr std::size_t kMaxBytes = 64U << 20U;
constexpr std::string_view kBetween = " \t,;\r";

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = line.find_first_not_of(kBetween);
    if (start == std::string_view::npos) return words;
    const std::size_t end = line.find_first_of(kBetween, start);
    words.push_back(line.substr(start, end - start));
    if (end == std::string_view::npos) return words;
    line.remove_prefix(end);
  }
}

std::optional<double> find_number(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return {};
  return value;
}

}  // namespace

std::vector<std::array<double, 2>> load_path_points(const std::string& file) {
  const std::string text = read_file(file, kMaxBytes);
  std::vector<std::array<double, 2>> points;
  Diagnostics diagnostics;
  std::string_view left = text;
  bool is_first = true;
  for (int number = 1; !left.empty(); ++number) {
    const std::size_t end = left.find('\n');
    std::string_view line = left.substr(0, end);
    left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
    line = line.substr(0, line.find('#'));
    const std::vector<std::string_view> words = split(line);
    if (words.empty()) continue;
    const auto x = find_number(words[0]);
    const auto y = words.size() == 2 ? find_number(words[1]) : std::nullopt;
    const bool may_be_names = is_first && words.size() == 2 && !x && !y;
    is_first = false;
    if (x && y) {
      points.push_back({*x, *y});
    } else if (!may_be_names) {
      diagnostics.error({.file = file, .line = number},
                        concat("must be two numbers x, y in m, got \"", line, "\""));
    }
  }
  if (points.size() < 2 && diagnostics.error_count() == 0) {
    diagnostics.error({.file = file},
                      concat("a path needs at least two points, has ", points.size()));
  }
  diagnostics.throw_if_any();
  return points;
}

}  // namespace camber::autonomy
