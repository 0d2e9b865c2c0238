#include "tests/fuzz/toml_mutator.h"

#include <array>
#include <string_view>
#include <vector>

#include "camber/core/asked_keys.h"
#include "camber/core/random.h"

namespace camber::fuzz {
namespace {

using Lines = std::vector<std::string>;

constexpr std::array kValues = {
    "0",
    "1",
    "-1",
    "2",
    "3",
    "0.5",
    "-0.5",
    "10",
    "1000",
    "1e-300",
    "1e300",
    "-1e300",
    "1.7976931348623157e308",
    "5e-324",
    "nan",
    "inf",
    "-inf",
    "9223372036854775807",
    "-9223372036854775808",
    "true",
    "false",
    "\"\"",
    "\"x\"",
    "\"world\"",
    "\"ground\"",
    "\"1/0\"",
    "\"sqrt(-1)\"",
    "\"x + x\"",
    "\"../models\"",
    "\"\\u0000\"",
    "[]",
    "[0]",
    "[0, 0]",
    "[1, 2, 3]",
    "[0, 0, 0]",
    "[1e300, -1e300, 0]",
    "[1, 0, 0, 0]",
    "[[0, 0], [1, 1]]",
    "[[0, 0], [0, 0]]",
    "[[0, 0, 0], [1, 0, 0]]",
    "{}",
    "{ at = [0, 0, 0] }",
    "[{}]",
    "2026-11-18",
};

Lines split_lines(const std::string& text) {
  Lines lines;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string join(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class Mutator {
 public:
  Mutator(const std::string& text, unsigned seed) : lines_(split_lines(text)), random_(seed) {}

  std::string mutate() {
    const int count = pick(3) == 0 ? 1 + pick(6) : 1;
    for (int k = 0; k < count; ++k) change();
    return join(lines_);
  }

 private:
  int pick(std::size_t count) {
    return static_cast<int>(random_.integer(0, static_cast<std::int64_t>(count) - 1));
  }
  template <class List>
  auto pick_from(const List& list) {
    auto it = list.begin();
    std::advance(it, pick(list.size()));
    return *it;
  }

  /// The table that a line belongs to: "driver.speed", "stop[0]"; empty before the first.
  std::string table_of(std::size_t line) const {
    for (std::size_t i = std::min(line + 1, lines_.size()); i-- > 0;) {
      const std::string& text = lines_[i];
      if (text.starts_with("[[")) {
        const std::size_t end = text.find("]]");
        if (end != std::string::npos) return text.substr(2, end - 2) + "[0]";
      } else if (text.starts_with("[")) {
        const std::size_t end = text.find(']');
        if (end != std::string::npos) return text.substr(1, end - 1);
      }
    }
    return "";
  }

  std::string make_value(const std::string& path) {
    const auto& words = internal::asked_keys().words;
    const auto found = words.find(path);
    if (found != words.end() && pick(4) != 0) return "\"" + pick_from(found->second) + "\"";
    return pick_from(kValues);
  }

  std::string make_line(const std::string& table) {
    const auto& keys = internal::asked_keys().keys;
    const auto found = keys.find(table);
    if (found == keys.end()) return "x = " + make_value("");
    const std::string key = pick_from(found->second);
    return key + " = " + make_value(table.empty() ? key : table + "." + key);
  }

  void change() {
    const std::size_t at = lines_.empty() ? 0 : static_cast<std::size_t>(pick(lines_.size()));
    const auto place = lines_.begin() + static_cast<std::ptrdiff_t>(at);
    switch (lines_.empty() ? 0 : pick(8)) {
      case 0:
      case 1:
        lines_.insert(lines_.empty() ? place : place + 1, make_line(table_of(at)));
        break;
      case 2:
      case 3: {  // another value for a key
        const std::size_t equals = place->find('=');
        if (equals == std::string::npos) break;
        const std::string key = place->substr(0, place->find_last_not_of(' ', equals - 1) + 1);
        const std::string table = table_of(at);
        *place = key + " = " + make_value(table.empty() ? key : table + "." + key);
        break;
      }
      case 4:
        lines_.erase(place);
        break;
      case 5:
        lines_.insert(place, std::string(*place));
        break;
      case 6:
        std::swap(*place, lines_[static_cast<std::size_t>(pick(lines_.size()))]);
        break;
      default: {  // a table that a reader has asked for
        const auto& keys = internal::asked_keys().keys;
        if (keys.empty()) break;
        const std::string table = pick_from(keys).first;
        if (table.empty()) break;
        const std::size_t bracket = table.find("[0]");
        const bool is_list = bracket != std::string::npos && bracket + 3 == table.size();
        lines_.push_back(is_list ? "[[" + table.substr(0, bracket) + "]]" : "[" + table + "]");
        lines_.push_back(make_line(table));
        break;
      }
    }
  }

  Lines lines_;
  RandomStream random_;
};

}  // namespace

std::string mutate_toml(const std::string& text, unsigned seed) {
  return Mutator(text, seed).mutate();
}

}  // namespace camber::fuzz
