#include "camber/symbolic/substitute.h"

#include <algorithm>

#include "camber/core/require.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/leaf_selection.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic {

namespace {

class Substituter {
 public:
  Substituter(const Substitution& replacements, NamedQuantities named_quantities)
      : replacements_(&replacements), named_quantities_(named_quantities) {
    for (const auto& [key, value] : replacements) {
      require(is_condition(key.kind()) == is_condition(value.kind()),
              "substitute: a condition can only stand for a condition: ", key, " -> ", value);
      require(!key.is_number(), "substitute: cannot replace the number ", key);
      if (key.is_leaf()) {
        leaf_keys_.insert(key, 1);
      } else {
        only_leaf_keys_ = false;
      }
    }
  }

  Expr operator()(const Expr& root) {
    internal::post_order(
        root, &stack_, [this](const Expr& e) { return is_settled(e); },
        [this](const Expr& e, const auto& f) {
          if (e.kind() != Kind::kNamed || named_quantities_ != NamedQuantities::kKeep) {
            internal::for_each_child(e, f);
          }
        },
        [this](const Expr& e) { memo_.insert(e, rebuild(e)); });
    return result(root);
  }

 private:
  bool is_settled(const Expr& e) const {
    return replacements_->contains(e) || memo_.contains(e) || is_untouched(e);
  }

  bool is_untouched(const Expr& e) const {
    return e.is_number() || (only_leaf_keys_ && !leaf_keys_.occurs_in(e));
  }

  Expr result(const Expr& e) const {
    if (const auto found = replacements_->find(e); found != replacements_->end()) {
      return found->second;
    }
    const Expr* known = memo_.find(e);
    return known != nullptr ? *known : e;
  }

  Expr rebuild(const Expr& e) const {
    switch (e.kind()) {
      case Kind::kNamed:
        return rebuild_named(e);
      case Kind::kProduct:
        return rebuild_product(e);
      default:
        return map_children(e, [this](const Expr& child) { return result(child); });
    }
  }

  Expr rebuild_named(const Expr& e) const {
    if (named_quantities_ == NamedQuantities::kKeep) {
      return e;
    }
    const Expr definition = result(e.definition());
    if (definition == e.definition()) {
      return e;
    }
    return named_quantities_ == NamedQuantities::kRename ? named(e.name(), definition) : definition;
  }

  Expr rebuild_product(const Expr& e) const {
    std::vector<Expr> factors;
    for (const Factor& f : e.factors()) {
      const bool may_be_key = !only_leaf_keys_ && !f.exponent.is_one();
      const Expr power = may_be_key ? pow(f.base, f.exponent) : e;
      const auto found = may_be_key ? replacements_->find(power) : replacements_->end();
      factors.push_back(found != replacements_->end() ? found->second
                                                      : pow(result(f.base), result(f.exponent)));
    }
    return product(factors);
  }

  const Substitution* replacements_;
  NamedQuantities named_quantities_;
  bool only_leaf_keys_ = true;
  internal::LeafSelection<char> leaf_keys_;
  internal::NodeMap<Expr> memo_;
  std::vector<Expr> stack_;
};

/// Adds the derivatives of the motion's variables that occur in es.
Substitution with_derivatives(std::span<const Expr> es, const Substitution& motion,
                              Differentiator by_time) {
  // Lower derivatives first, so that q'' -> g given beside q -> f decides about q'''.
  std::vector<Expr> keys;
  for (const auto& [key, value] : motion) {
    require(key.kind() == Kind::kVariable, "substitute_motion: needs variables of time, got ", key);
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end(),
            [](const Expr& a, const Expr& b) { return a.order() < b.order(); });

  Substitution all = motion;
  for (const Expr& key : keys) {
    int highest = key.order();
    for (const Expr& e : es) {
      for (const Expr& leaf : e.leaves()) {
        if (leaf.kind() == Kind::kVariable && leaf.name() == key.name()) {
          highest = std::max(highest, leaf.order());
        }
      }
    }
    Expr value = motion.at(key);
    for (int order = key.order() + 1; order <= highest; ++order) {
      const Expr derivative = variable(key.name(), order);
      if (motion.contains(derivative)) {
        break;
      }
      value = by_time(value);
      all.insert_or_assign(derivative, value);
    }
  }
  return all;
}

}  // namespace

std::vector<Expr> substitute(std::span<const Expr> es, const Substitution& replacements,
                             NamedQuantities named_quantities) {
  Substituter substituter(replacements, named_quantities);
  std::vector<Expr> results;
  results.reserve(es.size());
  for (const Expr& e : es) {
    results.push_back(substituter(e));
  }
  return results;
}

Expr substitute(const Expr& e, const Substitution& replacements, NamedQuantities named_quantities) {
  return substitute(std::span(&e, 1), replacements, named_quantities)[0];
}

std::vector<Expr> substitute_motion(std::span<const Expr> es, const Substitution& motion) {
  return substitute(es, with_derivatives(es, motion, Differentiator::by_time()));
}

std::vector<Expr> substitute_motion(std::span<const Expr> es, const Substitution& motion,
                                    const Expr& t) {
  return substitute(es, with_derivatives(es, motion, Differentiator::by_time(t)));
}

}  // namespace camber::symbolic
