#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {

/// What the names in a text mean.
///
/// A strict vocabulary knows its names and no others. A free one takes an unknown name for a
/// symbol, or for a variable when it carries a prime anywhere in the text, and finds every
/// registered user function. Adding a name again with the same meaning does nothing; with another
/// meaning, or when it is a reserved word, it throws std::invalid_argument.
class Vocabulary {
 public:
  enum class Unknown { kError, kSymbol };

  explicit Vocabulary(Unknown unknown = Unknown::kError) : unknown_(unknown) {}
  static Vocabulary free() { return Vocabulary(Unknown::kSymbol); }

  void add_parameter(std::string_view name) { add(name, symbol(name)); }
  void add_variable(std::string_view name) {
    add(name, variable(name));
  }  // q, and with it q', q'', ...
  /// A quantity that keeps its name: see named() in expr.h.
  void define(std::string_view name, const Expr& definition) { add(name, named(name, definition)); }
  /// The name is an abbreviation of this expression; the expression does not keep the name.
  void add(std::string_view name, const Expr& meaning);
  void add_function(const UserFunction& function);

  bool is_free() const { return unknown_ == Unknown::kSymbol; }
  const Expr* find(std::string_view name) const;
  const UserFunction* find_function(std::string_view name) const;
  /// For "did you mean".
  std::vector<std::string> names() const;
  std::vector<std::string> function_names() const;

 private:
  Unknown unknown_;
  std::map<std::string, Expr, std::less<>> meanings_;
  std::map<std::string, const UserFunction*, std::less<>> functions_;
};

/// Names, named quantities and user functions of `e`, as parse() needs them to read its text back.
/// Throws std::invalid_argument when one name has two meanings in `e`, or is a reserved word.
Vocabulary vocabulary_of(const Expr& e);

/// and, or, not, true, false: never the name of anything.
bool is_reserved_word(std::string_view word);

}  // namespace camber::symbolic
