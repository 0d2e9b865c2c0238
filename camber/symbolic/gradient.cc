// Reverse accumulation, [Griewank & Walther 2008] section 3.2: the adjoint of a node is the
// derivative of e by it, and each node passes to its children
//   adjoint(child) += adjoint(node) * d(node)/d(child)
// parents before children. A node in one branch of a select gets select(condition, adjoint, 0), and
// products are taken under such guards (partials.h): a branch that is not taken need not have a
// value. Only nodes above a requested leaf take part. Flat products differ from the book's binary
// ones: a product of k active factors passes on k cofactors of k - 1 factors each, which common
// sub-expressions shorten again; k is small in practice.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "camber/core/require.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/leaf_selection.h"
#include "camber/symbolic/partials.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic {

namespace {

using internal::append_cofactor;
using internal::for_each_smooth_argument;
using internal::function_partial;
using internal::product_under_guards;
using internal::takes_first;

/// One sweep from e down to the requested leaves.
class ReverseSweep {
 public:
  explicit ReverseSweep(const internal::LeafSelection<int>& wanted) : wanted_(&wanted) {}

  /// Calls result(column, derivative) for each requested leaf in e.
  template <class Result>
  void run(const Expr& e, const Result& result) {
    sort_nodes(e);
    pass(e, Expr(1), Number(1));
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
      const Expr adjoint = take_adjoint(*node);
      if (adjoint.is_zero()) {
        continue;
      }
      if (node->is_leaf()) {
        result(*wanted_->find(*node), adjoint);
      } else {
        pass_to_children(*node, adjoint);
      }
    }
  }

 private:
  struct Share {  // one parent's part of an adjoint, in a list per node
    Term term;
    int next;
  };

  template <class F>
  void for_each_active_child(const Expr& e, const F& f) const {
    const auto if_active = [&](const Expr& child) {
      if (wanted_->occurs_in(child)) {
        f(child);
      }
    };
    if (is_elementary_function(e.kind()) || e.kind() == Kind::kCall) {
      for_each_smooth_argument(
          e, [&](int i) { if_active(e.arguments()[static_cast<std::size_t>(i)]); });
    } else {
      internal::for_each_child(e, if_active);
    }
  }

  /// Children first, so that from the back each node comes after all its parents.
  void sort_nodes(const Expr& e) {
    std::vector<Expr> stack;
    internal::post_order(
        e, &stack, [&](const Expr& node) { return first_share_.contains(node); },
        [&](const Expr& node, const auto& f) { for_each_active_child(node, f); },
        [&](const Expr& node) {
          first_share_.insert(node, -1);
          nodes_.push_back(node);
        });
  }

  void pass(const Expr& child, const Expr& share, const Number& coefficient) {
    int& first = *first_share_.find(child);
    shares_.push_back({{share, coefficient}, first});
    first = static_cast<int>(shares_.size()) - 1;
  }

  Expr take_adjoint(const Expr& node) {
    terms_.clear();
    for (int i = first_share_.at(node); i >= 0; i = shares_[static_cast<std::size_t>(i)].next) {
      terms_.push_back(shares_[static_cast<std::size_t>(i)].term);
    }
    return internal::sum_by_condition(&terms_);
  }

  void pass_to_children(const Expr& e, const Expr& adjoint) {
    switch (e.kind()) {
      case Kind::kNamed:
        pass(e.definition(), adjoint, Number(1));
        break;
      case Kind::kSum:
        for (const Term& t : e.terms()) {
          if (wanted_->occurs_in(t.term)) {
            pass(t.term, adjoint, t.coefficient);
          }
        }
        break;
      case Kind::kProduct:
        pass_to_factors(e, adjoint);
        break;
      default:
        pass_to_arguments(e, adjoint);
    }
  }

  void pass_to_factors(const Expr& e, const Expr& adjoint) {
    std::size_t i = 0;
    for (const Factor& f : e.factors()) {
      if (wanted_->occurs_in(f.base)) {
        factors_.assign(1, adjoint);
        if (f.exponent.is_number()) {
          append_cofactor(e, i, &factors_);
          pass(f.base, product_under_guards(factors_), f.exponent.number());
        } else {
          factors_.insert(factors_.end(), {f.exponent, e, pow(f.base, -1)});
          pass(f.base, product_under_guards(factors_), Number(1));
        }
      }
      if (wanted_->occurs_in(f.exponent)) {
        factors_.assign({adjoint, log(f.base), e});
        pass(f.exponent, product_under_guards(factors_), Number(1));
      }
      ++i;
    }
  }

  void pass_to_arguments(const Expr& e, const Expr& adjoint) {
    const std::span<const Expr> args = e.arguments();
    for_each_smooth_argument(e, [&](int i) {
      const Expr& u = args[static_cast<std::size_t>(i)];
      if (wanted_->occurs_in(u)) {
        pass(u, argument_share(e, i, adjoint), Number(1));
      }
    });
  }

  static Expr argument_share(const Expr& e, int i, const Expr& adjoint) {
    switch (e.kind()) {
      case Kind::kMin:
      case Kind::kMax:
        return i == 0 ? select(takes_first(e), adjoint, 0) : select(takes_first(e), 0, adjoint);
      case Kind::kSelect: {
        const Condition condition(e.arguments()[0]);
        return i == 1 ? select(condition, adjoint, 0) : select(condition, 0, adjoint);
      }
      default:
        return product_under_guards(std::array{adjoint, function_partial(e, i)});
    }
  }

  const internal::LeafSelection<int>* wanted_;
  std::vector<Expr> nodes_;
  internal::NodeMap<int> first_share_;
  std::vector<Share> shares_;
  std::vector<Term> terms_;
  std::vector<Expr> factors_;
};

internal::LeafSelection<int> columns_of(std::span<const Expr> xs, std::string_view where) {
  internal::LeafSelection<int> columns;
  for (std::size_t j = 0; j < xs.size(); ++j) {
    require(xs[j].is_leaf(), where, ": needs symbols or variables to differentiate by, got ",
            xs[j]);
    require(columns.insert(xs[j], static_cast<int>(j)), where, ": ", xs[j], " occurs twice");
  }
  return columns;
}

/// Row by row in reverse; `columns` lists the requested derivatives.
std::vector<Entry> reverse_jacobian(std::span<const Expr> es,
                                    const internal::LeafSelection<int>& columns) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < es.size(); ++i) {
    if (columns.occurs_in(es[i])) {
      ReverseSweep(columns).run(es[i], [&](int col, const Expr& value) {
        entries.push_back({static_cast<int>(i), col, value});
      });
    }
  }
  return entries;
}

/// Column by column forward; rows share what they have in common.
std::vector<Entry> forward_jacobian(std::span<const Expr> es, std::span<const Expr> xs,
                                    const DependencyLists& lists) {
  std::vector<Entry> entries;
  for (std::size_t j = 0; j < xs.size(); ++j) {
    Differentiator by_x(xs[j]);
    for (const int i : lists.users[j]) {
      const Expr value = by_x(es[static_cast<std::size_t>(i)]);
      if (!value.is_zero()) {
        entries.push_back({i, static_cast<int>(j), value});
      }
    }
  }
  return entries;
}

void sort_by_rows(std::vector<Entry>* entries) {
  std::sort(entries->begin(), entries->end(), [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  });
}

}  // namespace

std::vector<Expr> gradient(const Expr& e, std::span<const Expr> xs) {
  const internal::LeafSelection<int> columns = columns_of(xs, "gradient");
  require(!is_condition(e.kind()), "gradient: a condition has no derivative: ", e);
  std::vector<Expr> result(xs.size(), Expr(0));
  if (xs.size() == 1) {
    result[0] = diff(e, xs[0]);
  } else if (columns.occurs_in(e)) {
    ReverseSweep(columns).run(
        e, [&](int col, const Expr& value) { result[static_cast<std::size_t>(col)] = value; });
  }
  return result;
}

std::vector<Entry> jacobian(std::span<const Expr> es, std::span<const Expr> xs) {
  const internal::LeafSelection<int> columns = columns_of(xs, "jacobian");
  for (const Expr& e : es) {
    require(!is_condition(e.kind()), "jacobian: a condition has no derivative: ", e);
  }
  // Forward sweeps share what the rows have in common, reverse sweeps what the columns have. For
  // the equations of motion of a chain of six joints (operations after common sub-expressions): 6 x
  // 6 by q forward 5225, reverse 7228; 6 x 18 by q, q', q'' 9303 and 9309; 1 x 12, the Lagrangian's
  // gradient, is twice as good in reverse.
  std::vector<Entry> entries = 3 * es.size() < xs.size()
                                   ? reverse_jacobian(es, columns)
                                   : forward_jacobian(es, xs, DependencyLists(es, xs));
  sort_by_rows(&entries);
  return entries;
}

std::vector<std::vector<Expr>> dense_jacobian(std::span<const Expr> es, std::span<const Expr> xs) {
  std::vector<std::vector<Expr>> rows(es.size(), std::vector<Expr>(xs.size(), Expr(0)));
  for (const Entry& entry : jacobian(es, xs)) {
    rows[static_cast<std::size_t>(entry.row)][static_cast<std::size_t>(entry.col)] = entry.value;
  }
  return rows;
}

std::vector<Expr> hessian_vector(const Expr& e, std::span<const Expr> xs, std::span<const Expr> v) {
  require(xs.size() == v.size(), "hessian_vector: ", xs.size(), " variables, but v has ", v.size(),
          " entries");
  std::vector<Seed> seeds;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    seeds.push_back({xs[i], v[i]});
  }
  Differentiator along_v(seeds);
  std::vector<Expr> result = gradient(e, xs);
  for (Expr& component : result) {
    component = along_v(component);
  }
  return result;
}

std::vector<Entry> hessian(const Expr& e, std::span<const Expr> xs) {
  const std::vector<Expr> g = gradient(e, xs);
  std::vector<Entry> entries;
  for (std::size_t j = 0; j < xs.size(); ++j) {
    Differentiator by_x(xs[j]);
    for (std::size_t i = j; i < xs.size(); ++i) {
      const Expr value = by_x(g[i]);
      if (value.is_zero()) {
        continue;
      }
      entries.push_back({static_cast<int>(i), static_cast<int>(j), value});
      if (i != j) {
        entries.push_back({static_cast<int>(j), static_cast<int>(i), value});
      }
    }
  }
  sort_by_rows(&entries);
  return entries;
}

}  // namespace camber::symbolic
