#include <algorithm>
#include <cassert>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/pool.h"

// Sums in canonical form: constant + sum of coefficient * term. A term is neither a sum nor a
// number and has no numeric factor, so like terms meet under one key; a numeric multiple of one
// term is a sum of one.

namespace camber::symbolic {

using internal::intern;
using internal::Node;

namespace {

/// Any expression seen as constant + terms, without copying.
struct SumView {
  explicit SumView(const Expr& e) : alone{e, internal::one()} {
    const Node& node = *e.node();
    if (node.kind == Kind::kNumber) {
      constant = e;
    } else if (node.kind == Kind::kSum) {
      constant = node.args()[0];
      pairs = std::span(node.args() + 1, node.size - 1);
    } else {
      pairs = alone;
    }
  }
  SumView(const SumView&) = delete;
  SumView& operator=(const SumView&) = delete;
  Expr alone[2];
  Expr constant = internal::zero();
  std::span<const Expr> pairs;  // term, coefficient, term, coefficient ...
};

/// Makes a sum from `arguments` as intern() expects them: the constant, then sorted terms with
/// non-zero coefficients.
Expr finish(std::span<const Expr> arguments) {
  if (arguments.size() == 1) return arguments[0];
  if (arguments.size() == 3 && arguments[0].is_zero() && arguments[2].is_one()) return arguments[1];
  return intern(Kind::kSum, arguments);
}

Expr add_numbers(const Expr& a, const Expr& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  return Expr(a.number() + b.number());
}

std::vector<Expr>& scratch() {
  thread_local std::vector<Expr>
      buffer;  // one sum is built at a time; finish() has copied it before the next
  buffer.clear();
  return buffer;
}

}  // namespace

Expr operator+(const Expr& a, const Expr& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const SumView x(a);
  const SumView y(b);
  std::vector<Expr>& result = scratch();
  result.push_back(add_numbers(x.constant, y.constant));
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < x.pairs.size() && j < y.pairs.size()) {
    if (x.pairs[i] == y.pairs[j]) {
      const Expr coefficient = add_numbers(x.pairs[i + 1], y.pairs[j + 1]);
      if (!coefficient.is_zero()) result.insert(result.end(), {x.pairs[i], coefficient});
      i += 2;
      j += 2;
    } else if (canonical_less(x.pairs[i], y.pairs[j])) {
      result.insert(result.end(), {x.pairs[i], x.pairs[i + 1]});
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

Expr operator-(const Expr& a, const Expr& b) { return a + (-b); }
Expr operator-(const Expr& a) { return internal::scale(a, Number(-1)); }

namespace internal {

Expr scale(const Expr& e, const Number& number) {
  if (number.is_zero()) return zero();
  if (number.is_one()) return e;
  if (e.is_number()) return Expr(e.number() * number);
  const SumView view(e);
  std::vector<Expr>& result = scratch();
  result.push_back(view.constant.is_zero() ? view.constant : Expr(view.constant.number() * number));
  for (std::size_t i = 0; i < view.pairs.size(); i += 2) {
    const Expr& coefficient = view.pairs[i + 1];
    result.push_back(view.pairs[i]);
    result.push_back(Expr(coefficient.is_one() ? number : coefficient.number() * number));
  }
  return finish(result);
}

int leading_sign(const Expr& e) {
  if (e.is_number()) return e.number().sign();
  return e.kind() == Kind::kSum ? e.node()->args()[2].number().sign() : 1;
}

Number content(const Expr& sum) {
  assert(sum.kind() == Kind::kSum);
  const int sign = leading_sign(sum);
  const Node& node = *sum.node();
  if (node.size == 3 && node.args()[0].is_zero())
    return node.args()[2].number();  // one term: nothing to round
  Number divisor = node.args()[0].number();
  for (std::uint32_t i = 0; i < node.size; i += 2) {  // the constant, then every coefficient
    const Number& c = node.args()[i].number();
    if (!c.is_exact()) return Number(sign);
    // A whole number keeps a divisor of 1; a fraction may still lower it: gcd(1, 5/2) is 1/2.
    if (i > 0 && !(divisor.is_one() && c.is_integer())) divisor = gcd(divisor, c);
  }
  return Number(sign) * divisor;
}

}  // namespace internal

namespace {

/// Sorts `pairs` of (term, coefficient), adds up like terms and drops what cancels.
Expr collect(const Expr& constant, std::vector<std::pair<Expr, Expr>>* pairs) {
  std::sort(pairs->begin(), pairs->end(),
            [](const auto& a, const auto& b) { return canonical_less(a.first, b.first); });
  std::vector<Expr>& result = scratch();
  result.push_back(constant);
  for (std::size_t i = 0; i < pairs->size();) {
    const Expr term = (*pairs)[i].first;
    Expr coefficient = (*pairs)[i].second;
    for (++i; i < pairs->size() && (*pairs)[i].first == term; ++i)
      coefficient = add_numbers(coefficient, (*pairs)[i].second);
    if (!coefficient.is_zero()) result.insert(result.end(), {term, coefficient});
  }
  return finish(result);
}

}  // namespace

Expr sum(std::span<const Expr> summands) {
  if (summands.size() == 1) return summands[0];
  if (summands.size() == 2) return summands[0] + summands[1];
  std::vector<std::pair<Expr, Expr>> pairs;
  pairs.reserve(summands.size());
  Expr constant = internal::zero();
  for (const Expr& e : summands) {
    const SumView view(e);
    constant = add_numbers(constant, view.constant);
    for (std::size_t i = 0; i < view.pairs.size(); i += 2)
      pairs.emplace_back(view.pairs[i], view.pairs[i + 1]);
  }
  return collect(constant, &pairs);
}

Expr linear_combination(const Number& constant, std::span<const Term> terms) {
  std::vector<std::pair<Expr, Expr>> pairs;
  pairs.reserve(terms.size());
  Expr total(constant);
  for (const auto& [term, coefficient] : terms) {
    if (coefficient.is_zero()) continue;
    const SumView view(term);
    if (!view.constant.is_zero())
      total = add_numbers(total, Expr(view.constant.number() * coefficient));
    for (std::size_t i = 0; i < view.pairs.size(); i += 2) {
      const Expr& inner = view.pairs[i + 1];
      pairs.emplace_back(view.pairs[i],
                         Expr(inner.is_one() ? coefficient : inner.number() * coefficient));
    }
  }
  return collect(total, &pairs);
}

Expr& Expr::operator+=(const Expr& b) { return *this = *this + b; }
Expr& Expr::operator-=(const Expr& b) { return *this = *this - b; }

}  // namespace camber::symbolic
