// [Lot & Da Lio 2004] section 3.3 prints Maple's codegen[cost]; count.h lists which operation
// counts as what.

#include "camber/symbolic/count.h"

#include <bit>
#include <limits>

#include "camber/core/require.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic {

namespace {

std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum < a ? std::numeric_limits<std::uint64_t>::max() : sum;
}

bool is_sign(const Number& coefficient) { return abs(coefficient).is_one(); }

/// Multiplications of repeated squaring, n >= 1.
std::uint64_t squaring_multiplications(std::uint64_t n) {
  return static_cast<std::uint64_t>(std::bit_width(n) + std::popcount(n) - 2);
}

/// |exponent| applied to a base, without the base's own cost.
OperationCount count_power(const Number& exponent) {
  OperationCount count;
  const Number twice = abs(exponent + exponent);
  if (!twice.fits_int64()) {
    count.functions = 1;
    return count;
  }
  const auto halves = static_cast<std::uint64_t>(twice.as_int64());
  const std::uint64_t whole = halves / 2;
  if (whole > 0) {
    count.multiplications = squaring_multiplications(whole);
  }
  if (halves % 2 == 1) {
    count.functions = 1;
    count.multiplications += whole > 0 ? 1 : 0;
  }
  return count;
}

bool is_below_the_line(const Factor& f) {
  return f.exponent.is_number() && f.exponent.number().sign() < 0;
}

bool has_numerator(const Expr& term) {
  if (term.kind() != Kind::kProduct) {
    return true;
  }
  for (const Factor& f : term.factors()) {
    if (!is_below_the_line(f)) {
      return true;
    }
  }
  return false;
}

OperationCount count_sum(const Expr& e) {
  OperationCount count;
  const std::uint64_t summands = e.terms().size() + (e.constant().is_zero() ? 0 : 1);
  count.additions = summands - 1;
  for (const Term& t : e.terms()) {
    // A coefficient over a bare denominator replaces the 1 of 1/x.
    if (!is_sign(t.coefficient) && has_numerator(t.term)) {
      ++count.multiplications;
    }
  }
  return count;
}

OperationCount count_product(const Expr& e) {
  OperationCount count;
  std::uint64_t above = 0;
  std::uint64_t below = 0;
  for (const Factor& f : e.factors()) {
    ++(is_below_the_line(f) ? below : above);
    if (f.exponent.is_number()) {
      count += count_power(f.exponent.number());
    } else {
      ++count.functions;
    }
  }
  count.multiplications += (above > 0 ? above - 1 : 0) + (below > 0 ? below - 1 : 0);
  count.divisions = below > 0 ? 1 : 0;
  return count;
}

/// The operations of this node alone, its children given.
OperationCount count_node(const Expr& e, const CountOptions& options) {
  OperationCount count;
  switch (e.kind()) {
    case Kind::kNumber:
    case Kind::kSymbol:
    case Kind::kNamed:
    case Kind::kTrue:
    case Kind::kFalse:
      break;
    case Kind::kVariable:
      count.functions =
          options.variables_are_functions ? 1 + static_cast<std::uint64_t>(e.order()) : 0;
      break;
    case Kind::kSum:
      return count_sum(e);
    case Kind::kProduct:
      return count_product(e);
    case Kind::kAnd:
    case Kind::kOr:
      count.functions = e.arguments().size() - 1;
      break;
    default:
      count.functions = 1;
  }
  return count;
}

void append_part(std::uint64_t n, std::string_view what, std::string* text) {
  if (n > 0) {
    *text += concat(text->empty() ? "" : " + ", n, " ", what, n == 1 ? "" : "s");
  }
}

}  // namespace

OperationCount& OperationCount::operator+=(const OperationCount& b) {
  additions = add_saturating(additions, b.additions);
  multiplications = add_saturating(multiplications, b.multiplications);
  divisions = add_saturating(divisions, b.divisions);
  functions = add_saturating(functions, b.functions);
  return *this;
}

std::uint64_t OperationCount::total() const {
  return add_saturating(add_saturating(additions, multiplications),
                        add_saturating(divisions, functions));
}

std::string OperationCount::to_string() const {
  std::string text;
  append_part(additions, "addition", &text);
  append_part(functions, "function", &text);
  append_part(multiplications, "multiplication", &text);
  append_part(divisions, "division", &text);
  return text.empty() ? "0 operations" : text;
}

const OperationCount& OperationCounter::operator()(const Expr& e) {
  internal::post_order(
      e, &stack_, [this](const Expr& node) { return counts_.contains(node); },
      [](const Expr& node, const auto& f) { internal::for_each_child(node, f); },
      [this](const Expr& node) {
        OperationCount count = count_node(node, options_);
        internal::for_each_child(node, [&](const Expr& child) { count += counts_.at(child); });
        counts_.insert(node, count);
      });
  return counts_.at(e);
}

OperationCount count_operations(std::span<const Expr> es, const CountOptions& options) {
  OperationCounter count(options);
  OperationCount total;
  for (const Expr& e : es) {
    total += count(e);
  }
  return total;
}

OperationCount count_operations(const Expr& e, const CountOptions& options) {
  return count_operations(std::span(&e, 1), options);
}

OperationCount count_shared_operations(std::span<const Expr> es, const CountOptions& options) {
  OperationCount total;
  internal::for_each_node(es, [&](const Expr& e) { total += count_node(e, options); });
  return total;
}

OperationCount count_shared_operations(const Expr& e, const CountOptions& options) {
  return count_shared_operations(std::span(&e, 1), options);
}

}  // namespace camber::symbolic
