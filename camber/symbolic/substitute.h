#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// Maps old to new expressions. A key is a leaf or any other whole
/// sub-expression, found by identity: x*y is found as a term or an argument, sin(x)^2 also as a
/// factor, but x + y not inside x + y + z.
using Substitution = std::unordered_map<Expr, Expr>;

enum class NamedQuantities {
  kReplace,  // if the definition changes, the changed definition replaces it, without its name
  kRename,   // it keeps its name: only when no other expression uses the old meaning
  kKeep,     // named quantities are atoms and are not changed
};

/// Makes all replacements at once: {x -> y, y -> x} swaps. Inserted expressions are not searched
/// again.
Expr substitute(const Expr& e, const Substitution& replacements,
                NamedQuantities named_quantities = NamedQuantities::kReplace);
std::vector<Expr> substitute(std::span<const Expr> es, const Substitution& replacements,
                             NamedQuantities named_quantities = NamedQuantities::kReplace);

/// Inserts a motion: a key is a variable q (or one of its derivatives), and with q -> f also q' ->
/// df/dt, q'' -> d2f/dt2 ... for all derivatives that occur and have no replacement of their own.
/// Symbols are constant.
std::vector<Expr> substitute_motion(std::span<const Expr> es, const Substitution& motion);
/// Inserts a motion that depends on the symbol `t`: x -> V*t gives x' -> V.
std::vector<Expr> substitute_motion(std::span<const Expr> es, const Substitution& motion,
                                    const Expr& t);

}  // namespace camber::symbolic
