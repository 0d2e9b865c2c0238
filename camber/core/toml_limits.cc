// The limits are checked by a scanner that knows only strings, comments and brackets of TOML 1.0
// (https://toml.io/en/v1.0.0). It is exact up to the first syntax error, and there toml++ stops: so
// toml++ never sees a nested value or a dotted key that was not counted here.

#include "camber/core/toml_limits.h"

#include <algorithm>

#include "camber/core/require.h"

namespace camber::internal {
namespace {

bool is_continuation(std::string_view text, std::size_t i) {
  return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
}

void check_characters(std::string_view text, const std::string& file) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) throw ModelFileError(position_at(text, file, i), "not valid UTF-8");
    if (text[i] == '\0') throw ModelFileError(position_at(text, file, i), "NUL byte in the text");
    i += length;
  }
}

// Follows nesting and keys. A "run" is what stands between two separators (= , newline or a
// bracket): a key or a plain value. Counting dots in both is simpler than distinguishing them, and
// no value has more than one.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void scan() {
    while (i_ < text_.size()) step(text_[i_]);
  }

 private:
  void step(char c) {
    switch (c) {
      case '"':
      case '\'':
        return skip_string();
      case '#':
        return skip_comment();
      case '\n':
        in_header_ = false;
        at_line_start_ = true;
        start_run();
        break;
      case '[':
      case '{':
        open_bracket();
        break;
      case ']':
      case '}':
        close_bracket();
        break;
      case '=':
        check_key_length();
        count_value();
        break;
      case ',':
        count_value();
        break;
      case '.':
        count_part();
        break;
      default:
        count_bare(c);
    }
    ++i_;
  }

  void open_bracket() {
    if (at_line_start_ && depth_ == 0) open_header();
    if (++depth_ > kMaxTomlDepth) fail(concat("nested more than ", kMaxTomlDepth, " deep"));
    start_run();
  }

  // toml++ 3.3.0 assumes that a name follows, without looking.
  void open_header() {
    in_header_ = true;
    const std::size_t brackets = text_.substr(i_, 2) == "[[" ? 2 : 1;
    const std::size_t name = text_.find_first_not_of(" \t", i_ + brackets);
    if (name == std::string_view::npos || text_[name] == '\r' || text_[name] == '\n') {
      fail("not valid TOML: a table's name must follow \"[\" on the same line");
    }
  }

  void close_bracket() {
    if (in_header_) check_key_length();
    depth_ = std::max(0, depth_ - 1);
    start_run();
  }

  void count_value() {
    if (++values_ > kMaxTomlValues) fail(concat("more than ", kMaxTomlValues, " values"));
    start_run();
  }

  void count_part() {
    at_line_start_ = false;
    if (++parts_ > kMaxTomlKeyParts) fail(concat("key of more than ", kMaxTomlKeyParts, " parts"));
    check_key_length();
  }

  void count_bare(char c) {
    if (c == ' ' || c == '\t' || c == '\r') return;
    at_line_start_ = false;
    ++run_bytes_;
    if (++bare_bytes_ > kMaxTomlKeyBytes) fail_long_word();
  }

  void skip_string() {
    at_line_start_ = false;
    const std::size_t end = find_string_end(text_, i_);
    run_bytes_ += end - i_;
    i_ = end;
  }

  void skip_comment() { i_ = std::min(text_.find('\n', i_), text_.size()); }

  void start_run() {
    if (text_[i_] != '\n') at_line_start_ = false;
    parts_ = 1;
    run_bytes_ = bare_bytes_ = 0;
  }

  // A quoted value may be as long as it likes; once a dot, "=" or header bracket follows it is a
  // key.
  void check_key_length() {
    if (run_bytes_ > kMaxTomlKeyBytes) fail_long_word();
  }

  [[noreturn]] void fail_long_word() const {
    fail(concat("key or value of more than ", kMaxTomlKeyBytes, " bytes"));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw ModelFileError(position_at(text_, file_, i_), what);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t i_ = 0;
  int depth_ = 0;
  int parts_ = 1;
  int values_ = 0;
  std::size_t run_bytes_ = 0;   // strings included
  std::size_t bare_bytes_ = 0;  // strings aside
  bool at_line_start_ = true;
  bool in_header_ = false;
};

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t begin) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[begin + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (!is_continuation(text, begin + 1)) return 0;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (!is_continuation(text, begin + 2)) return 0;
  if (first == 0xE0) return byte(1) >= 0xA0 ? 3 : 0;  // else a shorter form exists
  if (first == 0xED) return byte(1) < 0xA0 ? 3 : 0;   // else a surrogate
  if (first > 0xE0 && first <= 0xEF) return 3;
  if (!is_continuation(text, begin + 3)) return 0;
  if (first == 0xF0) return byte(1) >= 0x90 ? 4 : 0;
  if (first == 0xF4) return byte(1) < 0x90 ? 4 : 0;  // else above U+10FFFF
  return first > 0xF0 && first < 0xF4 ? 4 : 0;
}

Position position_at(std::string_view text, const std::string& file, std::size_t offset) {
  Position where{file, 1, 1};
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    if (text[i] == '\n') {
      ++where.line;
      where.column = 1;
    } else if (!is_continuation(text, i)) {
      ++where.column;
    }
  }
  return where;
}

std::size_t find_string_end(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool multiline = text.substr(begin, 3) == std::string(3, quote);
  for (std::size_t i = begin + (multiline ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == '\n' && !multiline) {
      return i;  // never closed; toml++ says so
    } else if (text[i] == quote) {
      if (!multiline) return i + 1;
      if (text.substr(i, 3) != std::string(3, quote)) continue;
      std::size_t end = i + 3;  // up to two more quotes belong to the text: """a"""""
      while (end < i + 5 && end < text.size() && text[end] == quote) ++end;
      return end;
    }
  }
  return text.size();
}

void check_toml_limits(std::string_view text, const std::string& file) {
  if (text.size() > kMaxTomlBytes) {
    throw ModelFileError({file}, concat("longer than ", kMaxTomlBytes, " bytes"));
  }
  check_characters(text, file);
  Scanner(text, file).scan();
}

}  // namespace camber::internal
