#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic {

/// Multiplying out would exceed the caller's limit of terms.
class ExpansionLimitError : public std::length_error {
 public:
  using std::length_error::length_error;
};

/// A polynomial in normal form: constant + sum of coefficient * monomial, each monomial once.
///
/// Monomials are products of powers of atoms, and an atom is anything that is neither number, sum,
/// product nor a whole positive power: x, sin(x), 1/(x + y), sqrt(x). Two expressions that are
/// equal by the rules of addition and multiplication alone have the same normal form.
class Polynomial {
 public:
  /// The zero polynomial. A product of two polynomials throws ExpansionLimitError at this many
  /// terms.
  explicit Polynomial(std::size_t max_terms) : max_terms_(max_terms) {}

  const Number& constant() const { return constant_; }
  std::size_t size() const { return terms_.size(); }  // with coefficients that became zero

  /// Adds coefficient * e, where e is multiplied out already or an atom: sums inside e are not
  /// expanded, except those that products of roots bring about (sqrt(x + y)^2).
  void add(const Expr& e, const Number& coefficient);
  Polynomial times(const Polynomial& b) const;
  /// n >= 1.
  Polynomial power(std::int64_t n) const;

  /// The canonical sum.
  Expr to_expr() const { return linear_combination(constant_, terms_); }

 private:
  void add_monomial(const Expr& monomial, const Number& coefficient);
  void add_product(const Expr& a, const Expr& b, const Number& coefficient);

  std::size_t max_terms_;
  Number constant_;
  std::vector<Term> terms_;
  internal::NodeMap<int> place_;
};

}  // namespace camber::symbolic
