#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/diagnostics.h"

namespace camber::symbolic::internal {

enum class TokenKind {
  kInteger,  // digits
  kDecimal,  // digits with a point, an exponent, or both
  kName,     // letter or '_', then letters, digits, '_', '.'; and, or, not, true, false too
  kPrimes,   // right after a name: ', '', ...
  kSign,     // + - * / ^ ** ( ) [ ] , < <= > >= == !=
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::size_t offset = 0;  // in the text, in bytes
  std::string_view text;
};

/// The text in pieces, with kEnd as the last. Throws ParseError at a character that no expression
/// has.
std::vector<Token> tokenize(std::string_view text, const Position& origin);

/// The token as messages name it: `the name "q"`, `')'`, `the end of the expression`.
std::string describe(const Token& token);

}  // namespace camber::symbolic::internal
