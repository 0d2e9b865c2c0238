#pragma once

#include <cstddef>
#include <string_view>

#include "camber/core/diagnostics.h"
#include "camber/symbolic/expr.h"
#include "camber/symbolic/parse_error.h"
#include "camber/symbolic/vocabulary.h"

namespace camber::symbolic {

/// Limits of a text. A larger one is rejected before it costs noticeable time, memory or stack.
struct ParseLimits {
  std::size_t size = 1'000'000;  // [bytes] of text
  /// Nesting depth of parentheses and exponents, and links of an `and`, `or`, `min`, `max` chain.
  /// Each level takes a dozen calls: 8 MB of stack hold 300 of them even with sanitizers.
  int depth = 300;
  std::size_t digits = 4932;  // of a whole number; Number takes those below 2^16383, 5.9e4931
  std::size_t work =
      10'000'000;  // entries and leaves of all sums and products that are built on the way
};

struct ParseOptions {
  Position origin =
      {};  // where the text begins, for messages; column 0 or 1 is the start of a line
  ParseLimits limits = {};
  /// If set, receives each name of the text with its meaning, also those that cancel: x in "x - x".
  Vocabulary* names = nullptr;
};

/// Reads a value in the grammar of docs/manual/expressions.md:
///   parse("m*l^2*q''/3 + k*q", vocabulary)
/// Whole numbers and their ratios are exact; a number with a point or an exponent is a double,
/// except that a whole one counts as exact (Number). `pi` is a double unless the vocabulary gives
/// it a meaning. Throws ParseError, and nothing else, when the text is at fault.
Expr parse(std::string_view text, const Vocabulary& vocabulary, const ParseOptions& options = {});
/// With a free vocabulary.
Expr parse(std::string_view text);

/// Reads a condition: "x < 3 and not (y == z)".
Condition parse_condition(std::string_view text, const Vocabulary& vocabulary,
                          const ParseOptions& options = {});

}  // namespace camber::symbolic
