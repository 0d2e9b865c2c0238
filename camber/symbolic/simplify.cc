// A search over few candidates instead of a system of rewrite rules: each rule alone is right but
// makes some expressions longer, so it is tried and counted. [Carette 2004] argues for length as
// the measure; ours is the operation count.

#include "camber/symbolic/simplify.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "camber/symbolic/count.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/factor.h"
#include "camber/symbolic/local_rules.h"
#include "camber/symbolic/rational.h"
#include "camber/symbolic/rewrite.h"
#include "camber/symbolic/traverse.h"
#include "camber/symbolic/trigonometry.h"

namespace camber::symbolic {

namespace {

using internal::BottomUpRewriter;

constexpr int kMaxRounds = 4;
constexpr std::size_t kMaxJoined =
    50;  // terms over one denominator; with more it is rarely shorter

std::size_t width(const Expr& e) {
  return 1 + (e.kind() == Kind::kSum       ? e.terms().size()
              : e.kind() == Kind::kProduct ? e.factors().size()
                                           : 0);
}

/// Multiplying out finds more, but takes apart what an expression shares with others.
enum class Expansion { kTried, kAvoided };

/// Finds shorter forms of expressions, one sub-expression at a time.
class Simplifier {
 public:
  Simplifier(const SimplifyOptions& options, Expansion expansion)
      : options_(options), expansion_(expansion), work_left_(options.max_work) {}

  Expr operator()(const Expr& e) {
    Expr best = e;
    for (int round = 0; round < kMaxRounds; ++round) {
      const Expr before = best;
      best = shorter(best, rewrite(best));
      best = shorter(best, rewrite_with_expanded_angles(best));
      best = shorter(best, rewrite_over_one_denominator(best));
      if (best == before) {
        break;
      }
    }
    return best;
  }

  std::uint64_t cost(const Expr& e) { return count_(e).total(); }

 private:
  Expr shorter(const Expr& a, const Expr& b) { return cost(b) < cost(a) ? b : a; }

  bool spend(std::size_t work) {
    const bool allowed = work <= work_left_;
    work_left_ = allowed ? work_left_ - work : 0;
    return allowed;
  }

  Expr rewrite(const Expr& e) {
    BottomUpRewriter rewriter([this](const Expr& node) { return shortest_form(node); });
    return rewriter(e);
  }

  Expr rewrite_with_expanded_angles(const Expr& e) {
    if (!spend_for_expansion(e)) {
      return e;
    }
    const Expr expanded = expand_angles(e);
    return expanded == e ? e : rewrite(expanded);
  }

  /// Fractions inside factors, too, which join_fractions_in_sum() does not see: zero is found so.
  Expr rewrite_over_one_denominator(const Expr& e) {
    if (!has_fraction_of_sums(e) || !spend_for_expansion(e)) {
      return e;
    }
    if (is_proven_zero(e)) {
      return 0;
    }
    try {
      const RationalForm form = rational_form(e, options_.max_terms);
      return rewrite(form.numerator / form.denominator);
    } catch (const ExpansionLimitError&) {
      return e;
    }
  }

  /// Whether a sum beside or inside of which something is divided by a sum occurs.
  bool has_fraction_of_sums(const Expr& e) {
    if (e.kind() != Kind::kSum && e.kind() != Kind::kProduct) {
      return false;
    }
    bool found = false;
    std::vector<Expr> stack = {e};
    internal::NodeMap<bool> seen;
    while (!stack.empty() && !found) {
      const Expr x = stack.back();
      stack.pop_back();
      if (seen.contains(x) || (x.kind() != Kind::kSum && x.kind() != Kind::kProduct)) {
        continue;
      }
      seen.insert(x, true);
      if (x.kind() == Kind::kSum) {
        for (const Term& t : x.terms()) stack.push_back(t.term);
        continue;
      }
      for (const Factor& f : x.factors()) {
        found = found || (f.base.kind() == Kind::kSum && f.exponent.is_number() &&
                          f.exponent.number().is_integer() && f.exponent.number().sign() < 0);
        stack.push_back(f.base);
      }
    }
    return found;
  }

  /// Simplifies a node whose children have been simplified.
  Expr shortest_form(const Expr& e) {
    if (e.kind() == Kind::kExp) {
      return shorter(e, internal::release_logarithms_of_exponential(e));
    }
    if ((e.kind() != Kind::kSum && e.kind() != Kind::kProduct) || !spend(width(e))) {
      return e;
    }
    Expr best = shortest_by_rules(e);
    if (const std::optional<Expr> joined = try_join(e)) {
      best = shorter(best, shortest_by_rules(*joined));
    }
    const std::optional<Expr> expanded = try_expand(e);
    if (expanded) {
      best = shorter(best, shortest_by_rules(*expanded));
    }
    return shorter(best, shortest_without_squares(expanded.value_or(e)));
  }

  /// Of a sum that is multiplied out: the forms in which squares of sines, or of cosines, are
  /// eliminated. The sum itself if there are none.
  Expr shortest_without_squares(const Expr& e) {
    if (expansion_ == Expansion::kAvoided || e.kind() != Kind::kSum) {
      return e;
    }
    Expr best = e;
    for (const auto gone : {internal::Squares::kOfSines, internal::Squares::kOfCosines}) {
      try {
        const Expr form = internal::eliminate_squares_in_sum(e, gone, options_.max_terms);
        if (form != e && spend(width(form))) {
          best = shorter(best, shortest_by_rules(form));
        }
      } catch (const ExpansionLimitError&) {
      }
    }
    return best;
  }

  /// Applies every rule to the result of the rules before it; the result of a rule that may
  /// lengthen it is kept only if shorter.
  Expr shortest_by_rules(const Expr& e) {
    using namespace internal;
    Expr best = contract_quotients_in_product(e);
    best = shorter(e, cancel_in_product(best));
    best = shorter(best, divide_in_product(best));
    best = shorter(best, contract_exponentials_in_product(best));
    best = shorter(best, contract_absolutes_in_product(best));
    best = shorter(best, contract_logarithms_in_sum(best));
    const Expr start = best;
    const Expr reduced = reduce_squares_in_sum(start);
    for (const Expr& form : {reduced, contract_angles_in_sum(start),
                             contract_angles_in_sum(reduced), complete_squares_in_sum(reduced)}) {
      best = shorter(best, form);
      best = shorter(best, factor_sum(form));
    }
    return best;
  }

  bool spend_for_expansion(const Expr& e) {
    if (expansion_ == Expansion::kAvoided) {
      return false;
    }
    const std::uint64_t operations = cost(e);
    return operations <= options_.max_terms * 10 && spend(static_cast<std::size_t>(operations));
  }

  std::optional<Expr> try_expand(const Expr& e) {
    if (!spend_for_expansion(e)) {
      return std::nullopt;
    }
    try {
      const Expr expanded = expand(e, {.max_terms = options_.max_terms, .inside_functions = false});
      return expanded == e || !spend(width(expanded)) ? std::nullopt : std::optional(expanded);
    } catch (const ExpansionLimitError&) {
      return std::nullopt;
    }
  }

  std::optional<Expr> try_join(const Expr& e) {
    if (e.kind() != Kind::kSum || !spend_for_expansion(e)) {
      return std::nullopt;
    }
    try {
      const Expr joined = internal::join_fractions_in_sum(e, kMaxJoined);
      return joined == e ? std::nullopt : std::optional(joined);
    } catch (const ExpansionLimitError&) {
      return std::nullopt;
    }
  }

  SimplifyOptions options_;
  Expansion expansion_;
  std::size_t work_left_;
  OperationCounter count_;
};

/// An expression without a value anywhere, or with intermediate numbers too large for double, is
/// not changed.
Expr simplify_if_possible(const Expr& e, Simplifier* simplifier) {
  try {
    return (*simplifier)(e);
  } catch (const std::domain_error&) {  // 1/(sin(x)^2 + cos(x)^2 - 1)
    return e;
  } catch (const std::overflow_error&) {
    return e;
  }
}

/// Replaces `current` by shorter forms as long as the shared operation count of all expressions
/// does not grow. Returns true if all were replaced.
bool take_shorter_forms(Expansion expansion, const SimplifyOptions& options,
                        std::vector<Expr>* current) {
  Simplifier simplifier(options, expansion);
  std::vector<Expr> shorter = *current;
  for (Expr& e : shorter) {
    e = simplify_if_possible(e, &simplifier);
  }
  std::uint64_t shared = count_shared_operations(*current).total();
  if (count_shared_operations(shorter).total() <= shared) {
    *current = std::move(shorter);
    return true;
  }
  // Some expressions no longer share parts. Accept, one by one, those that do not raise the count.
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::swap((*current)[i], shorter[i]);
    const std::uint64_t with_this = count_shared_operations(*current).total();
    if (with_this <= shared) {
      shared = with_this;
    } else {
      std::swap((*current)[i], shorter[i]);
    }
  }
  return false;
}

}  // namespace

std::vector<Expr> simplify(std::span<const Expr> es, const SimplifyOptions& options) {
  std::vector<Expr> results(es.begin(), es.end());
  if (!options.multiply_out || !take_shorter_forms(Expansion::kTried, options, &results)) {
    take_shorter_forms(Expansion::kAvoided, options, &results);
  }
  return results;
}

Expr simplify(const Expr& e, const SimplifyOptions& options) {
  return simplify(std::span(&e, 1), options)[0];
}

}  // namespace camber::symbolic
