#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// Longer texts are rejected: a small expression graph can stand for a tree too large for any disk.
inline constexpr std::size_t kMaxTextSize = 16'000'000;

/// The expression in the grammar of docs/manual/expressions.md: parse(to_text(e), vocabulary_of(e))
/// == e within the limits of parse(). Named quantities stand as their names. Throws
/// std::length_error when the text would exceed `max_size`. Nesting of any depth is printed without
/// recursion.
std::string to_text(const Expr& e, std::size_t max_size = kMaxTextSize);

/// The named quantities that `e` uses, those inside other definitions included; each once, and each
/// after the ones that its own definition uses.
std::vector<Expr> definitions_of(const Expr& e);

}  // namespace camber::symbolic
