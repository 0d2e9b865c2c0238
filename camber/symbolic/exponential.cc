#include "camber/symbolic/exponential.h"

#include <utility>
#include <vector>

#include "camber/symbolic/local_rules.h"
#include "camber/symbolic/rewrite.h"

namespace camber::symbolic {

namespace {

/// Logarithms with coefficients c and -c, c that of the first; the latter's arguments go below the
/// line.
struct LogGroup {
  Number coefficient;
  std::vector<Expr> factors;
};

}  // namespace

namespace internal {

Expr contract_exponentials_in_product(const Expr& e) {
  if (e.kind() != Kind::kProduct) {
    return e;
  }
  std::vector<Expr> others;
  std::vector<Expr> exponents;
  bool has_power = false;
  for (const Factor& f : e.factors()) {
    if (f.base.kind() == Kind::kExp) {
      has_power |= !f.exponent.is_one();
      exponents.push_back(f.base.arguments()[0] * f.exponent);
    } else {
      others.push_back(pow(f.base, f.exponent));
    }
  }
  if (exponents.size() < 2 && !has_power) {
    return e;
  }
  others.push_back(exp(sum(exponents)));
  return product(others);
}

Expr contract_logarithms_in_sum(const Expr& e) {
  if (e.kind() != Kind::kSum) {
    return e;
  }
  std::vector<Term> others;
  std::vector<LogGroup> groups;
  for (const Term& t : e.terms()) {
    if (t.term.kind() != Kind::kLog) {
      others.push_back(t);
      continue;
    }
    auto group = groups.begin();
    while (group != groups.end() && !(abs(group->coefficient) == abs(t.coefficient))) {
      ++group;
    }
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {t.coefficient, {}});
    }
    const int sign = t.coefficient.sign() * group->coefficient.sign();
    group->factors.push_back(pow(t.term.arguments()[0], sign));
  }
  for (const LogGroup& group : groups) {
    others.push_back({log(product(group.factors)), group.coefficient});
  }
  return linear_combination(e.constant(), others);
}

}  // namespace internal

Expr contract_exponentials(const Expr& e) {
  return internal::BottomUpRewriter(internal::contract_exponentials_in_product)(e);
}

Expr contract_logarithms(const Expr& e) {
  return internal::BottomUpRewriter(internal::contract_logarithms_in_sum)(e);
}

}  // namespace camber::symbolic
