#include "camber/lagrange/first_order.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "camber/core/require.h"
#include "camber/lagrange/linearize.h"

namespace camber::lagrange {
namespace {

/// The lowest and the highest derivative of a variable that occur.
struct Orders {
  int lowest = -1;
  int highest = -1;
};

using Names = std::unordered_set<std::string>;

/// psi, 2 -> psiddot, followed by a '_' if the name is taken.
Expr name_derivative(const Expr& x, int order, Names* taken) {
  std::string name(x.name());
  name += std::string(order - 1, 'd') + "dot";
  while (!taken->insert(name).second) name += '_';
  return symbolic::variable(name);
}

Orders find_orders(const Expr& x, std::span<const Expr> in_equations,
                   std::span<const Expr> in_used) {
  Orders orders;
  for (const Expr& leaf : in_equations) {
    if (leaf.name() != x.name()) continue;
    orders.lowest = orders.lowest < 0 ? leaf.order() : std::min(orders.lowest, leaf.order());
    orders.highest = std::max(orders.highest, leaf.order());
  }
  require(orders.lowest >= 0, "first_order: no equation has ", x, " or a derivative of it");
  for (const Expr& leaf : in_used) {
    if (leaf.name() == x.name()) orders.lowest = std::min(orders.lowest, leaf.order());
  }
  return orders;
}

}  // namespace

FirstOrder first_order(std::span<const Expr> equations, std::span<const Expr> variables,
                       std::span<const Expr> used) {
  const std::vector<Expr> in_equations = variables_of(equations);
  const std::vector<Expr> in_used = variables_of(used);
  Names taken;
  for (const Expr& leaf : in_equations) taken.emplace(leaf.name());
  for (const Expr& leaf : in_used) taken.emplace(leaf.name());

  FirstOrder result;
  std::vector<std::vector<Expr>> by_order;  // states, 0 undifferentiated
  std::vector<Expr> definitions;
  for (const Expr& x : variables) {
    require(x.kind() == symbolic::Kind::kVariable && x.order() == 0,
            "first_order: needs variables of time, got ", x);
    const Orders orders = find_orders(x, in_equations, in_used);
    const int last = std::max(orders.lowest, orders.highest - 1);
    Expr below;
    for (int order = orders.lowest; order <= last; ++order) {
      const Expr state = order == 0 ? x : name_derivative(x, order, &taken);
      if (order > 0) result.renamed.emplace(symbolic::variable(x.name(), order), state);
      if (order > orders.lowest) definitions.push_back(state - symbolic::variable(below.name(), 1));
      by_order.resize(std::max<std::size_t>(by_order.size(), order + 1));
      by_order[order].push_back(state);
      below = state;
    }
    if (orders.highest > last) {
      result.renamed.emplace(symbolic::variable(x.name(), orders.highest),
                             symbolic::variable(below.name(), 1));
    }
  }
  for (const auto& states : by_order) {
    result.states.insert(result.states.end(), states.begin(), states.end());
  }
  result.equations = symbolic::substitute(equations, result.renamed);
  result.equations.insert(result.equations.end(), definitions.begin(), definitions.end());
  return result;
}

}  // namespace camber::lagrange
