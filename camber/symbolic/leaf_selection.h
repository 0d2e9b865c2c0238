#pragma once

#include <cstdint>
#include <utility>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/pool.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic::internal {

/// Some leaves with a value each, and a quick answer to whether an expression contains any of them.
template <class Value>
class LeafSelection {
 public:
  bool insert(const Expr& leaf, Value value) {
    mask_ |= leaf.node()->leaves->mask;
    return values_.insert(leaf, std::move(value));
  }
  const Value* find(const Expr& leaf) const { return values_.find(leaf); }
  std::size_t size() const { return values_.size(); }

  bool occurs_in(const Expr& e) const {
    const LeafSet& set = *e.node()->leaves;
    if ((set.mask & mask_) == 0) {
      return false;
    }
    for (const Expr& leaf : set.leaves) {
      if (values_.contains(leaf)) {
        return true;
      }
    }
    return false;
  }

 private:
  NodeMap<Value> values_;
  std::uint64_t mask_ = 0;
};

}  // namespace camber::symbolic::internal
