#include "camber/lagrange/simplify_coefficients.h"

#include <algorithm>
#include <unordered_map>

#include "camber/lagrange/linearize.h"
#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/linear_solve.h"
#include "camber/symbolic/simplify.h"
#include "camber/symbolic/trigonometry.h"

namespace camber::lagrange {
namespace {

/// A relation s = r, solved for the symbols in r.
struct TurnedRelation {
  Expr right;                      // r
  std::vector<Substitution> ways;  // x -> value, one for each x that r is linear in
};

/// Whether r has x, and only as a term's factor.
bool is_linear_in(const Expr& r, const Expr& x) {
  const Expr slope = symbolic::diff(r, x);
  return !slope.is_zero() && !slope.depends_on(x);
}

/// Sorted, as a Substitution has no order and a result must not depend on addresses.
std::vector<Expr> sorted_keys(const Substitution& relations) {
  std::vector<Expr> keys;
  for (const auto& [key, value] : relations) keys.push_back(key);
  std::sort(keys.begin(), keys.end(), symbolic::canonical_less);
  return keys;
}

std::vector<TurnedRelation> turn(const Substitution& relations) {
  std::vector<TurnedRelation> turned;
  for (const Expr& left : sorted_keys(relations)) {
    TurnedRelation relation{relations.at(left), {}};
    const Expr equation = left - relation.right;
    for (const Expr& x : relation.right.leaves()) {
      if (!is_linear_in(relation.right, x)) continue;
      const auto solution = symbolic::solve_linear(std::span(&equation, 1), std::span(&x, 1));
      relation.ways.push_back({{x, solution.values[0]}});
    }
    turned.push_back(std::move(relation));
  }
  return turned;
}

class CoefficientSimplifier {
 public:
  explicit CoefficientSimplifier(const Substitution& relations)
      : relations_(relations), turned_(turn(relations)) {}

  /// Matrices in mechanics are symmetric: half of their coefficients occur twice.
  Expr operator()(const Expr& coefficient) {
    if (coefficient.is_number() || coefficient.is_leaf()) {
      if (!relations_.contains(coefficient)) return coefficient;
    }
    const auto known = known_.find(coefficient);
    if (known != known_.end()) return known->second;
    const Expr result = shortest(normal_form(symbolic::substitute(coefficient, relations_)));
    known_.emplace(coefficient, result);
    return result;
  }

 private:
  Expr shortest(const Expr& expanded) {
    Expr best = symbolic::simplify(expanded);
    for (const TurnedRelation& relation : turned_) {
      const auto leaves = relation.right.leaves();
      if (!std::all_of(leaves.begin(), leaves.end(),
                       [&](const Expr& x) { return expanded.depends_on(x); })) {
        continue;
      }
      for (const Substitution& way : relation.ways) {
        const Expr candidate = symbolic::simplify(normal_form(symbolic::substitute(expanded, way)));
        if (count_(candidate).total() < count_(best).total()) best = candidate;
      }
    }
    return best;
  }

  const Substitution& relations_;
  std::vector<TurnedRelation> turned_;
  std::unordered_map<Expr, Expr> known_;
  symbolic::OperationCounter count_;
};

}  // namespace

Expr normal_form(const Expr& e) {
  if (e.is_number() || e.is_leaf()) return e;
  try {
    return symbolic::reduce_squares(symbolic::expand(e, {.max_terms = 1000}));
  } catch (const symbolic::ExpansionLimitError&) {
    return e;
  }
}

std::vector<Expr> simplify_coefficients(std::span<const Expr> expressions,
                                        const Substitution& relations) {
  CoefficientSimplifier simplified(relations);
  const std::vector<Expr> xs = variables_of(expressions);
  const symbolic::LinearForm form = symbolic::linear_coefficients(expressions, xs);
  std::vector<std::vector<Expr>> terms(expressions.size());
  for (const symbolic::Entry& entry : form.A) {
    terms[entry.row].push_back(simplified(entry.value) * xs[entry.col]);
  }
  std::vector<Expr> result;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    terms[i].push_back(simplified(form.b[i]));
    result.push_back(symbolic::sum(terms[i]));
  }
  return result;
}

}  // namespace camber::lagrange
