#include "camber/symbolic/parse_error.h"

#include <algorithm>
#include <utility>

#include "camber/core/require.h"

namespace camber::symbolic {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

int count_characters(std::string_view text) {
  const auto continuing = std::count_if(text.begin(), text.end(), continues_character);
  return static_cast<int>(text.size()) - static_cast<int>(continuing);
}

Position locate(std::string_view text, std::size_t offset, const Position& origin) {
  Position where = origin;
  if (where.file.empty()) where.file = "expression";
  where.line = std::max(origin.line, 1);
  where.column = std::max(origin.column, 1);
  const std::string_view before = text.substr(0, offset);
  const auto last_line = before.rfind('\n');
  if (last_line == std::string_view::npos) {
    where.column += count_characters(before);
  } else {
    where.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    where.column = 1 + count_characters(before.substr(last_line + 1));
  }
  return where;
}

/// The line of the text that holds `offset`, and below it a caret. A long line is cut to a window.
std::string excerpt(std::string_view text, std::size_t offset) {
  constexpr std::size_t kReach = 60;
  const auto last_break = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t line_start = last_break == std::string_view::npos ? 0 : last_break + 1;
  const std::size_t line_end = std::min(text.find('\n', offset), text.size());

  std::size_t start = line_start + kReach < offset ? offset - kReach : line_start;
  std::size_t end = std::min(line_end, offset + kReach);
  while (start > line_start && continues_character(text[start])) --start;
  while (end < line_end && continues_character(text[end])) ++end;

  std::string shown = start > line_start ? "..." : "";
  const std::size_t mark = shown.size() + count_characters(text.substr(start, offset - start));
  shown += text.substr(start, end - start);
  if (end < line_end) shown += "...";
  // Tabs and other control characters would move the caret.
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return concat("\n  ", shown, "\n  ", std::string(mark, ' '), "^");
}

}  // namespace

ParseError::ParseError(std::string_view text, std::size_t offset, const Position& origin,
                       std::string message)
    : std::runtime_error(
          concat(to_text(locate(text, offset, origin)), ": ", message, excerpt(text, offset))),
      message_(std::move(message)),
      offset_(offset),
      where_(locate(text, offset, origin)) {}

}  // namespace camber::symbolic
