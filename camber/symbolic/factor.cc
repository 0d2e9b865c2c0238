// Greedy factoring as in [Hosangadi, Fallah & Kastner 2006], kept to single bases: of all powers
// that divide more than one term, the one that divides most is taken out. Multi-factor kernels come
// out of the recursion, as the quotient's terms share the remaining factors.

#include "camber/symbolic/factor.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "camber/symbolic/expand.h"
#include "camber/symbolic/local_rules.h"
#include "camber/symbolic/rewrite.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic {

namespace {

// Counting is repeated for each factor taken out, so the work on a sum grows with the square of its
// number of terms.
constexpr std::size_t kMaxTerms = 2000;
// Each level takes a factor out of at least two terms; deeper nesting gains nothing a person could
// read.
constexpr int kMaxDepth = 50;

template <class F>
void for_each_numeric_power(const Expr& monomial, const F& f) {
  if (monomial.kind() != Kind::kProduct) {
    f(monomial, Number(1));
    return;
  }
  for (const Factor& factor : monomial.factors()) {
    if (factor.exponent.is_number()) {
      f(factor.base, factor.exponent.number());
    }
  }
}

/// A base, and the part of its power that all counted terms share.
struct CommonPower {
  Expr base;
  Number exponent;
  std::size_t terms = 0;
};

Number common_exponent(const Number& a, const Number& b) {
  return a.sign() > 0 ? std::min(a, b) : std::max(a, b);
}

/// The power that divides most terms; of several the first in canonical order of terms.
std::optional<CommonPower> most_common_power(const std::vector<Term>& terms) {
  std::vector<CommonPower> found;
  // Positive and negative powers of a base are different divisors.
  internal::NodeMap<int> places[2];
  for (const Term& t : terms) {
    for_each_numeric_power(t.term, [&](const Expr& base, const Number& exponent) {
      internal::NodeMap<int>& place = places[exponent.sign() > 0 ? 0 : 1];
      if (place.insert(base, static_cast<int>(found.size()))) {
        found.push_back({base, exponent, 1});
        return;
      }
      CommonPower& known = found[static_cast<std::size_t>(place.at(base))];
      known.exponent = common_exponent(known.exponent, exponent);
      ++known.terms;
    });
  }
  const auto best = std::max_element(
      found.begin(), found.end(),
      [](const CommonPower& a, const CommonPower& b) { return a.terms < b.terms; });
  return best != found.end() && best->terms >= 2 ? std::optional(*best) : std::nullopt;
}

bool is_divisible(const Expr& monomial, const CommonPower& power) {
  bool divisible = false;
  for_each_numeric_power(monomial, [&](const Expr& base, const Number& exponent) {
    divisible |= base == power.base && exponent.sign() == power.exponent.sign();
  });
  return divisible;
}

/// constant + terms, factored.
Expr factor_terms(const Number& constant, const std::vector<Term>& terms, int depth) {
  const std::optional<CommonPower> power =
      depth < kMaxDepth ? most_common_power(terms) : std::nullopt;
  if (!power) {
    return linear_combination(constant, terms);
  }
  const Expr divisor = pow(power->base, power->exponent);
  const Expr inverse = pow(power->base, -power->exponent);
  Number quotient_constant;
  std::vector<Term> quotient;
  std::vector<Term> rest;
  for (const Term& t : terms) {
    if (!is_divisible(t.term, *power)) {
      rest.push_back(t);
    } else if (t.term == divisor) {
      quotient_constant = quotient_constant + t.coefficient;
    } else {
      quotient.push_back({t.term * inverse, t.coefficient});
    }
  }
  return divisor * factor_terms(quotient_constant, quotient, depth + 1) +
         factor_terms(constant, rest, depth + 1);
}

/// The common divisor of all terms of a sum; 1 if there is a constant.
Expr common_monomial(const Expr& sum_expr) {
  if (!sum_expr.constant().is_zero()) {
    return Expr(1);
  }
  std::vector<CommonPower> common;
  bool first = true;
  for (const Term& t : sum_expr.terms()) {
    std::vector<CommonPower> kept;
    for_each_numeric_power(t.term, [&](const Expr& base, const Number& exponent) {
      if (first) {
        kept.push_back({base, exponent, 1});
      }
      for (const CommonPower& known : common) {
        if (known.base == base && known.exponent.sign() == exponent.sign()) {
          kept.push_back({base, common_exponent(known.exponent, exponent), 1});
        }
      }
    });
    common = std::move(kept);
    first = false;
    if (common.empty()) {
      return Expr(1);
    }
  }
  Expr monomial = 1;
  for (const CommonPower& power : common) {
    monomial *= pow(power.base, power.exponent);
  }
  return monomial;
}

Expr divide_terms(const Expr& sum_expr, const Expr& monomial) {
  const Expr inverse = pow(monomial, -1);
  std::vector<Term> quotient;
  for (const Term& t : sum_expr.terms()) {
    quotient.push_back({t.term * inverse, t.coefficient});
  }
  return linear_combination(Number(0), quotient);
}

}  // namespace

namespace internal {

Expr factor_sum(const Expr& e) {
  if (e.kind() != Kind::kSum || e.terms().size() < 2 || e.terms().size() > kMaxTerms) {
    return e;
  }
  return factor_terms(e.constant(), {e.terms().begin(), e.terms().end()}, 0);
}

/// Only whole powers: (x*y + x*z)^(1/2) is not x^(1/2)*(y + z)^(1/2) if both are negative.
Expr cancel_in_product(const Expr& e) {
  if (e.kind() != Kind::kProduct) {
    return e;
  }
  std::vector<Expr> factors;
  bool changed = false;
  for (const Factor& f : e.factors()) {
    const bool is_candidate =
        f.base.kind() == Kind::kSum && f.exponent.is_number() && f.exponent.number().is_integer();
    const Expr monomial = is_candidate ? common_monomial(f.base) : Expr(1);
    if (monomial.is_one()) {
      factors.push_back(pow(f.base, f.exponent));
    } else {
      factors.push_back(pow(monomial, f.exponent));
      factors.push_back(pow(divide_terms(f.base, monomial), f.exponent));
      changed = true;
    }
  }
  return changed ? product(factors) : e;
}

Expr join_fractions_in_sum(const Expr& e, std::size_t max_terms) {
  if (e.kind() != Kind::kSum) {
    return e;
  }
  std::vector<CommonPower> denominators;
  std::size_t fractions = 0;
  for (const Term& t : e.terms()) {
    bool is_fraction = false;
    for_each_numeric_power(t.term, [&](const Expr& base, const Number& exponent) {
      if (base.kind() != Kind::kSum || !exponent.is_integer() || exponent.sign() > 0) {
        return;
      }
      is_fraction = true;
      const auto known = std::ranges::find(denominators, base, &CommonPower::base);
      if (known == denominators.end()) {
        denominators.push_back({base, exponent, 1});
      } else {
        known->exponent = std::min(known->exponent, exponent);
      }
    });
    fractions += is_fraction ? 1 : 0;
  }
  if (fractions == 0) {
    return e;
  }
  Expr denominator = 1;
  for (const CommonPower& power : denominators) {
    denominator *= pow(power.base, -power.exponent);
  }
  std::vector<Expr> numerator = {e.constant() * denominator};
  for (const Term& t : e.terms()) {
    numerator.push_back(expand(t.coefficient * t.term * denominator, {.max_terms = max_terms}));
  }
  return expand(sum(numerator), {.max_terms = max_terms}) / denominator;
}

}  // namespace internal

Expr factor_common(const Expr& e) { return internal::BottomUpRewriter(internal::factor_sum)(e); }
Expr cancel_common(const Expr& e) {
  return internal::BottomUpRewriter(internal::cancel_in_product)(e);
}

}  // namespace camber::symbolic
