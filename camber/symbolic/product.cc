#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/pool.h"

// Products in canonical form: product of base ^ exponent, sorted by base, each base once. Numeric
// factors are not part of a product: they are coefficients in sums. A sum that is a factor is
// primitive (2*x + 2*y comes in as x + y, the 2 goes to the coefficient). Numbers remain as bases
// only where the power is not rational: 2^(1/2).

namespace camber::symbolic {

using internal::intern;
using internal::Node;
using internal::scale;

namespace {

/// e = coefficient * core.
struct Split {
  Number coefficient;
  Expr core;
};

Split split(const Expr& e) {
  const Node& node = *e.node();
  if (node.kind == Kind::kNumber) return {node.number(), internal::one()};
  if (node.kind != Kind::kSum) return {Number(1), e};
  if (node.size == 3 && node.args()[0].is_zero()) return {node.args()[2].number(), node.args()[1]};
  if (node.primitive) return {Number(1), e};
  const Number content = internal::content(e);
  return {content, scale(e, Number(1) / content)};
}

/// A core seen as (base, exponent) pairs, without copying.
struct ProductView {
  explicit ProductView(const Expr& core) : alone{core, internal::one()} {
    const Node& node = *core.node();
    if (node.kind == Kind::kProduct) {
      pairs = std::span(node.args(), node.size);
    } else if (!core.is_one()) {
      pairs = alone;
    }
  }
  ProductView(const ProductView&) = delete;
  ProductView& operator=(const ProductView&) = delete;
  Expr alone[2];
  std::span<const Expr> pairs;
};

Expr finish(std::span<const Expr> pairs) {
  if (pairs.empty()) return internal::one();
  if (pairs.size() == 2 && pairs[1].is_one()) return pairs[0];
  return intern(Kind::kProduct, pairs);
}

bool is_integer(const Expr& e) { return e.is_number() && e.number().is_integer(); }

/// Whether base ^ exponent may stand in a product as it is, when it arose by adding exponents. The
/// others may have to be taken apart again: sqrt(x*y) * sqrt(x*y) is x*y.
bool stays_whole(const Expr& base) {
  return base.kind() != Kind::kNumber && base.kind() != Kind::kProduct && base.node()->primitive;
}

/// Merges two products. Factors that have to be taken apart are left out and returned in `loose`.
Expr merge(const Expr& a, const Expr& b, std::vector<Expr>* loose) {
  const ProductView x(a);
  const ProductView y(b);
  thread_local std::vector<Expr> result;
  result.clear();
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < x.pairs.size() && j < y.pairs.size()) {
    const Expr& base = x.pairs[i];
    if (base == y.pairs[j]) {
      const Expr exponent = x.pairs[i + 1] + y.pairs[j + 1];
      if (!stays_whole(base)) {
        loose->insert(loose->end(), {base, exponent});
      } else if (!exponent.is_zero()) {
        result.insert(result.end(), {base, exponent});
      }
      i += 2;
      j += 2;
    } else if (canonical_less(base, y.pairs[j])) {
      result.insert(result.end(), {base, x.pairs[i + 1]});
      i += 2;
    } else {
      result.insert(result.end(), {y.pairs[j], y.pairs[j + 1]});
      j += 2;
    }
  }
  for (; i < x.pairs.size(); ++i) result.push_back(x.pairs[i]);
  for (; j < y.pairs.size(); ++j) result.push_back(y.pairs[j]);
  return finish(result);
}

}  // namespace

Expr operator*(const Expr& a, const Expr& b) {
  if (a.is_number()) return scale(b, a.number());
  if (b.is_number()) return scale(a, b.number());
  const Split x = split(a);
  const Split y = split(b);
  std::vector<Expr> loose;
  Expr core = merge(x.core, y.core, &loose);
  for (std::size_t i = 0; i < loose.size(); i += 2) core = core * pow(loose[i], loose[i + 1]);
  if (x.coefficient.is_one() && y.coefficient.is_one()) return core;
  return scale(core, x.coefficient * y.coefficient);
}

Expr operator/(const Expr& a, const Expr& b) {
  if (b.is_number()) return scale(a, Number(1) / b.number());
  return a * pow(b, Expr(-1));
}

Expr product(std::span<const Expr> factors) {
  if (factors.empty()) return internal::one();
  // Halves against halves: each factor is merged log(n) times, where one after the other would
  // merge it n times.
  if (factors.size() == 1) return factors[0];
  const std::size_t half = factors.size() / 2;
  return product(factors.first(half)) * product(factors.subspan(half));
}

Expr& Expr::operator*=(const Expr& b) { return *this = *this * b; }
Expr& Expr::operator/=(const Expr& b) { return *this = *this / b; }

// Powers.

namespace {

Expr power_node(const Expr& base, const Expr& exponent) {
  const Expr pair[] = {base, exponent};
  return finish(pair);
}

/// The largest r with r^root dividing n, over small primes: sqrt(8) is 2*sqrt(2).
std::int64_t root_of_divisor(std::int64_t n, std::int64_t root) {
  std::int64_t r = 1;
  for (const std::int64_t p : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31}) {
    std::int64_t power = 1;
    bool fits = true;
    for (std::int64_t k = 0; k < root && fits; ++k)
      fits = !__builtin_mul_overflow(power, p, &power);
    while (fits && n % power == 0) {
      n /= power;
      r *= p;
    }
  }
  return r;
}

/// number ^ (p/q) with 0 < p/q < 1, positive and exact.
Expr proper_root(const Number& number, const Number& exponent) {
  const std::int64_t q =
      exponent.denominator().fits_int64() ? exponent.denominator().as_int64() : 0;
  const std::int64_t p = exponent.numerator().fits_int64() ? exponent.numerator().as_int64() : 0;
  Number root;
  Number value;
  if (q > 0 && root_exact(number, q, &root) && pow_exact(root, p, &value)) return Expr(value);
  if (p == 1 && q > 0 && q < 64 && number.numerator().fits_int64() &&
      number.denominator().fits_int64()) {
    const Number outside(root_of_divisor(number.numerator().as_int64(), q),
                         root_of_divisor(number.denominator().as_int64(), q));
    Number taken;
    if (!outside.is_one() && pow_exact(outside, q, &taken)) {
      return scale(power_node(Expr(number / taken), Expr(exponent)), outside);
    }
  }
  return power_node(Expr(number), Expr(exponent));
}

Expr power_of_numbers(const Number& base, const Number& exponent) {
  if (base.is_one()) return internal::one();
  if (base.is_zero()) {
    if (exponent.sign() < 0)
      throw std::domain_error("division by zero: 0^(" + exponent.to_string() + ")");
    return internal::zero();
  }
  if (exponent.fits_int64()) {
    Number value;
    return pow_exact(base, exponent.as_int64(), &value) ? Expr(value)
                                                        : power_node(Expr(base), Expr(exponent));
  }
  if (!base.is_exact() || !exponent.is_exact()) {
    const double value = std::pow(base.to_double(), exponent.to_double());
    const bool good = std::isfinite(value) && value != 0;
    return good ? Expr(value) : power_node(Expr(base), Expr(exponent));
  }
  // Not a real number: the evaluation reports it, with the expression that contains it.
  if (base.sign() < 0 || !exponent.denominator().fits_int64() ||
      !exponent.numerator().fits_int64()) {
    return power_node(Expr(base), Expr(exponent));
  }
  // base^(n + f) = base^n * base^f with 0 < f < 1.
  const std::int64_t p = exponent.numerator().as_int64();
  const std::int64_t q = exponent.denominator().as_int64();
  const std::int64_t n = p / q - (p % q < 0 ? 1 : 0);
  Number whole;
  if (!pow_exact(base, n, &whole)) return power_node(Expr(base), Expr(exponent));
  return scale(proper_root(base, exponent - Number(n)), whole);
}

/// (product of b ^ e) ^ n for whole n.
Expr whole_power_of_product(const Expr& base, const Expr& n) {
  const ProductView view(base);
  std::vector<Expr> pairs;
  std::vector<Expr> loose;
  for (std::size_t i = 0; i < view.pairs.size(); i += 2) {
    const Expr exponent = view.pairs[i + 1] * n;
    std::vector<Expr>& where = stays_whole(view.pairs[i]) ? pairs : loose;
    where.insert(where.end(), {view.pairs[i], exponent});
  }
  Expr result = finish(pairs);
  for (std::size_t i = 0; i < loose.size(); i += 2) result = result * pow(loose[i], loose[i + 1]);
  return result;
}

/// (c*t)^e = c^e * t^e holds for c > 0 and any e, and for any c if e is whole.
Expr power_of_multiple(const Expr& base, const Expr& exponent) {
  auto [coefficient, core] = split(base);
  if (is_integer(exponent)) {
    return pow(Expr(coefficient), exponent) * pow(core, exponent);
  }
  const Number magnitude = abs(coefficient);
  if (magnitude.is_one()) return power_node(base, exponent);
  const Expr outside = pow(Expr(magnitude), exponent);
  // sqrt(4*x + 4*y) is 2*sqrt(x + y), but sqrt(2*x + 2*y) stays: sqrt(2) would be one operation
  // more.
  if (core.kind() == Kind::kSum && !outside.is_number()) return power_node(base, exponent);
  return outside * pow(coefficient.sign() < 0 ? -core : core, exponent);
}

}  // namespace

Expr pow(const Expr& base, const Expr& exponent) {
  if (exponent.is_zero() || base.is_one()) return internal::one();
  if (exponent.is_one()) return base;
  if (base.is_number() && exponent.is_number())
    return power_of_numbers(base.number(), exponent.number());
  switch (base.kind()) {
    case Kind::kSum: {
      const bool multiple = !base.node()->primitive;
      return multiple ? power_of_multiple(base, exponent) : power_node(base, exponent);
    }
    case Kind::kProduct: {
      if (is_integer(exponent)) return whole_power_of_product(base, exponent);
      // (x^a)^b = x^(a*b) where x^a is real only for x >= 0; sqrt(x^2) is not x.
      const Factors factors = base.factors();
      if (factors.size() == 1 && factors[0].exponent.is_number() &&
          !is_integer(factors[0].exponent)) {
        return pow(factors[0].base, factors[0].exponent * exponent);
      }
      return power_node(base, exponent);
    }
    default:
      return power_node(base, exponent);
  }
}

Expr sqrt(const Expr& a) {
  static const Expr half(Number(1, 2));
  return pow(a, half);
}

}  // namespace camber::symbolic
