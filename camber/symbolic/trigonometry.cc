// Each rule looks at the terms of one sum. With P^2 = 1 + k Q^2, (P, Q, k) = (sin, cos, -1) or
// (cosh, sinh, 1), the terms r (A P^2 + B Q^2 + C) with common factor r can be written as
//   r ((B + k A) Q^2 + (C + A))                                            (1)
//   r ((A + k B) P^2 + (C - k B))                                          (2)
//   r ((A + C) P^2 + (B - k C) Q^2)                                        (3)
// and the cheapest one is taken.

#include "camber/symbolic/trigonometry.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "camber/symbolic/local_rules.h"
#include "camber/symbolic/polynomial.h"
#include "camber/symbolic/rewrite.h"
#include "camber/symbolic/term_table.h"

namespace camber::symbolic {

namespace {

using internal::BottomUpRewriter;
using internal::TermTable;

struct Family {
  Expr (*P)(const Expr&);
  Expr (*Q)(const Expr&);
  Number k;
};

const Family* family_of(Kind kind) {
  static const Family circular{sin, cos, Number(-1)};
  static const Family hyperbolic{cosh, sinh, Number(1)};
  switch (kind) {
    case Kind::kSin:
    case Kind::kCos:
      return &circular;
    case Kind::kSinh:
    case Kind::kCosh:
      return &hyperbolic;
    default:
      return nullptr;
  }
}

/// The exponent as a small whole number, or 0.
std::int64_t whole_exponent(const Expr& exponent) {
  return exponent.is_number() && exponent.number().fits_int64() ? exponent.number().as_int64() : 0;
}

std::vector<Factor> factors_of(const Expr& monomial) {
  if (monomial.kind() == Kind::kProduct) {
    return {monomial.factors().begin(), monomial.factors().end()};
  }
  return {{monomial, Expr(1)}};
}

struct Weights {
  Number A, B, C;

  /// Operations besides r's: a square counts two, as does its product with r.
  int cost() const { return term_cost(A, 4) + term_cost(B, 4) + term_cost(C, 2); }

 private:
  static int term_cost(const Number& weight, int term) {
    return weight.is_zero() ? 0 : term + (abs(weight).is_one() ? 0 : 1);
  }
};

Weights cheapest(const Weights& w, const Number& k) {
  const std::array<Weights, 3> others = {Weights{Number(0), w.B + k * w.A, w.C + w.A},      // (1)
                                         Weights{w.A + k * w.B, Number(0), w.C - k * w.B},  // (2)
                                         Weights{w.A + w.C, w.B - k * w.C, Number(0)}};     // (3)
  Weights best = w;
  for (const Weights& other : others) {
    if (other.cost() < best.cost()) {
      best = other;
    }
  }
  return best;
}

/// Looks for squares of `f` in one term and for its partners; true if the table changed.
bool reduce_square(const Expr& monomial, const Factor& f, TermTable* table) {
  const Family* family = family_of(f.base.kind());
  if (family == nullptr || whole_exponent(f.exponent) < 2) {
    return false;
  }
  const Expr& u = f.base.arguments()[0];
  const Expr rest = monomial * pow(f.base, -2);
  const Expr with_P = rest * pow(family->P(u), 2);
  const Expr with_Q = rest * pow(family->Q(u), 2);
  const Weights now{table->coefficient(with_P), table->coefficient(with_Q),
                    table->coefficient(rest)};
  const Weights best = cheapest(now, family->k);
  if (best.cost() == now.cost()) {
    return false;
  }
  table->set(with_P, best.A);
  table->set(with_Q, best.B);
  table->set(rest, best.C);
  return true;
}

// Each reduction makes the sum of costs smaller, so the passes end by themselves; this bounds the
// work on sums with thousands of terms.
constexpr int kMaxPasses = 20;

bool is_circular(const Factor& f) {
  return (f.base.kind() == Kind::kSin || f.base.kind() == Kind::kCos) &&
         whole_exponent(f.exponent) >= 1;
}

/// Replaces c1 first + c2 second by c1 sum when c2 = sign * c1.
bool replace_pair(const Expr& first, const Expr& second, int sign, const Expr& sum,
                  TermTable* table) {
  const Number c1 = table->coefficient(first);
  const Number c2 = table->coefficient(second);
  if (first == second || c1.is_zero() || c2 != Number(sign) * c1) {
    return false;
  }
  table->set(first, Number(0));
  table->set(second, Number(0));
  table->add(sum, c1);
  return true;
}

/// One term with the factors f(a), g(b): the addition theorems for this pair.
bool contract_pair(const Expr& monomial, const Expr& f, const Expr& g, TermTable* table) {
  const Expr& a = f.arguments()[0];
  const Expr& b = g.arguments()[0];
  const Expr rest = monomial / (f * g);
  if (f.kind() == g.kind()) {  // cos a cos b -+ sin a sin b = cos(a +- b)
    const Expr cosines = rest * cos(a) * cos(b);
    const Expr sines = rest * sin(a) * sin(b);
    return replace_pair(cosines, sines, -1, rest * cos(a + b), table) ||
           replace_pair(cosines, sines, 1, rest * cos(a - b), table);
  }
  const Expr& s = f.kind() == Kind::kSin ? a : b;  // sin s cos c +- cos s sin c = sin(s +- c)
  const Expr& c = f.kind() == Kind::kSin ? b : a;
  return replace_pair(monomial, rest * cos(s) * sin(c), 1, rest * sin(s + c), table) ||
         replace_pair(monomial, rest * cos(s) * sin(c), -1, rest * sin(s - c), table);
}

/// sin a cos a = sin(2 a)/2.
bool contract_double(const Expr& monomial, const Expr& f, const Expr& g, TermTable* table) {
  const Expr& a = f.arguments()[0];
  if (a != g.arguments()[0] || f.kind() == g.kind()) {
    return false;
  }
  const Number c = table->coefficient(monomial);
  table->set(monomial, Number(0));
  table->add(monomial / (f * g) * sin(2 * a), c / Number(2));
  return true;
}

bool contract_term(const Expr& monomial, TermTable* table) {
  const std::vector<Factor> factors = factors_of(monomial);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (!is_circular(factors[i])) {
      continue;
    }
    if (whole_exponent(factors[i].exponent) >= 2 &&
        contract_pair(monomial, factors[i].base, factors[i].base, table)) {
      return true;
    }
    for (std::size_t j = i + 1; j < factors.size(); ++j) {
      if (is_circular(factors[j]) &&
          (contract_pair(monomial, factors[i].base, factors[j].base, table) ||
           contract_double(monomial, factors[i].base, factors[j].base, table))) {
        return true;
      }
    }
  }
  return false;
}

struct SineCosine {
  Expr sine, cosine;
};

constexpr std::int64_t kLargestMultiple = 4;
constexpr std::size_t kMostTerms = 4;

SineCosine add_angles(const SineCosine& a, const SineCosine& b) {
  return {a.sine * b.cosine + a.cosine * b.sine, a.cosine * b.cosine - a.sine * b.sine};
}

/// sin and cos of coefficient * angle.
SineCosine of_multiple(const Expr& angle, const Number& coefficient) {
  if (!coefficient.fits_int64() || abs(coefficient) > Number(kLargestMultiple)) {
    return {sin(coefficient * angle), cos(coefficient * angle)};
  }
  const SineCosine once{sin(angle), cos(angle)};
  SineCosine result = once;
  for (std::int64_t n = abs(coefficient).as_int64(); n > 1; --n) {
    result = add_angles(result, once);
  }
  return {coefficient.sign() < 0 ? -result.sine : result.sine, result.cosine};
}

Expr expand_angle(const Expr& e) {
  if (e.kind() != Kind::kSin && e.kind() != Kind::kCos) {
    return e;
  }
  const Expr& u = e.arguments()[0];
  if (u.kind() != Kind::kSum || u.terms().size() > kMostTerms) {
    return e;
  }
  std::optional<SineCosine> result;
  if (!u.constant().is_zero()) {
    result = SineCosine{sin(u.constant()), cos(u.constant())};
  }
  for (const Term& t : u.terms()) {
    const SineCosine term = of_multiple(t.term, t.coefficient);
    result = result ? add_angles(*result, term) : term;
  }
  return e.kind() == Kind::kSin ? result->sine : result->cosine;
}

struct QuotientRule {
  Kind first, second;  // first^m * second^-m or first^m * second^m ...
  int second_sign;
  Expr (*result)(const Expr&);  // ... = result^m
};

const std::array<QuotientRule, 4> kQuotientRules = {{{Kind::kSin, Kind::kCos, -1, tan},
                                                     {Kind::kTan, Kind::kCos, 1, sin},
                                                     {Kind::kSinh, Kind::kCosh, -1, tanh},
                                                     {Kind::kTanh, Kind::kCosh, 1, sinh}}};

std::optional<Expr> contract_quotient(const Expr& e, const QuotientRule& rule) {
  for (const Factor& f : e.factors()) {
    if (f.base.kind() != rule.first) {
      continue;
    }
    const Number m = whole_exponent(f.exponent);
    for (const Factor& g : e.factors()) {
      const Number n = Number(whole_exponent(g.exponent)) * Number(rule.second_sign);
      if (g.base.kind() != rule.second || g.base.arguments()[0] != f.base.arguments()[0] ||
          m.sign() != n.sign() || m.is_zero()) {
        continue;
      }
      const Number common = m.sign() > 0 ? std::min(m, n) : std::max(m, n);
      return e * pow(f.base, -common) * pow(g.base, Number(-rule.second_sign) * common) *
             pow(rule.result(f.base.arguments()[0]), common);
    }
  }
  return std::nullopt;
}

}  // namespace

namespace internal {

Expr reduce_squares_in_sum(const Expr& e) {
  if (e.kind() != Kind::kSum) {
    return e;
  }
  TermTable table(e);
  bool changed_at_all = false;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    bool changed = false;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const Expr monomial = table[i].term;
      for (const Factor& f : factors_of(monomial)) {
        if (!table[i].coefficient.is_zero()) {
          changed |= reduce_square(monomial, f, &table);
        }
      }
    }
    changed_at_all |= changed;
    if (!changed) {
      break;
    }
  }
  return changed_at_all ? table.to_expr() : e;
}

Expr eliminate_squares_in_sum(const Expr& e, Squares gone, std::size_t max_terms) {
  if (e.kind() != Kind::kSum) {
    return e;
  }
  const Kind kind = gone == Squares::kOfSines ? Kind::kSin : Kind::kCos;
  TermTable table(e);
  bool changed = false;
  for (std::size_t i = 0; i < table.size(); ++i) {  // grows: a fourth power becomes a square first
    const Expr monomial = table[i].term;
    const Number c = table[i].coefficient;
    if (c.is_zero()) {
      continue;
    }
    for (const Factor& f : factors_of(monomial)) {
      if (f.base.kind() != kind || whole_exponent(f.exponent) < 2) {
        continue;
      }
      if (table.size() > max_terms) {
        throw ExpansionLimitError("eliminate_squares_in_sum: too many terms");
      }
      const Expr& u = f.base.arguments()[0];
      const Expr rest = monomial * pow(f.base, -2);
      table.set(monomial, Number(0));
      table.add(rest, c);
      table.add(rest * pow(kind == Kind::kSin ? cos(u) : sin(u), 2), -c);
      // A term before this one that was done, or was zero, has a coefficient again.
      changed = true;
      break;
    }
  }
  return changed ? eliminate_squares_in_sum(table.to_expr(), gone, max_terms) : e;
}

Expr contract_angles_in_sum(const Expr& e) {
  if (e.kind() != Kind::kSum && e.kind() != Kind::kProduct) {
    return e;
  }
  TermTable table(e);
  bool changed = false;
  for (std::size_t i = 0; i < table.size(); ++i) {  // grows: new terms may contract again
    if (!table[i].coefficient.is_zero()) {
      changed |= contract_term(Expr(table[i].term), &table);
    }
  }
  return changed ? table.to_expr() : e;
}

Expr contract_quotients_in_product(const Expr& product_expr) {
  Expr e = product_expr;
  for (const QuotientRule& rule : kQuotientRules) {
    while (e.kind() == Kind::kProduct) {
      const std::optional<Expr> shorter = contract_quotient(e, rule);
      if (!shorter) {
        break;
      }
      e = *shorter;
    }
  }
  return e;
}

}  // namespace internal

Expr reduce_squares(const Expr& e) { return BottomUpRewriter(internal::reduce_squares_in_sum)(e); }
Expr contract_angles(const Expr& e) {
  return BottomUpRewriter(internal::contract_angles_in_sum)(e);
}
Expr expand_angles(const Expr& e) { return BottomUpRewriter(expand_angle)(e); }
Expr contract_quotients(const Expr& e) {
  return BottomUpRewriter(internal::contract_quotients_in_product)(e);
}

}  // namespace camber::symbolic
