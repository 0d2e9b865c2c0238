#include "camber/symbolic/exponential.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "camber/symbolic/local_rules.h"
#include "camber/symbolic/rewrite.h"

namespace camber::symbolic {

namespace {

/// Logarithms whose coefficients are `size` and -`size`: those added and those subtracted.
struct LogGroup {
  Number size;
  std::vector<Expr> added, subtracted;

  Term to_term() const {
    if (added.empty()) {
      return {log(product(subtracted)), -size};
    }
    return {log(product(added) / product(subtracted)), size};
  }
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

Expr release_logarithms_of_exponential(const Expr& e) {
  if (e.kind() != Kind::kExp || e.arguments()[0].kind() != Kind::kSum) {
    return e;
  }
  const Expr& exponent = e.arguments()[0];
  std::vector<Expr> factors;
  std::vector<Term> rest;
  for (const Term& t : exponent.terms()) {
    if (t.term.kind() == Kind::kLog) {
      factors.push_back(pow(t.term.arguments()[0], t.coefficient));
    } else {
      rest.push_back(t);
    }
  }
  factors.push_back(exp(linear_combination(exponent.constant(), rest)));
  return product(factors);
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
    const Number size = abs(t.coefficient);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const LogGroup& g) { return g.size == size; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {size, {}, {}});
    }
    (t.coefficient.sign() > 0 ? group->added : group->subtracted).push_back(t.term.arguments()[0]);
  }
  for (const LogGroup& group : groups) {
    others.push_back(group.to_term());
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
