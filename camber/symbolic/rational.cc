// Sums over one denominator, as one learns it in school: denominators are products of powers of
// expressions that are multiplied out, and two of these are the same if they are the same in normal
// form. No greatest common divisors are taken: zero is recognized without them.
#include "camber/symbolic/rational.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "camber/symbolic/expand.h"
#include "camber/symbolic/probe.h"
#include "camber/symbolic/trigonometry.h"

namespace camber::symbolic {
namespace {

constexpr std::int64_t kMaxPower = 20;
constexpr int kMaxDepth = 200;  // of sums in products in sums; what is deeper is an atom

struct Power {
  Expr base;
  std::int64_t exponent = 0;  // > 0
};

struct Fraction {
  Expr above = 1;
  std::vector<Power> below = {};
};

void add_power(const Expr& base, std::int64_t exponent, std::vector<Power>* powers) {
  const auto known = std::ranges::find(*powers, base, &Power::base);
  if (known == powers->end()) {
    powers->push_back({base, exponent});
  } else {
    known->exponent += exponent;
  }
}

Expr to_product(std::span<const Power> powers) {
  Expr result = 1;
  for (const Power& power : powers) result *= pow(power.base, Number(power.exponent));
  return result;
}

/// The whole exponent of a factor, or 0.
std::int64_t whole_exponent(const Factor& f) {
  if (!f.exponent.is_number() || !f.exponent.number().fits_int64()) return 0;
  const std::int64_t n = f.exponent.number().as_int64();
  return std::abs(n) <= kMaxPower ? n : 0;
}

class Joiner {
 public:
  explicit Joiner(std::size_t max_terms) : max_terms_(max_terms) {}

  Fraction operator()(const Expr& e, int depth = 0) {
    if ((e.kind() != Kind::kSum && e.kind() != Kind::kProduct) || depth > kMaxDepth) return {e, {}};
    const auto known = known_.find(e);
    if (known != known_.end()) return known->second;
    Fraction result = e.kind() == Kind::kSum ? join_sum(e, depth) : join_product(e, depth);
    known_.emplace(e, result);
    return result;
  }

  Expr multiplied_out(const Expr& e) const {
    return expand(e, {.max_terms = max_terms_, .inside_functions = false});
  }

 private:
  Fraction join_product(const Expr& e, int depth) {
    Fraction result;
    for (const Factor& f : e.factors()) {
      const std::int64_t n = whole_exponent(f);
      if (n == 0) {
        result.above *= pow(f.base, f.exponent);
        continue;
      }
      const Fraction base = (*this)(f.base, depth + 1);
      if (n > 0) {
        result.above *= pow(base.above, Number(n));
        for (const Power& power : base.below)
          add_power(power.base, n * power.exponent, &result.below);
      } else {
        result.above *= pow(to_product(base.below), Number(-n));
        divide(base.above, -n, &result);
      }
    }
    return result;
  }

  /// Divides by e^n, one factor of e after the other.
  void divide(const Expr& e, std::int64_t n, Fraction* fraction) const {
    if (e.kind() != Kind::kProduct) {
      const Expr base = multiplied_out(e);
      if (base.is_number()) {
        fraction->above *= pow(base, Number(-n));
      } else if (base.kind() == Kind::kProduct) {
        divide(base, n, fraction);
      } else {
        add_power(base, n, &fraction->below);
      }
      return;
    }
    for (const Factor& f : e.factors()) {
      const std::int64_t m = whole_exponent(f);
      if (m > 0 && n * m <= kMaxPower && f.base.kind() != Kind::kProduct) {
        divide(f.base, n * m, fraction);
      } else {
        fraction->above *= pow(pow(f.base, f.exponent), Number(-n));
      }
    }
  }

  Fraction join_sum(const Expr& e, int depth) {
    std::vector<Fraction> parts;
    Fraction result;
    for (const Term& t : e.terms()) {
      parts.push_back((*this)(t.term, depth + 1));
      for (const Power& power : parts.back().below) {
        const auto known = std::ranges::find(result.below, power.base, &Power::base);
        if (known == result.below.end()) {
          result.below.push_back(power);
        } else {
          known->exponent = std::max(known->exponent, power.exponent);
        }
      }
    }
    const auto missing = [&](const Fraction& part) {
      std::vector<Power> rest;
      for (Power power : result.below) {
        const auto own = std::ranges::find(part.below, power.base, &Power::base);
        if (own != part.below.end()) power.exponent -= own->exponent;
        if (power.exponent > 0) rest.push_back(power);
      }
      return to_product(rest);
    };
    std::vector<Expr> summands = {multiplied_out(Expr(e.constant()) * to_product(result.below))};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Expr coefficient = e.terms()[i].coefficient;
      summands.push_back(multiplied_out(coefficient * parts[i].above * missing(parts[i])));
    }
    result.above = multiplied_out(sum(summands));
    if (result.above.is_zero()) result.below.clear();
    return result;
  }

  std::size_t max_terms_;
  std::unordered_map<Expr, Fraction> known_;
};

}  // namespace

RationalForm rational_form(const Expr& e, std::size_t max_terms) {
  Joiner join(max_terms);
  const Fraction fraction = join(e);
  return {join.multiplied_out(fraction.above), to_product(fraction.below)};
}

bool is_proven_zero(const Expr& e) {
  if (e.is_zero()) return true;
  if (e.is_number() || e.is_leaf()) return false;
  const auto probed = internal::probe(std::span(&e, 1));
  if (probed && !internal::is_zero(probed->front())) return false;
  constexpr std::size_t kMaxTerms = 5000;
  try {
    for (const Expr& form : {e, expand_angles(e)}) {
      const Expr numerator = rational_form(form, kMaxTerms).numerator;
      if (numerator.is_zero()) return true;
      const Expr reduced = reduce_squares(numerator);
      if (reduced.is_zero() || rational_form(reduced, kMaxTerms).numerator.is_zero()) return true;
    }
  } catch (const std::length_error&) {  // ExpansionLimitError: too long to decide
  } catch (const std::domain_error&) {  // no value anywhere
  } catch (const std::overflow_error&) {
  }
  return false;
}

}  // namespace camber::symbolic
