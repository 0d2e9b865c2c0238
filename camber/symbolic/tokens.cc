#include "camber/symbolic/tokens.h"

#include <algorithm>
#include <array>
#include <utility>

#include "camber/core/require.h"
#include "camber/symbolic/parse_error.h"

namespace camber::symbolic::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '.'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Longer ones first, so that "<=" is not read as '<'.
constexpr std::array<std::string_view, 18> kSigns = {
    "**", "<=", ">=", "==", "!=", "+", "-", "*", "/", "^", "(", ")", "[", "]", ",", "<", ">", "'"};

// What people paste from documents, and what to write instead.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kReplacements = {{
    {"\u2212", "-"},
    {"\u2013", "-"},
    {"\u00D7", "*"},
    {"\u00B7", "*"},
    {"\u22C5", "*"},
    {"\u00F7", "/"},
    {"\u00B2", "^2"},
    {"\u00B3", "^3"},
    {"\u2264", "<="},
    {"\u2265", ">="},
    {"\u2260", "!="},
    {"\u03C0", "pi"},
    {"\u2032", "'"},
    {"\u221A", "sqrt"},
}};

class Tokenizer {
 public:
  Tokenizer(std::string_view text, const Position& origin) : text_(text), origin_(origin) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      tokens.push_back(next());
      if (tokens.back().kind == TokenKind::kEnd) return tokens;
      if (tokens.back().kind == TokenKind::kName && peek() == '\'') tokens.push_back(primes());
    }
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  Token take(TokenKind kind, std::size_t length) {
    const Token token{kind, at_, text_.substr(at_, length)};
    at_ += length;
    return token;
  }

  Token next() {
    if (at_ == text_.size()) return take(TokenKind::kEnd, 0);
    if (is_letter(peek())) return name();
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view sign : kSigns) {
      if (rest.starts_with(sign)) return take(TokenKind::kSign, sign.size());
    }
    fail_at_character();
  }

  Token name() {
    std::size_t length = 1;
    while (is_name_part(peek(length))) ++length;
    return take(TokenKind::kName, length);
  }

  Token primes() {
    std::size_t length = 1;
    while (peek(length) == '\'') ++length;
    return take(TokenKind::kPrimes, length);
  }

  Token number() {
    TokenKind kind = TokenKind::kInteger;
    std::size_t length = digits_from(0);
    if (peek(length) == '.') {
      kind = TokenKind::kDecimal;
      length = digits_from(length + 1);
    }
    if (peek(length) == 'e' || peek(length) == 'E') {
      const std::size_t sign = peek(length + 1) == '+' || peek(length + 1) == '-' ? 1 : 0;
      if (is_digit(peek(length + 1 + sign))) {
        kind = TokenKind::kDecimal;
        length = digits_from(length + 1 + sign);
      }
    }
    return take(kind, length);
  }

  std::size_t digits_from(std::size_t length) const {
    while (is_digit(peek(length))) ++length;
    return length;
  }

  [[noreturn]] void fail_at_character() const {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    const std::string_view rest = text_.substr(at_);
    if (rest[0] == '=') fail("unexpected '='; write == to compare");
    if (rest[0] == '!') fail("unexpected '!'; write not, or != to compare");
    if (rest[0] == '&' || rest[0] == '|') fail("write `and` and `or` between conditions");
    for (const auto& [pasted, meant] : kReplacements) {
      if (rest.starts_with(pasted)) fail(concat("unexpected '", pasted, "'; write ", meant));
    }
    if (byte < 0x20 || byte == 0x7F) fail(concat("unexpected control character ", hex(byte)));
    if (byte < 0x80) fail(concat("unexpected '", rest[0], "'"));
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    const bool whole = length > 1 && length <= rest.size() &&
                       std::all_of(rest.begin() + 1,
                                   rest.begin() + static_cast<std::ptrdiff_t>(length), continues);
    if (!whole) fail(concat("byte ", hex(byte), " is not valid UTF-8"));
    fail(concat("unexpected '", rest.substr(0, length),
                "'; names are made of the letters a-z and A-Z, digits, '_' and '.'"));
  }

  static std::string hex(unsigned char byte) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    return {'0', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }

  [[noreturn]] void fail(std::string message) const {
    throw ParseError(text_, at_, origin_, std::move(message));
  }

  std::string_view text_;
  const Position& origin_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, const Position& origin) {
  return Tokenizer(text, origin).run();
}

std::string describe(const Token& token) {
  constexpr std::size_t kLongest = 40;
  std::string shown =
      concat(token.text.substr(0, kLongest), token.text.size() > kLongest ? "..." : "");
  switch (token.kind) {
    case TokenKind::kInteger:
    case TokenKind::kDecimal:
      return concat("the number ", shown);
    case TokenKind::kName:
      return concat("the name \"", shown, "\"");
    case TokenKind::kPrimes:
    case TokenKind::kSign:
      return concat("'", shown, "'");
    case TokenKind::kEnd:
      return "the end of the expression";
  }
  return shown;
}

}  // namespace camber::symbolic::internal
