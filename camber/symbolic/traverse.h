#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic::internal {

/// From expressions to values, keyed by identity: open addressing, one allocation, nothing is
/// erased. Its order depends on addresses, so it offers lookup but no iteration.
template <class Value>
class NodeMap {
 public:
  std::size_t size() const { return size_; }

  const Value* find(const Expr& key) const {
    if (slots_.empty()) {
      return nullptr;
    }
    for (std::size_t i = first_slot(key);; i = (i + 1) & mask_) {
      if (slots_[i].key == key.node()) {
        return &slots_[i].value;
      }
      if (slots_[i].key == nullptr) {
        return nullptr;
      }
    }
  }
  Value* find(const Expr& key) {
    return const_cast<Value*>(static_cast<const NodeMap*>(this)->find(key));
  }
  bool contains(const Expr& key) const { return find(key) != nullptr; }

  /// The value of an existing key.
  const Value& at(const Expr& key) const {
    const Value* value = find(key);
    assert(value != nullptr);
    return *value;
  }

  /// Inserts unless the key exists; returns false if it existed. A pointer from find() is valid
  /// until the next insertion.
  bool insert(const Expr& key, Value value) {
    if (2 * (size_ + 1) > slots_.size()) {
      grow();
    }
    std::size_t i = first_slot(key);
    for (; slots_[i].key != nullptr; i = (i + 1) & mask_) {
      if (slots_[i].key == key.node()) {
        return false;
      }
    }
    slots_[i].key = key.node();
    slots_[i].value = std::move(value);
    ++size_;
    return true;
  }

 private:
  struct Slot {
    const Node* key = nullptr;
    Value value{};
  };

  // Nodes are at least 16 bytes apart; the multiplier (2^64 / golden ratio) spreads the remaining
  // bits over the upper bits, of which as many as mask_ has are used.
  std::size_t first_slot(const Expr& key) const {
    const auto address = reinterpret_cast<std::uintptr_t>(key.node()) >> 4;
    return static_cast<std::size_t>((address * 0x9E3779B97F4A7C15u) >> 32) & mask_;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 32 : 2 * slots_.size());
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (Slot& slot : old) {
      if (slot.key != nullptr) {
        std::size_t i = first_slot(Expr(slot.key));
        while (slots_[i].key != nullptr) {
          i = (i + 1) & mask_;
        }
        slots_[i] = std::move(slot);
      }
    }
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
};

/// f(child) for each direct child, as children() lists them, without allocating.
template <class F>
void for_each_child(const Expr& e, const F& f) {
  switch (e.kind()) {
    case Kind::kNumber:
    case Kind::kSymbol:
    case Kind::kVariable:
    case Kind::kTrue:
    case Kind::kFalse:
      break;
    case Kind::kNamed:
      f(e.definition());
      break;
    case Kind::kSum:
      for (const Term& t : e.terms()) {
        f(t.term);
      }
      break;
    case Kind::kProduct:
      for (const Factor& factor : e.factors()) {
        f(factor.base);
        f(factor.exponent);
      }
      break;
    default:
      for (const Expr& argument : e.arguments()) {
        f(argument);
      }
  }
}

/// Children before parents, on a stack of its own: expressions may be deeper than the machine's
/// stack.
///   done(e)          whether e needs no (further) visit
///   each_child(e, f) calls f(child) for what must be done before e
///   visit(e)         called once per e; done(e) must hold afterwards
/// `stack` is scratch, so that many short traversals need no allocation each.
template <class Done, class EachChild, class Visit>
void post_order(const Expr& root, std::vector<Expr>* stack, const Done& done,
                const EachChild& each_child, const Visit& visit) {
  const std::size_t bottom = stack->size();
  stack->push_back(root);
  while (stack->size() > bottom) {
    const Expr e = stack->back();
    if (done(e)) {
      stack->pop_back();
      continue;
    }
    const std::size_t size = stack->size();
    each_child(e, [&](const Expr& child) {
      if (!done(child)) {
        stack->push_back(child);
      }
    });
    if (stack->size() == size) {
      stack->pop_back();
      visit(e);
    }
  }
}

/// visit(e) once for each node of the roots' graph, children first; inside named quantities too.
template <class Visit>
void for_each_node(std::span<const Expr> roots, const Visit& visit) {
  NodeMap<char> seen;
  std::vector<Expr> stack;
  for (const Expr& root : roots) {
    post_order(
        root, &stack, [&](const Expr& e) { return seen.contains(e); },
        [](const Expr& e, const auto& f) { for_each_child(e, f); },
        [&](const Expr& e) {
          seen.insert(e, 1);
          visit(e);
        });
  }
}

/// How many nodes the roots have together, each counted once.
inline std::size_t count_nodes(std::span<const Expr> roots) {
  std::size_t count = 0;
  for_each_node(roots, [&](const Expr&) { ++count; });
  return count;
}

}  // namespace camber::symbolic::internal
