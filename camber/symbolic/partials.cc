#include "camber/symbolic/partials.h"

#include <algorithm>
#include <cassert>

#include "camber/symbolic/traverse.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic::internal {

namespace {

Expr call_partial(const Expr& e, int i) {
  std::vector<int> orders(e.derivative_orders().begin(), e.derivative_orders().end());
  orders.resize(e.arguments().size());
  ++orders[static_cast<std::size_t>(i)];
  return e.function().vanishes(orders) ? Expr(0) : call(e.function(), e.arguments(), orders);
}

Expr atan2_partial(const Expr& y, const Expr& x, int i) {
  const Expr inverse_square = pow(pow(x, 2) + pow(y, 2), -1);
  return i == 0 ? x * inverse_square : -(y * inverse_square);
}

bool is_guarded(const Expr& e) {
  return e.kind() == Kind::kSelect && (e.arguments()[1].is_zero() || e.arguments()[2].is_zero());
}

bool is_sum_of_guarded(const Expr& e) {
  if (e.kind() != Kind::kSum || !e.constant().is_zero()) {
    return false;
  }
  const Terms terms = e.terms();
  return std::all_of(terms.begin(), terms.end(), [](const Term& t) { return is_guarded(t.term); });
}

bool has_guards(const Expr& e) { return is_guarded(e) || is_sum_of_guarded(e); }

/// Removes the guards from e: where all of them hold, e equals the rest; elsewhere e is 0.
Condition take_guards(Expr* e) {
  Condition guards = true;
  while (is_guarded(*e)) {
    const std::span<const Expr> args = e->arguments();
    const Condition condition(args[0]);
    const bool is_zero_first = args[1].is_zero();
    guards = guards && (is_zero_first ? !condition : condition);
    *e = args[is_zero_first ? 2 : 1];
  }
  return guards;
}

/// The value of e where the condition holds (1) and where it does not (2).
const Expr& branch(const Expr& e, const Expr& condition, std::size_t which) {
  const bool is_chosen = e.kind() == Kind::kSelect && e.arguments()[0] == condition;
  return is_chosen ? e.arguments()[which] : e;
}

}  // namespace

Expr function_partial(const Expr& e, int i) {
  const Expr u = e.kind() == Kind::kCall ? Expr(0) : e.arguments()[0];
  switch (e.kind()) {
    case Kind::kExp:
      return e;
    case Kind::kLog:
      return pow(u, -1);
    case Kind::kSin:
      return cos(u);
    case Kind::kCos:
      return -sin(u);
    case Kind::kTan:  // not 1/cos^2: the tangent is there already
      return 1 + pow(e, 2);
    case Kind::kAsin:
      return pow(1 - pow(u, 2), Number(-1, 2));
    case Kind::kAcos:
      return -pow(1 - pow(u, 2), Number(-1, 2));
    case Kind::kAtan:
      return pow(1 + pow(u, 2), -1);
    case Kind::kSinh:
      return cosh(u);
    case Kind::kCosh:
      return sinh(u);
    case Kind::kTanh:
      return 1 - pow(e, 2);
    case Kind::kAbs:
      return sign(u);
    case Kind::kAtan2:
      return atan2_partial(u, e.arguments()[1], i);
    case Kind::kCall:
      return call_partial(e, i);
    default:
      assert(false && "function_partial: not a function with a partial derivative");
      return Expr(0);
  }
}

Condition takes_first(const Expr& min_or_max) {
  const Expr& a = min_or_max.arguments()[0];
  const Expr& b = min_or_max.arguments()[1];
  return min_or_max.kind() == Kind::kMin ? a <= b : b <= a;
}

void append_cofactor(const Expr& product, std::size_t i, std::vector<Expr>* factors) {
  std::size_t j = 0;
  for (const Factor& f : product.factors()) {
    if (j++ != i) {
      factors->push_back(f.exponent.is_one() ? f.base : pow(f.base, f.exponent));
    } else if (!f.exponent.is_one()) {
      factors->push_back(pow(f.base, f.exponent.number() - Number(1)));
    }
  }
}

// Nested guards and those of a sum become one, so that the next product finds it at once: moved
// into every branch of nested sums, a factor would be multiplied into the same branches
// exponentially often.
Expr product_under_guards(std::span<const Expr> factors) {
  const Expr& derivative = factors.front();
  if (!has_guards(derivative)) {
    return product(factors);
  }
  std::vector<Expr> parts(factors.begin(), factors.end());
  Expr& inside = parts.front();
  if (is_guarded(derivative)) {  // one guard stays as it is
    const std::span<const Expr> args = derivative.arguments();
    const std::size_t place = args[1].is_zero() ? 2 : 1;
    if (!has_guards(args[place])) {
      inside = args[place];
      const Expr value = product(parts);
      return select(Condition(args[0]), place == 1 ? value : 0, place == 2 ? value : 0);
    }
  }
  Condition guards = take_guards(&inside);
  if (is_sum_of_guarded(inside)) {
    Condition any = false;
    for (const Term& t : inside.terms()) {
      Expr term = t.term;
      any = any || take_guards(&term);
    }
    guards = guards && any;
  }
  return select(guards, product(parts), 0);
}

Expr sum_by_condition(std::vector<Term>* terms) {
  NodeMap<int> places;  // where the terms of a condition are gathered
  std::vector<Term>& all = *terms;
  std::size_t kept = 0;
  for (const Term& t : all) {
    if (t.term.kind() != Kind::kSelect ||
        places.insert(t.term.arguments()[0], static_cast<int>(kept))) {
      all[kept++] = t;
      continue;
    }
    const Expr& condition = t.term.arguments()[0];
    Term& gathered = all[static_cast<std::size_t>(places.at(condition))];
    const auto add_branches = [&](std::size_t i) {
      return gathered.coefficient * branch(gathered.term, condition, i) +
             t.coefficient * branch(t.term, condition, i);
    };
    gathered = {select(Condition(condition), add_branches(1), add_branches(2)), Number(1)};
  }
  all.resize(kept);
  return linear_combination(Number(0), all);
}

}  // namespace camber::symbolic::internal
