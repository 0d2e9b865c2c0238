#pragma once

#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic::internal {

/// A sum while it is being rewritten: coefficients by monomial, the constant as the coefficient of
/// 1.
class TermTable {
 public:
  /// From any expression; one that is not a sum is one term.
  explicit TermTable(const Expr& e) {
    if (e.kind() == Kind::kSum) {
      add(Expr(1), e.constant());
      for (const Term& t : e.terms()) {
        add(t.term, t.coefficient);
      }
    } else {
      add(e, Number(1));
    }
  }

  std::size_t size() const { return terms_.size(); }  // also grows by add(); zeros stay
  const Term& operator[](std::size_t i) const { return terms_[i]; }
  Number coefficient(const Expr& monomial) const {
    const int* place = place_.find(monomial);
    return place != nullptr ? terms_[static_cast<std::size_t>(*place)].coefficient : Number(0);
  }

  /// A monomial that is itself a multiple (2*x) or a sum is taken apart.
  void add(const Expr& monomial, const Number& coefficient) {
    if (monomial.kind() == Kind::kSum) {
      add(Expr(1), coefficient * monomial.constant());
      for (const Term& t : monomial.terms()) {
        add(t.term, coefficient * t.coefficient);
      }
    } else if (monomial.is_number() && !monomial.is_one()) {
      add(Expr(1), coefficient * monomial.number());
    } else if (const int* place = place_.find(monomial)) {
      Number& sum = terms_[static_cast<std::size_t>(*place)].coefficient;
      sum = sum + coefficient;
    } else if (!coefficient.is_zero()) {
      place_.insert(monomial, static_cast<int>(terms_.size()));
      terms_.push_back({monomial, coefficient});
    }
  }
  void set(const Expr& monomial, const Number& value) {
    add(monomial, value - coefficient(monomial));
  }

  Expr to_expr() const { return linear_combination(Number(0), terms_); }

 private:
  std::vector<Term> terms_;
  NodeMap<int> place_;
};

}  // namespace camber::symbolic::internal
