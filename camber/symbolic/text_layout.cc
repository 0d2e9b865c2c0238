#include "camber/symbolic/text_layout.h"

#include <algorithm>
#include <utility>

namespace camber::symbolic::internal {
namespace {

/// Whether a minus sign before the factor reads better inside it: true for cos(q) - 1, which
/// becomes 1 - cos(q); false for a - b, where both forms are equally good and -k*(x - y) is the
/// usual form of a spring force.
bool takes_minus(const Factor& factor) {
  if (!factor.exponent.is_one() || factor.base.kind() != Kind::kSum) return false;
  if (factor.base.constant().sign() >= 0) return false;
  const Terms terms = factor.base.terms();
  const auto positive = std::count_if(terms.begin(), terms.end(),
                                      [](const Term& term) { return term.coefficient.sign() > 0; });
  return 2 * static_cast<std::size_t>(positive) <= terms.size() + 1;
}

bool reads_positive(const Term& term) {
  if (term.coefficient.sign() > 0) return true;
  if (term.term.kind() != Kind::kProduct) return false;
  const Factors factors = term.term.factors();
  return std::any_of(factors.begin(), factors.end(), takes_minus);
}

}  // namespace

Fraction make_fraction(const Number& coefficient, const Expr& term) {
  Fraction fraction;
  fraction.negative = coefficient.sign() < 0;
  fraction.over = abs(coefficient);
  if (coefficient.is_exact()) {
    fraction.under = fraction.over.denominator();
    fraction.over = fraction.over.numerator();
  }
  if (term.kind() != Kind::kProduct) {
    if (!term.is_one()) fraction.above.push_back({term, 1});
    return fraction;
  }
  for (const Factor& factor : term.factors()) {
    // A number stays above: 1e-80^(-4) is kept because its value is beyond double, and so is
    // 1/1e-80^4.
    const bool below = factor.exponent.is_number() && factor.exponent.number().sign() < 0 &&
                       !factor.base.is_number();
    if (below) {
      fraction.below.push_back({factor.base, -factor.exponent.number()});
    } else {
      fraction.above.push_back(factor);
    }
  }
  if (!fraction.negative) return fraction;
  const auto taker = std::find_if(fraction.above.begin(), fraction.above.end(), takes_minus);
  if (taker != fraction.above.end()) {
    taker->base = -taker->base;
    fraction.negative = false;
  }
  return fraction;
}

bool needs_two_lines(const Fraction& fraction) {
  if (fraction.under.is_one() || fraction.below.size() != 1) return false;
  const Factor& factor = fraction.below[0];
  if (!factor.exponent.is_one() || factor.base.kind() != Kind::kSum) return false;
  const Terms terms = factor.base.terms();
  return !factor.base.constant().is_exact() ||
         std::any_of(terms.begin(), terms.end(),
                     [](const Term& term) { return !term.coefficient.is_exact(); });
}

std::vector<Term> reading_order(const Expr& sum) {
  std::vector<Term> terms;
  terms.reserve(sum.terms().size() + 1);
  for (const Term& term : sum.terms()) terms.push_back(term);
  if (!sum.constant().is_zero()) terms.push_back({1, sum.constant()});
  const auto positive = std::find_if(terms.begin(), terms.end(), reads_positive);
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  return terms;
}

std::vector<Expr> listed_arguments(const Expr& e) {
  const std::span<const Expr> arguments = e.arguments();
  std::vector<Expr> result(arguments.begin(), arguments.end());
  if (e.kind() != Kind::kMin && e.kind() != Kind::kMax) return result;
  // The chain is followed downward, so its last argument comes first; each link may have links on
  // either side.
  std::reverse(result.begin(), result.end());
  for (;;) {
    Expr& inner = result.back();
    Expr& other = result[result.size() - 2];
    if (inner.kind() != e.kind()) {
      if (other.kind() != e.kind()) break;
      std::swap(inner, other);
    }
    const Expr link = inner;
    result.pop_back();
    result.push_back(link.arguments()[1]);
    result.push_back(link.arguments()[0]);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

bool is_single_term(const Expr& sum) { return sum.terms().size() == 1 && sum.constant().is_zero(); }

Precedence sum_precedence(const Expr& sum) {
  return is_single_term(sum) && sum.terms()[0].coefficient.sign() > 0 ? Precedence::kProduct
                                                                      : Precedence::kSum;
}

Precedence condition_precedence(const Expr& e) {
  switch (e.kind()) {
    case Kind::kLess:
    case Kind::kLessEqual:
    case Kind::kEqual:
      return Precedence::kComparison;
    case Kind::kNot:
      return is_unequal(e) ? Precedence::kComparison : Precedence::kNot;
    case Kind::kAnd:
      return Precedence::kAnd;
    case Kind::kOr:
      return Precedence::kOr;
    default:
      return Precedence::kAtom;
  }
}

bool is_unequal(const Expr& e) {
  return e.kind() == Kind::kNot && e.arguments()[0].kind() == Kind::kEqual;
}

std::array<Expr, 2> sides_of_equality(const Expr& equality) {
  const Expr& a = equality.arguments()[0];
  const Expr& b = equality.arguments()[1];
  if (a.is_number()) return {b, a};
  return {a, b};
}

bool is_square_root(const Factor& factor) {
  return factor.exponent.is_number() && factor.exponent.number() == Number(1, 2);
}

}  // namespace camber::symbolic::internal
