#pragma once

#include <string>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/substitute.h"
#include "python/src/common.h"

namespace camber::python {

/// An expression from an Expr or a number: of Python or NumPy, but not a truth value.
/// Empty for anything else.
std::optional<symbolic::Expr> try_expr(const py::handle& given);
/// The same; raises TypeError for anything else.
symbolic::Expr to_expr(const py::handle& given);
std::vector<symbolic::Expr> to_exprs(const py::iterable& given);
/// {leaf: value} with leaves as expressions or by name. Names are looked up among `leaves`.
symbolic::Substitution to_substitution(const py::dict& given);

}  // namespace camber::python
