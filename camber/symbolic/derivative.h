#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/leaf_selection.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic {

/// A leaf and the derivative it starts with.
struct Seed {
  Expr leaf;
  Expr derivative;
};

/// One derivation D: linear, with the product and chain rule, and D(leaf) as seeded; all other
/// leaves are constant. d/dx is the seed {x, 1}; a derivative along a direction has one seed per
/// leaf.
///
/// Results are cached, so expressions that share parts are differentiated at the cost of their
/// distinct nodes. A sub-expression without a seeded leaf is never visited. Not thread-safe.
class Differentiator {
 public:
  /// d/dx.
  explicit Differentiator(const Expr& x);
  explicit Differentiator(std::span<const Seed> seeds);
  /// d/dt: q -> q', q' -> q'', ... for every variable, and 1 for `t` when time is also an explicit
  /// symbol.
  static Differentiator by_time();
  static Differentiator by_time(const Expr& t);

  Expr operator()(const Expr& e);

  /// How many partials (derivative of a node by one of its children) went into results so far. None
  /// of them belongs to a child that is free of seeded leaves; tests use the number to bound the
  /// work.
  std::size_t partials_computed() const { return partials_computed_; }

 private:
  enum class Mode { kLeaf, kTime, kSeeds };
  explicit Differentiator(Mode mode) : mode_(mode) {}

  bool is_constant(const Expr& e) const;
  Expr leaf_derivative(const Expr& leaf) const;
  Expr of_child(const Expr& e) const;
  Expr derive(const Expr& e);
  Expr derive_sum(const Expr& e);
  Expr derive_product(const Expr& e);
  Expr derive_function(const Expr& e);
  void count_partials(std::span<const Expr> children_used);

  Mode mode_;
  Expr x_;                               // kLeaf: d/d x_; kTime: the explicit time, or 0
  internal::LeafSelection<Expr> seeds_;  // kSeeds
  internal::NodeMap<Expr> memo_;
  std::vector<Expr> stack_, factors_;  // scratch
  std::vector<Term> terms_;
  std::size_t partials_computed_ = 0;
};

/// de/dx, x a symbol or a variable; q, q' and q'' are independent of each other here.
Expr diff(const Expr& e, const Expr& x);
/// The n-th derivative, n >= 0.
Expr diff(const Expr& e, const Expr& x, int n);
/// de/dt with q -> q', q' -> q'', ... Symbols are constant.
Expr time_derivative(const Expr& e);
/// de/dt if the symbol `t` occurs explicitly: dt/dt = 1.
Expr time_derivative(const Expr& e, const Expr& t);
/// sum of de/d(leaves[i]) * directions[i].
Expr directional_derivative(const Expr& e, std::span<const Expr> leaves,
                            std::span<const Expr> directions);

/// All de/d(xs[i]) at once by reverse accumulation: the operations of all of them together are a
/// small multiple of e's own, however many xs. One x is differentiated forward.
std::vector<Expr> gradient(const Expr& e, std::span<const Expr> xs);

/// A matrix entry that is not identically zero.
struct Entry {
  int row = 0;
  int col = 0;
  Expr value;
};
/// d(es[row])/d(xs[col]), by rows, then columns; entries without dependency are never computed, and
/// those that cancel to zero are left out.
std::vector<Entry> jacobian(std::span<const Expr> es, std::span<const Expr> xs);
/// The dense Jacobian, es.size() rows of xs.size() entries.
std::vector<std::vector<Expr>> dense_jacobian(std::span<const Expr> es, std::span<const Expr> xs);

/// (d2e/dx2) v without the matrix: the derivative of the gradient along v.
std::vector<Expr> hessian_vector(const Expr& e, std::span<const Expr> xs, std::span<const Expr> v);
/// Both triangles; the lower one is computed and mirrored.
std::vector<Entry> hessian(const Expr& e, std::span<const Expr> xs);

/// Which variables each quantity depends on, found once and used for all partial derivatives
/// (docs/theory/symbolic.md): theta[i] lists the variables that occur in es[i], omega[i] their
/// places in xs, increasing, and users[j] the quantities in which xs[j] occurs.
struct DependencyLists {
  DependencyLists(std::span<const Expr> es, std::span<const Expr> xs);
  std::size_t entries() const;  // all lists' lengths together: the partials that can be nonzero

  std::vector<std::vector<Expr>> theta;
  std::vector<std::vector<int>> omega;
  std::vector<std::vector<int>> users;
};

}  // namespace camber::symbolic
