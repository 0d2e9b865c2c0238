#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// What to replace by what. A key is a leaf or any other whole sub-expression, found by identity:
/// x*y is found as a term or an argument, sin(x)^2 also as a factor, but x + y not inside x + y +
/// z.
using Substitution = std::unordered_map<Expr, Expr>;

enum class NamedQuantities {
  kReplace,  // one whose definition changes is replaced by the changed definition, without its name
  kRename,   // it keeps its name: only when no other expression uses the old meaning
  kKeep,     // they are atoms and not looked into
};

/// All replacements at once: {x -> y, y -> x} swaps. What is put in is not searched again.
Expr substitute(const Expr& e, const Substitution& replacements,
                NamedQuantities named_quantities = NamedQuantities::kReplace);
std::vector<Expr> substitute(std::span<const Expr> es, const Substitution& replacements,
                             NamedQuantities named_quantities = NamedQuantities::kReplace);

/// Puts in a motion: a key is a variable q (or one of its derivatives), and with q -> f also q' ->
/// df/dt, q'' -> d2f/dt2 ... for all derivatives that occur and have no replacement of their own.
/// Symbols are constant.
std::vector<Expr> substitute_motion(std::span<const Expr> es, const Substitution& motion);
/// The same where the motion depends on the symbol `t`: x -> V*t gives x' -> V.
std::vector<Expr> substitute_motion(std::span<const Expr> es, const Substitution& motion,
                                    const Expr& t);

}  // namespace camber::symbolic
