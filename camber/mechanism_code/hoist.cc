#include "camber/mechanism_code/hoist.h"

#include <algorithm>

namespace camber::mechanism_code {

using symbolic::Kind, symbolic::Number;

bool Hoister::is_early(const Expr& e) {
  const auto found = early_.find(e);
  if (found != early_.end()) return found->second;
  const auto leaves = e.leaves();
  const bool early =
      std::all_of(leaves.begin(), leaves.end(), [&](const Expr& leaf) { return is_early_(leaf); });
  early_.emplace(e, early);
  return early;
}

Expr Hoister::hoist(const Expr& early) {
  if (early.is_number() || (keeps_leaves_ && early.is_leaf())) return early;
  // A numeric factor and the sign stay outside if that lets two uses share one symbol.
  if (early.kind() == Kind::kSum && early.terms().size() == 1 && early.constant() == Number(0)) {
    const symbolic::Term term = early.terms()[0];
    if (term.coefficient == Number(-1)) return -hoist(term.term);
  }
  const auto [at, is_new] = places_.emplace(early, static_cast<int>(definitions_.size()));
  if (is_new) definitions_.push_back(early);
  return symbolic::symbol(prefix_ + std::to_string(at->second));
}

std::vector<Expr> Hoister::symbols() const {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < definitions_.size(); ++i)
    result.push_back(symbolic::symbol(prefix_ + std::to_string(i)));
  return result;
}

Expr Hoister::operator()(const Expr& e) { return rewrite(e); }

std::vector<Expr> Hoister::operator()(const std::vector<Expr>& es) {
  std::vector<Expr> result;
  for (const Expr& e : es) result.push_back(rewrite(e));
  return result;
}

Expr Hoister::rewrite(const Expr& e) {
  if (e.is_number()) return e;
  if (is_early(e)) return hoist(e);
  if (e.is_leaf()) return e;
  const auto found = done_.find(e);
  if (found != done_.end()) return found->second;
  Expr result;
  if (e.kind() == Kind::kSum) {
    result = rewrite_sum(e);
  } else if (e.kind() == Kind::kProduct) {
    result = rewrite_product(e, Number(1));
  } else {
    result = symbolic::map_children(e, [this](const Expr& child) { return rewrite(child); });
  }
  done_.emplace(e, result);
  return result;
}

Expr Hoister::rewrite_sum(const Expr& e) {
  std::vector<symbolic::Term> early;
  std::vector<Expr> summands;
  for (const symbolic::Term& term : e.terms()) {
    if (is_early(term.term)) {
      early.push_back(term);
    } else {
      summands.push_back(term.term.kind() == Kind::kProduct
                             ? rewrite_product(term.term, term.coefficient)
                             : Expr(term.coefficient) * rewrite(term.term));
    }
  }
  summands.push_back(early.empty() ? Expr(e.constant())
                                   : hoist(symbolic::linear_combination(e.constant(), early)));
  return symbolic::sum(summands);
}

Expr Hoister::rewrite_product(const Expr& e, const Number& coefficient) {
  std::vector<Expr> early, factors;
  for (const symbolic::Factor& factor : e.factors()) {
    const Expr power = symbolic::pow(factor.base, factor.exponent);
    if (is_early(power)) {
      early.push_back(power);
    } else {
      factors.push_back(symbolic::pow(rewrite(factor.base), factor.exponent));
    }
  }
  if (early.empty()) {
    factors.push_back(Expr(coefficient));
  } else if (coefficient == Number(-1)) {
    factors.push_back(-hoist(symbolic::product(early)));
  } else {
    early.push_back(Expr(coefficient));
    factors.push_back(hoist(symbolic::product(early)));
  }
  return symbolic::product(factors);
}

}  // namespace camber::mechanism_code
