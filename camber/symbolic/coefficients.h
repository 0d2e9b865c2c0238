#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "camber/symbolic/derivative.h"
#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// es = A xs + b, where A and b are free of xs.
struct LinearForm {
  std::vector<Entry> A;  // by rows, then columns; zeros are left out
  std::vector<Expr> b;
};

/// Throws std::invalid_argument that names the expression and its first part that is not linear in
/// xs. Selects whose condition is free of xs are linear when their branches are.
LinearForm linear_coefficients(std::span<const Expr> es, std::span<const Expr> xs);

/// c[0] + c[1] x + ... + c[n] x^n = e, with c.back() not zero (unless e is). Throws
/// std::invalid_argument if e is not a polynomial in x.
std::vector<Expr> polynomial_coefficients(const Expr& e, const Expr& x);
/// The coefficient of x^n in e, n >= 0.
Expr coefficient(const Expr& e, const Expr& x, int n);

struct MonomialCoefficient {
  Expr monomial;  // a product of powers of xs; 1 for the rest
  Expr coefficient;
};
/// What to do with a part that depends on xs but is not a polynomial in them, such as sin(x) or
/// 1/x.
enum class Otherwise { kThrow, kKeep };  // kKeep: count it as free of xs

/// e = sum of coefficient * monomial, each monomial once, in canonical order, the rest (monomial 1)
/// last. Products of sums are multiplied out only as far as xs occur in them; a power that makes
/// more than max_terms monomials, or work in proportion, throws ExpansionLimitError (polynomial.h).
std::vector<MonomialCoefficient> collect_coefficients(const Expr& e, std::span<const Expr> xs,
                                                      Otherwise otherwise = Otherwise::kThrow,
                                                      std::size_t max_terms = 100'000);

}  // namespace camber::symbolic
