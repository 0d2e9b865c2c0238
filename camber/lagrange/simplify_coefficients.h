#pragma once

#include <span>
#include <vector>

#include "camber/symbolic/substitute.h"

namespace camber::lagrange {

using symbolic::Expr;
using symbolic::Substitution;

/// The expression multiplied out, with sin^2 + cos^2 = 1: terms cancel, and generated code shares
/// more than with factored forms. (The motorcycle's linear equations take 145 operations instead of
/// 163.) An expression with very many terms is returned unchanged.
Expr normal_form(const Expr& e);

/// Expressions that are linear in the variables of time, with short coefficients.
///
/// `relations` between parameters (001's global_properties: a -> k*cos(epsilon) - e + ...) are put
/// in first. A coefficient that contains all symbols of a relation's right side is then tried with
/// the relation reversed, as the paper does at the end with j*sin(epsilon) = a - ...; the shortest
/// form is kept. For all values of the parameters that satisfy the relations it is the same.
std::vector<Expr> simplify_coefficients(std::span<const Expr> expressions,
                                        const Substitution& relations = {});

}  // namespace camber::lagrange
