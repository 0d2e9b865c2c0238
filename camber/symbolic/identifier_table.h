#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// The languages that code is written in.
enum class Language { kC99, kCpp, kFortran };

/// "C99", "C++", "Fortran".
std::string_view language_name(Language language);

/// Gives every name of a piece of generated code a legal identifier of its own.
///
/// Legal: letters, digits and '_' alone, no keyword of the language, no function of its library, no
/// macro of the headers that generated code includes, no identifier that the standards reserve
/// (leading or doubled '_'), at most 63 characters. Unique: in Fortran `R` and `r` are the same, so
/// one of them gets another name. A variable's derivatives read q_dot, q_ddot, q_d3; a dot in a
/// name becomes '_'. The first to ask gets the plain name, later ones get `_2`, `_3`, ..., and a
/// macro becomes x_M_PI: the same questions in the same order give the same names on every machine.
class IdentifierTable {
 public:
  explicit IdentifierTable(Language language) : language_(language) {}

  Language language() const { return language_; }

  /// The identifier of a symbol, a variable or a named quantity: made by the first call, found by
  /// the others.
  const std::string& of(const Expr& e);
  /// A new identifier that resembles `wanted`: for temporaries, arguments and procedures.
  std::string make(std::string_view wanted);
  /// Takes `identifier` as it is, because something outside (a type, an interface to link with) has
  /// that name. Returns false when it was taken before or is a word of the language.
  bool reserve(std::string_view identifier);

 private:
  std::string key(std::string_view identifier) const;  // how the language compares names

  Language language_;
  std::unordered_map<Expr, std::string> of_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> next_suffix_;
};

/// What a user function or its derivative is called in generated code, to be linked by the user:
/// NAME, or NAME_d10 for the orders (1, 0); orders above 9 are set off by '_': NAME_d10_2. Dots
/// become '_'.
std::string function_identifier(std::string_view name, std::span<const int> orders);

}  // namespace camber::symbolic
