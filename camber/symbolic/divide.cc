#include "camber/symbolic/divide.h"

#include <algorithm>
#include <vector>

#include "camber/core/require.h"
#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/local_rules.h"

namespace camber::symbolic {

namespace {

constexpr std::size_t kMaxTerms = 300;
constexpr std::int64_t kMaxDegree = 50;

/// Coefficients by powers of x, multiplied out; empty if e is not a polynomial in x or too large.
std::vector<Expr> dense_coefficients(const Expr& e, const Expr& x) {
  std::vector<Expr> result(1, Expr(0));
  for (const MonomialCoefficient& c :
       collect_coefficients(e, std::span(&x, 1), Otherwise::kKeep, kMaxTerms)) {
    std::int64_t degree = c.monomial.is_one() ? 0 : 1;
    if (c.monomial.kind() == Kind::kProduct) {
      degree = c.monomial.factors()[0].exponent.number().as_int64();
    }
    if (degree > kMaxDegree || c.coefficient.depends_on(x)) {
      return {};
    }
    if (static_cast<std::size_t>(degree) >= result.size()) {
      result.resize(static_cast<std::size_t>(degree) + 1, Expr(0));
    }
    result[static_cast<std::size_t>(degree)] = expand(c.coefficient, {.max_terms = kMaxTerms});
  }
  return result;
}

/// Long division of polynomials in x.
std::optional<Expr> divide_in(const Expr& x, const Expr& dividend, const Expr& divisor) {
  const std::vector<Expr> below = dense_coefficients(divisor, x);
  if (below.size() < 2 || !below.back().is_number()) {
    return std::nullopt;
  }
  std::vector<Expr> rest = dense_coefficients(dividend, x);
  if (rest.empty()) {
    return std::nullopt;
  }
  std::vector<Expr> summands;
  while (rest.size() >= below.size()) {
    const std::size_t degree = rest.size() - below.size();
    const Expr factor = rest.back() / below.back();
    summands.push_back(factor * pow(x, Number(static_cast<std::int64_t>(degree))));
    rest.pop_back();
    for (std::size_t k = 0; k + 1 < below.size(); ++k) {
      Expr& r = rest[degree + k];
      r = expand(r - factor * below[k], {.max_terms = kMaxTerms});
    }
  }
  for (const Expr& r : rest) {
    if (!r.is_zero()) {
      return std::nullopt;
    }
  }
  return sum(summands);
}

bool is_candidate(const Expr& e) { return e.kind() == Kind::kSum && e.terms().size() <= kMaxTerms; }

std::int64_t whole_exponent(const Factor& f) {
  return f.exponent.is_number() && f.exponent.number().fits_int64() ? f.exponent.number().as_int64()
                                                                    : 0;
}

}  // namespace

std::optional<Expr> divide_exactly(const Expr& dividend, const Expr& divisor) {
  require(!divisor.is_zero(), "divide_exactly: division of ", dividend, " by zero");
  if (!is_candidate(dividend) || !is_candidate(divisor)) {
    return std::nullopt;
  }
  try {
    for (const Expr& x : divisor.leaves()) {
      if (!dividend.depends_on(x)) {
        return std::nullopt;
      }
      if (std::optional<Expr> quotient = divide_in(x, dividend, divisor)) {
        return quotient;
      }
    }
  } catch (const ExpansionLimitError&) {
    return std::nullopt;
  }
  return std::nullopt;
}

namespace internal {

Expr divide_in_product(const Expr& e) {
  if (e.kind() != Kind::kProduct) {
    return e;
  }
  for (const Factor& above : e.factors()) {
    if (whole_exponent(above) < 1) {
      continue;
    }
    for (const Factor& below : e.factors()) {
      if (whole_exponent(below) > -1) {
        continue;
      }
      const Number common(std::min(whole_exponent(above), -whole_exponent(below)));
      const Expr rest = e * pow(above.base, -common) * pow(below.base, common);
      if (const auto quotient = divide_exactly(above.base, below.base)) {
        return divide_in_product(rest * pow(*quotient, common));
      }
      if (const auto quotient = divide_exactly(below.base, above.base)) {
        return divide_in_product(rest * pow(*quotient, -common));
      }
    }
  }
  return e;
}

}  // namespace internal

}  // namespace camber::symbolic
