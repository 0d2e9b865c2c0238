// Squares and absolute values: |u|^2 = u^2, |u| sign(u) = u, sqrt(u^2) = |u|, and the binomial
// formula
//   u^2 + 2 u v + v^2 = (u + v)^2,   u^2 - 2 u v + v^2 = (u - v)^2 (1)

#include <algorithm>
#include <optional>
#include <vector>

#include "camber/symbolic/local_rules.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic::internal {
namespace {

constexpr std::size_t kMaxTerms = 100;  // all pairs of squares are tried

bool is_even(const Expr& exponent) {
  return exponent.is_number() && (exponent.number() * Number(1, 2)).is_integer();
}

/// The u of u^2, if all powers in the expression are even.
std::optional<Expr> root_of_monomial(const Expr& monomial) {
  if (monomial.kind() != Kind::kProduct) {
    return std::nullopt;
  }
  std::vector<Expr> root;
  for (const Factor& f : monomial.factors()) {
    if (!is_even(f.exponent)) {
      return std::nullopt;
    }
    root.push_back(pow(f.base, f.exponent / 2));
  }
  return product(root);
}

/// A term of a sum and u, of which it is the square.
struct Square {
  std::size_t place;
  Expr root;
};

/// The u of a term u^2 whose coefficient is also a square.
std::optional<Expr> root_of_term(const Term& t) {
  if (t.coefficient.sign() <= 0 || !t.coefficient.is_exact()) {
    return std::nullopt;
  }
  const Expr factor = sqrt(Expr(t.coefficient));
  const std::optional<Expr> root = t.term.is_one() ? Expr(1) : root_of_monomial(t.term);
  return root && factor.is_number() ? std::optional(factor * *root) : std::nullopt;
}

Term to_term(const Expr& e) {
  if (e.is_number()) {
    return {Expr(1), e.number()};
  }
  const bool has_coefficient =
      e.kind() == Kind::kSum && e.constant().is_zero() && e.terms().size() == 1;
  return has_coefficient ? e.terms()[0] : Term{e, Number(1)};
}

Expr contract_factor(const Factor& f) {
  if (f.base.kind() == Kind::kAbs && is_even(f.exponent)) {
    return pow(f.base.arguments()[0], f.exponent);
  }
  const std::optional<Expr> root = root_of_monomial(f.base);
  return root && f.exponent.is_number() ? pow(abs(*root), 2 * f.exponent) : pow(f.base, f.exponent);
}

/// |u| sign(u) taken out of the factors, and u put in.
void join_signs(std::vector<Expr>* factors) {
  for (std::size_t i = 0; i < factors->size(); ++i) {
    const Expr factor = (*factors)[i];
    if (factor.kind() != Kind::kAbs) {
      continue;
    }
    const auto other = std::ranges::find(*factors, sign(factor.arguments()[0]));
    if (other != factors->end()) {
      *other = factor.arguments()[0];
      (*factors)[i] = 1;
    }
  }
}

}  // namespace

Expr contract_absolutes_in_product(const Expr& e) {
  if (e.kind() != Kind::kProduct) {
    return e;
  }
  std::vector<Expr> factors;
  for (const Factor& f : e.factors()) {
    factors.push_back(contract_factor(f));
  }
  join_signs(&factors);
  return product(factors);
}

Expr complete_squares_in_sum(const Expr& e) {  // (1)
  if (e.kind() != Kind::kSum || e.terms().size() > kMaxTerms) {
    return e;
  }
  std::vector<Term> terms = {{Expr(1), e.constant()}};
  terms.insert(terms.end(), e.terms().begin(), e.terms().end());
  NodeMap<int> places;
  std::vector<Square> squares;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    places.insert(terms[i].term, static_cast<int>(i));
    if (const std::optional<Expr> root = root_of_term(terms[i])) {
      squares.push_back({i, *root});
    }
  }
  for (std::size_t i = 0; i < squares.size(); ++i) {
    for (std::size_t j = i + 1; j < squares.size(); ++j) {
      const Square &u = squares[i], &v = squares[j];
      const Term twice = to_term(2 * u.root * v.root);
      const int* between = places.find(twice.term);
      if (between == nullptr) {
        continue;
      }
      Number& found = terms[static_cast<std::size_t>(*between)].coefficient;
      if (found != twice.coefficient && found != -twice.coefficient) {
        continue;
      }
      const Expr binomial = found == twice.coefficient ? u.root + v.root : u.root - v.root;
      terms[u.place].coefficient = terms[v.place].coefficient = found = 0;
      terms.push_back({pow(binomial, 2), Number(1)});
      return complete_squares_in_sum(linear_combination(Number(0), terms));
    }
  }
  return e;
}

}  // namespace camber::symbolic::internal
