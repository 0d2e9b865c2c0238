#include "camber/symbolic/polynomial.h"

#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "camber/core/require.h"

namespace camber::symbolic {

namespace {

// A pair of terms takes about 0.2 us: this keeps a product with the default limit of terms below a
// second.
constexpr std::size_t kPairsPerTerm = 20;
// (x + y)^100000 fails by its coefficients' size, before any is computed.
constexpr int kMaxCoefficientBits = 512;

bool is_multipliable(const Factor& f) {
  return f.base.kind() == Kind::kSum && f.exponent.is_number() &&
         f.exponent.number().is_integer() && f.exponent.number().sign() > 0;
}

/// The first factor that is a whole positive power of a sum.
std::optional<std::size_t> find_multipliable(const Expr& e) {
  if (e.kind() == Kind::kProduct) {
    std::size_t i = 0;
    for (const Factor& f : e.factors()) {
      if (is_multipliable(f)) {
        return i;
      }
      ++i;
    }
  }
  return std::nullopt;
}

[[noreturn]] void throw_too_large(std::size_t max_terms) {
  throw ExpansionLimitError(concat("expand: more than ", max_terms,
                                   " terms, or coefficients of more than ", kMaxCoefficientBits,
                                   " bits"));
}

}  // namespace

void Polynomial::add_monomial(const Expr& monomial, const Number& coefficient) {
  if (const int* place = place_.find(monomial)) {
    Number& sum = terms_[static_cast<std::size_t>(*place)].coefficient;
    sum = sum + coefficient;
    return;
  }
  if (terms_.size() >= max_terms_ || coefficient.bits() > kMaxCoefficientBits) {
    throw_too_large(max_terms_);
  }
  place_.insert(monomial, static_cast<int>(terms_.size()));
  terms_.push_back({monomial, coefficient});
}

void Polynomial::add(const Expr& e, const Number& coefficient) {
  if (e.is_number()) {
    constant_ = constant_ + coefficient * e.number();
  } else if (e.kind() == Kind::kSum) {
    constant_ = constant_ + coefficient * e.constant();
    for (const Term& t : e.terms()) {
      add_monomial(t.term, coefficient * t.coefficient);
    }
  } else {
    add_monomial(e, coefficient);
  }
}

void Polynomial::add_product(const Expr& a, const Expr& b, const Number& coefficient) {
  const std::array<Expr, 2> both = {a, b};
  const Expr monomial = product(both);
  const std::optional<std::size_t> i = find_multipliable(monomial);
  if (!i) {
    add(monomial, coefficient);
    return;
  }
  // Roots were multiplied: sqrt(x + y) * sqrt(x + y) * z. Multiply the sum by the other factors.
  const Factor f = monomial.factors()[*i];
  Polynomial base(max_terms_);
  base.add(f.base, Number(1));
  Polynomial rest(max_terms_);
  rest.add(monomial * pow(f.base, -f.exponent.number()), coefficient);
  add(base.power(f.exponent.number().as_int64()).times(rest).to_expr(), Number(1));
}

Polynomial Polynomial::times(const Polynomial& b) const {
  if ((terms_.size() + 1) > kPairsPerTerm * max_terms_ / (b.terms_.size() + 1)) {
    throw_too_large(max_terms_);
  }
  Polynomial result(max_terms_);
  result.constant_ = constant_ * b.constant_;
  for (const Term& t : terms_) {
    if (!b.constant_.is_zero()) {
      result.add_monomial(t.term, t.coefficient * b.constant_);
    }
    for (const Term& u : b.terms_) {
      result.add_product(t.term, u.term, t.coefficient * u.coefficient);
    }
  }
  if (!constant_.is_zero()) {
    for (const Term& u : b.terms_) {
      result.add_monomial(u.term, constant_ * u.coefficient);
    }
  }
  return result;
}

Polynomial Polynomial::power(std::int64_t n) const {
  require(n >= 1, "Polynomial::power: exponent must be >= 1, got ", n);
  // The coefficients add up to at least m^n when all are one, spread over the terms.
  const std::size_t m = terms_.size() + (constant_.is_zero() ? 0 : 1);
  if (m > 1 && n > kMaxCoefficientBits / static_cast<int>(std::bit_width(m - 1))) {
    throw_too_large(max_terms_);
  }
  Polynomial square = *this;
  std::optional<Polynomial> result;
  for (;; n >>= 1) {
    if ((n & 1) != 0) {
      result = result ? result->times(square) : square;
    }
    if (n <= 1) {
      return *result;
    }
    square = square.times(square);
  }
}

}  // namespace camber::symbolic
