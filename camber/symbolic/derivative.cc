// Forward accumulation: D is applied to each node once, after its children.
//   D(sum c_i t_i)     = sum c_i D(t_i)                                              (1)
//   D(prod b_i^n_i)    = sum n_i D(b_i) b_i^(n_i - 1) prod of the others             (2)
//   D(b^e)             = b^e (e D(b) / b + log(b) D(e)), e not a number              (3)
//   D(f(u_1, u_2,...)) = sum df/du_i D(u_i)                                          (4)
// Products are taken under guards (partials.h): D(sqrt(max(0, x))) is 0 where x < 0, not 0/0.
//
// Which nodes are visited follows [Turner, "Sparse Partial Derivative Calculations"]: every node
// knows the leaves it depends on (his list Upsilon), so a sum or product visits only the children
// whose partials do not vanish. Turner keeps these lists per body velocity, we per node.

#include "camber/symbolic/derivative.h"

#include <algorithm>
#include <array>

#include "camber/core/require.h"
#include "camber/symbolic/partials.h"

namespace camber::symbolic {

using internal::append_cofactor;
using internal::for_each_smooth_argument;
using internal::function_partial;
using internal::product_under_guards;
using internal::takes_first;

namespace {

void require_leaf(const Expr& x, std::string_view where) {
  require(x.is_leaf(), where, ": needs a symbol or a variable to differentiate by, got ", x);
}

}  // namespace

Differentiator::Differentiator(const Expr& x) : mode_(Mode::kLeaf), x_(x) {
  require_leaf(x, "Differentiator");
}

Differentiator::Differentiator(std::span<const Seed> seeds) : mode_(Mode::kSeeds) {
  for (const Seed& seed : seeds) {
    require_leaf(seed.leaf, "Differentiator");
    if (!seed.derivative.is_zero()) {
      require(seeds_.insert(seed.leaf, seed.derivative), "Differentiator: ", seed.leaf,
              " is seeded twice");
    }
  }
}

Differentiator Differentiator::by_time() { return Differentiator(Mode::kTime); }

Differentiator Differentiator::by_time(const Expr& t) {
  require(t.kind() == Kind::kSymbol, "Differentiator: time is a symbol, got ", t);
  Differentiator by_time(Mode::kTime);
  by_time.x_ = t;
  return by_time;
}

bool Differentiator::is_constant(const Expr& e) const {
  switch (mode_) {
    case Mode::kLeaf:
      return !e.depends_on(x_);
    case Mode::kTime:
      return !e.depends_on_time() && (x_.is_number() || !e.depends_on(x_));
    case Mode::kSeeds:
      return !seeds_.occurs_in(e);
  }
  return true;
}

Expr Differentiator::leaf_derivative(const Expr& leaf) const {
  switch (mode_) {
    case Mode::kLeaf:
      return Expr(1);
    case Mode::kTime:
      return leaf.kind() == Kind::kVariable ? variable(leaf.name(), leaf.order() + 1) : Expr(1);
    case Mode::kSeeds:
      return *seeds_.find(leaf);
  }
  return Expr(0);
}

/// D of a child; operator() has computed it before its parent.
Expr Differentiator::of_child(const Expr& e) const {
  const Expr* known = memo_.find(e);
  return known != nullptr ? *known : Expr(0);
}

Expr Differentiator::operator()(const Expr& e) {
  require(!is_condition(e.kind()), "Differentiator: a condition has no derivative: ", e);
  if (is_constant(e)) {
    return Expr(0);
  }
  const auto each_needed_child = [this](const Expr& parent, const auto& f) {
    const auto if_not_constant = [&](const Expr& child) {
      if (!is_constant(child)) {
        f(child);
      }
    };
    if (is_elementary_function(parent.kind()) || parent.kind() == Kind::kCall) {
      for_each_smooth_argument(
          parent, [&](int i) { if_not_constant(parent.arguments()[static_cast<std::size_t>(i)]); });
    } else {
      internal::for_each_child(parent, if_not_constant);
    }
  };
  internal::post_order(
      e, &stack_, [this](const Expr& node) { return memo_.contains(node); }, each_needed_child,
      [this](const Expr& node) { memo_.insert(node, derive(node)); });
  return memo_.at(e);
}

Expr Differentiator::derive(const Expr& e) {
  switch (e.kind()) {
    case Kind::kSymbol:
    case Kind::kVariable:
      return leaf_derivative(e);
    case Kind::kNamed:
      ++partials_computed_;
      return of_child(e.definition());
    case Kind::kSum:
      return derive_sum(e);
    case Kind::kProduct:
      return derive_product(e);
    default:
      return derive_function(e);
  }
}

Expr Differentiator::derive_sum(const Expr& e) {  // (1)
  terms_.clear();
  for (const Term& t : e.terms()) {
    const Expr dt = of_child(t.term);
    if (!dt.is_zero()) {
      terms_.push_back({dt, t.coefficient});
    }
  }
  partials_computed_ += terms_.size();
  return linear_combination(Number(0), terms_);
}

Expr Differentiator::derive_product(const Expr& e) {  // (2), (3)
  terms_.clear();
  std::size_t i = 0;
  for (const Factor& f : e.factors()) {
    const Expr db = of_child(f.base);
    if (!db.is_zero()) {
      factors_.assign(1, db);
      if (f.exponent.is_number()) {
        append_cofactor(e, i, &factors_);
        terms_.push_back({product_under_guards(factors_), f.exponent.number()});
      } else {
        factors_.insert(factors_.end(), {f.exponent, e, pow(f.base, -1)});
        terms_.push_back({product_under_guards(factors_), Number(1)});
      }
    }
    const Expr de = of_child(f.exponent);
    if (!de.is_zero()) {
      factors_.assign({de, log(f.base), e});
      terms_.push_back({product_under_guards(factors_), Number(1)});
    }
    ++i;
  }
  partials_computed_ += terms_.size();
  return linear_combination(Number(0), terms_);
}

void Differentiator::count_partials(std::span<const Expr> children_used) {
  for (const Expr& child : children_used) {
    partials_computed_ += of_child(child).is_zero() ? 0 : 1;
  }
}

Expr Differentiator::derive_function(const Expr& e) {  // (4)
  const std::span<const Expr> args = e.arguments();
  switch (e.kind()) {
    case Kind::kMin:
    case Kind::kMax:
      count_partials(args);
      return select(takes_first(e), of_child(args[0]), of_child(args[1]));
    case Kind::kSelect:
      count_partials(args.subspan(1));
      return select(Condition(args[0]), of_child(args[1]), of_child(args[2]));
    case Kind::kAtan2: {  // one division for both partials
      const Expr &y = args[0], &x = args[1];
      count_partials(args);
      const Expr numerator = product_under_guards(std::array{of_child(y), x}) -
                             product_under_guards(std::array{of_child(x), y});
      return product_under_guards(std::array{numerator, pow(pow(x, 2) + pow(y, 2), -1)});
    }
    default:
      break;
  }
  terms_.clear();
  for_each_smooth_argument(e, [&](int i) {
    const Expr du = of_child(args[static_cast<std::size_t>(i)]);
    if (!du.is_zero()) {
      terms_.push_back({product_under_guards(std::array{du, function_partial(e, i)}), Number(1)});
    }
  });
  partials_computed_ += terms_.size();
  return linear_combination(Number(0), terms_);
}

Expr diff(const Expr& e, const Expr& x) { return Differentiator(x)(e); }

Expr diff(const Expr& e, const Expr& x, int n) {
  require(n >= 0, "diff: order must be >= 0, got ", n);
  Differentiator by_x(x);
  Expr result = e;
  for (int i = 0; i < n && !result.is_zero(); ++i) {
    result = by_x(result);
  }
  return result;
}

Expr time_derivative(const Expr& e) { return Differentiator::by_time()(e); }

Expr time_derivative(const Expr& e, const Expr& t) { return Differentiator::by_time(t)(e); }

Expr directional_derivative(const Expr& e, std::span<const Expr> leaves,
                            std::span<const Expr> directions) {
  require(leaves.size() == directions.size(), "directional_derivative: ", leaves.size(),
          " leaves, but ", directions.size(), " directions");
  std::vector<Seed> seeds;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    seeds.push_back({leaves[i], directions[i]});
  }
  return Differentiator(seeds)(e);
}

DependencyLists::DependencyLists(std::span<const Expr> es, std::span<const Expr> xs)
    : theta(es.size()), omega(es.size()), users(xs.size()) {
  internal::NodeMap<int> place;
  for (std::size_t j = 0; j < xs.size(); ++j) {
    require_leaf(xs[j], "DependencyLists");
    require(place.insert(xs[j], static_cast<int>(j)), "DependencyLists: ", xs[j], " occurs twice");
  }
  for (std::size_t i = 0; i < es.size(); ++i) {
    for (const Expr& leaf : es[i].leaves()) {
      if (const int* j = place.find(leaf)) {
        omega[i].push_back(*j);
        users[static_cast<std::size_t>(*j)].push_back(static_cast<int>(i));
      }
    }
    std::sort(omega[i].begin(), omega[i].end());
    for (const int j : omega[i]) {
      theta[i].push_back(xs[static_cast<std::size_t>(j)]);
    }
  }
}

std::size_t DependencyLists::entries() const {
  std::size_t total = 0;
  for (const std::vector<int>& list : omega) {
    total += list.size();
  }
  return total;
}

}  // namespace camber::symbolic
