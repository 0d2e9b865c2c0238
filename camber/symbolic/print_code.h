#pragma once

#include <cstddef>
#include <string>

#include "camber/symbolic/code_syntax.h"
#include "camber/symbolic/expr.h"
#include "camber/symbolic/identifier_table.h"

namespace camber::symbolic {

/// One expression in the text of a programming language, as a tree: shared parts are written out
/// each time (camber/codegen writes programs that compute it once), and named quantities stand as
/// their names. Small whole powers of a name become products, other powers pow() or **. `names`
/// gives and keeps the identifiers. Throws std::length_error when the text would exceed `max_size`.
///   m*v^2/2  ->  m*v*v/2.0 (C, C++),  m*v**2/2.0d0 (Fortran)
std::string to_code(const Expr& e, const CodeSyntax& syntax, IdentifierTable* names,
                    std::size_t max_size = 1'000'000);
/// With names of its own and plain doubles, wrapped to the language's line length.
std::string to_code(const Expr& e, Language language);

}  // namespace camber::symbolic
