// Walks a string token of TOML 1.0 (https://toml.io/en/v1.0.0#string) and counts the bytes that
// each piece of it stands for, up to the requested byte.

#include "camber/core/toml_string.h"

#include <algorithm>

#include "camber/core/toml_limits.h"

namespace camber::internal {
namespace {

// A piece of the token: bytes in the file, bytes in the decoded text.
struct Piece {
  std::size_t raw = 1;
  std::size_t decoded = 1;
};

std::size_t find_offset(std::string_view source, int line, int column) {
  std::size_t i = 0;
  for (int l = 1; l < line && i < source.size(); ++l) {
    i = std::min(source.find('\n', i), source.size() - 1) + 1;
  }
  for (int c = 1; c < column && i < source.size(); ++c) {
    i += std::max<std::size_t>(1, utf8_length(source, i));
  }
  return i;
}

std::size_t encoded_length(std::string_view hex_digits) {
  const unsigned long code = std::stoul(std::string(hex_digits), nullptr, 16);
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

// A backslash at the end of a line: that line end and all white space up to the next character.
Piece line_continuation(std::string_view rest) {
  return {std::min(rest.find_first_not_of(" \t\r\n", 1), rest.size()), 0};
}

Piece escape(std::string_view rest) {
  const char c = rest.size() > 1 ? rest[1] : '\0';
  if (c == 'u' && rest.size() >= 6) return {6, encoded_length(rest.substr(2, 4))};
  if (c == 'U' && rest.size() >= 10) return {10, encoded_length(rest.substr(2, 8))};
  if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return line_continuation(rest);
  return {2, 1};
}

Piece next_piece(std::string_view rest, bool has_escapes) {
  if (has_escapes && rest[0] == '\\') return escape(rest);
  if (rest.substr(0, 2) == "\r\n") return {2, 1};  // toml++ makes every line end a "\n"
  const std::size_t length = utf8_length(rest, 0);
  return {length, length};
}

}  // namespace

Position locate_in_string(std::string_view source, const std::string& file, int line, int column,
                          std::size_t offset) {
  const std::size_t begin = find_offset(source, line, column);
  if (begin >= source.size()) return {file, line, column};
  const char quote = source[begin];
  if (quote != '"' && quote != '\'') return {file, line, column};
  const bool multiline = source.substr(begin, 3) == std::string(3, quote);
  const std::size_t token_end = find_string_end(source, begin) - (multiline ? 3 : 1);

  std::size_t i = begin + (multiline ? 3 : 1);
  if (multiline && source[i] == '\r') ++i;  // a line end right after the opening quotes is left out
  if (multiline && source[i] == '\n') ++i;
  for (std::size_t decoded = 0; i < token_end;) {
    const Piece piece = next_piece(source.substr(i), quote == '"');
    if (decoded + piece.decoded > offset) break;
    decoded += piece.decoded;
    i += piece.raw;
  }
  return position_at(source, file, i);
}

}  // namespace camber::internal
