#pragma once

#include <utility>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic::internal {

enum class Inside { kEverything, kSumsAndProducts };  // the latter: functions are atoms

/// Applies `rule` to every node, children first: e becomes rule(e with its children rewritten).
/// Named quantities are atoms: their definitions are not rewritten. Results are cached.
template <class Rule>
class BottomUpRewriter {
 public:
  explicit BottomUpRewriter(Rule rule, Inside inside = Inside::kEverything)
      : rule_(std::move(rule)), inside_(inside) {}

  Expr operator()(const Expr& root) {
    post_order(
        root, &stack_, [this](const Expr& e) { return is_atom(e) || memo_.contains(e); },
        [](const Expr& e, const auto& f) { for_each_child(e, f); },
        [this](const Expr& e) {
          memo_.insert(e, rule_(map_children(e, [this](const Expr& child) { return get(child); })));
        });
    return get(root);
  }

 private:
  bool is_atom(const Expr& e) const {
    if (inside_ == Inside::kSumsAndProducts) {
      return e.kind() != Kind::kSum && e.kind() != Kind::kProduct;
    }
    return e.is_number() || e.is_leaf() || e.kind() == Kind::kNamed || e.kind() == Kind::kTrue ||
           e.kind() == Kind::kFalse;
  }
  Expr get(const Expr& e) const {
    const Expr* known = memo_.find(e);
    return known != nullptr ? *known : e;
  }

  Rule rule_;
  Inside inside_;
  NodeMap<Expr> memo_;
  std::vector<Expr> stack_;
};

}  // namespace camber::symbolic::internal
