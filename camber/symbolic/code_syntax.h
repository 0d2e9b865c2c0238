#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/identifier_table.h"
#include "camber/symbolic/precedence.h"

namespace camber::symbolic {

/// How numbers, functions, comparisons and choices are spelled in a language. It knows nothing
/// about how operands are named or stored: they come in as text.
class CodeSyntax {
 public:
  /// `scalar` is for C++ alone: a name such as "T" makes literals `T(2.0)` and choices `select(c,
  /// a, b)`, so that the code is a template over its number type and finds functions by
  /// argument-dependent lookup. Without it C++ reads like C, with `using std::sin` and the like in
  /// force.
  explicit CodeSyntax(Language language, std::string_view scalar = {});

  Language language() const { return language_; }

  /// A constant: "2.0", "1.0/3.0" (so that the compiler rounds once), "1.5d-3", "T(2.0)". The
  /// caller adds parentheses: see literal_precedence().
  std::string literal(const Number& value) const;
  std::string literal(double value) const;
  Precedence literal_precedence(const Number& value) const;

  /// A spelling with holes: "fmin({1}, {2})". An operand that binds less tightly than `operand`
  /// needs parentheses in a hole; the whole binds as `result`.
  struct Pattern {
    std::string text;
    Precedence operand = Precedence::kLowest;
    Precedence result = Precedence::kAtom;
  };
  /// For functions (kExp ... kSelect) and conditions (kTrue ... kOr; kAnd and kOr of two).
  Pattern pattern(Kind kind) const;
  Pattern unequal_pattern() const;
  Pattern sqrt_pattern() const;
  Pattern power_pattern() const;          // base and exponent, both numbers of the scalar type
  Pattern integer_power_pattern() const;  // {2} is an integer, written as one

  /// The pattern with its holes filled as they come, without further parentheses: enough for
  /// operands that are identifiers, non-negative literals or parenthesized.
  static std::string fill(const Pattern& pattern, std::span<const std::string> operands);

 private:
  Language language_;
  std::string scalar_;
};

/// A statement in lines of at most `columns` characters, broken between tokens; lines after the
/// first start with `indent`. Fortran gets its `&` continuations; C and C++ need none.
std::string wrap_statement(std::string_view statement, Language language, std::string_view indent,
                           std::size_t columns = 100);

}  // namespace camber::symbolic
