#include "camber/symbolic/sharing.h"

#include <set>

#include "camber/symbolic/traverse.h"

namespace camber::symbolic {

namespace {

using internal::NodeMap;

/// Nodes below the expressions, children first, with the number of places each is used in.
struct Uses {
  std::vector<Expr> order;
  NodeMap<int> count;
};

Uses find_uses(std::span<const Expr> es) {
  Uses uses;
  const auto use = [&](const Expr& e) {
    uses.count.insert(e, 0);
    ++*uses.count.find(e);
  };
  internal::for_each_node(es, [&](const Expr& node) {
    uses.order.push_back(node);
    internal::for_each_child(node, use);
  });
  for (const Expr& e : es) use(e);
  return uses;
}

bool is_worth_a_name(const Expr& e) {
  if (e.is_number() || e.is_leaf() || is_condition(e.kind())) return false;
  // -x is as short as a name.
  return !(e.kind() == Kind::kSum && e.terms().size() == 1 && e.constant().is_zero() &&
           e.terms()[0].coefficient == Number(-1));
}

}  // namespace

SharedForm share(std::span<const Expr> es, std::string_view prefix) {
  const Uses uses = find_uses(es);
  std::set<std::string, std::less<>> taken;
  for (const Expr& e : es) {
    for (const Expr& leaf : e.leaves()) taken.insert(std::string(leaf.name()));
  }
  SharedForm form;
  int number = 0;
  const auto next_name = [&] {
    std::string name;
    do {
      name = std::string(prefix) + std::to_string(++number);
    } while (taken.contains(name));
    return name;
  };
  NodeMap<Expr> rewritten;
  for (const Expr& node : uses.order) {
    Expr value = map_children(node, [&](const Expr& child) { return rewritten.at(child); });
    if (node.kind() == Kind::kNamed) {
      form.definitions.push_back({std::string(node.name()), value.definition()});
    } else if (uses.count.at(node) > 1 && is_worth_a_name(value)) {
      const std::string name = next_name();
      form.definitions.push_back({name, value});
      value = named(name, value);
    }
    rewritten.insert(node, value);
  }
  for (const Expr& e : es) form.results.push_back(rewritten.at(e));
  return form;
}

}  // namespace camber::symbolic
