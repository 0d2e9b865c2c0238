#pragma once

#include <span>
#include <vector>

#include "camber/symbolic/substitute.h"

namespace camber::lagrange {

using symbolic::Expr;
using symbolic::Substitution;

/// Equations with first derivatives only (001 section 4.3, down_order and first_order).
struct FirstOrder {
  std::vector<Expr> states;     // x
  std::vector<Expr> equations;  // = 0, in x and x', as many as states
  Substitution renamed;         // psi' -> psidot, psi'' -> psidot': derivatives in terms of x, x'
};

/// Derivatives that are states get a name of their own, psi' -> psidot, and an equation psidot -
/// psi' = 0 where psi is a state too. A variable of which only derivatives occur, in the equations
/// and in `used` (outputs), is not a state; its lowest derivative is. States are in the order of
/// the variables, undifferentiated ones first; the given equations come before the new ones. Throws
/// std::invalid_argument for a variable that does not occur at all.
FirstOrder first_order(std::span<const Expr> equations, std::span<const Expr> variables,
                       std::span<const Expr> used = {});

}  // namespace camber::lagrange
