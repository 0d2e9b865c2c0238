#include "camber/symbolic/expand.h"

#include <array>
#include <vector>

#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/rewrite.h"

namespace camber::symbolic {

namespace {

using internal::Inside;

bool is_whole_positive(const Expr& exponent) {
  return exponent.is_number() && exponent.number().is_integer() && exponent.number().sign() > 0;
}

/// A product whose factors are multiplied out already.
Expr expand_product(const Expr& e, const ExpandOptions& options) {
  std::vector<Expr> atoms;
  std::vector<Factor> sums;
  for (const Factor& f : e.factors()) {
    if (f.base.kind() == Kind::kSum && is_whole_positive(f.exponent)) {
      sums.push_back(f);
    } else {
      atoms.push_back(pow(f.base, f.exponent));
    }
  }
  if (sums.empty()) {
    return e;
  }
  Polynomial result(options.max_terms);
  result.add(product(atoms), Number(1));
  for (const Factor& f : sums) {
    if (!f.exponent.number().fits_int64()) {
      throw ExpansionLimitError("expand: exponent " + f.exponent.number().to_string());
    }
    Polynomial base(options.max_terms);
    base.add(f.base, Number(1));
    result = result.times(base.power(f.exponent.number().as_int64()));
  }
  return result.to_expr();
}

/// e, whose children are multiplied out. Rebuilding a product may have taken a number out of a
/// factor, (2*x + 2*y)*z = 2*(x + y)*z, so the terms of a sum are expanded again.
Expr expand_node(const Expr& e, const ExpandOptions& options) {
  if (e.kind() == Kind::kProduct) {
    return expand_product(e, options);
  }
  if (e.kind() != Kind::kSum) {
    return e;
  }
  std::vector<Term> terms;
  bool changed = false;
  for (const Term& t : e.terms()) {
    const Expr expanded =
        t.term.kind() == Kind::kProduct ? expand_product(t.term, options) : t.term;
    changed = changed || expanded != t.term;
    terms.push_back({expanded, t.coefficient});
  }
  return changed ? linear_combination(e.constant(), terms) : e;
}

}  // namespace

Expr expand(const Expr& e, const ExpandOptions& options) {
  internal::BottomUpRewriter rewrite(
      [&options](const Expr& node) { return expand_node(node, options); },
      options.inside_functions ? Inside::kEverything : Inside::kSumsAndProducts);
  return rewrite(e);
}

Expr collect(const Expr& e, std::span<const Expr> xs, const ExpandOptions& options) {
  std::vector<Expr> summands;
  for (const MonomialCoefficient& c :
       collect_coefficients(e, xs, Otherwise::kKeep, options.max_terms)) {
    summands.push_back(c.monomial * c.coefficient);
  }
  return sum(summands);
}

}  // namespace camber::symbolic
