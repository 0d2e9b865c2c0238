#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "camber/symbolic/expr.h"

// The nodes of Expr, and the only place where they are made. Not for use outside camber/symbolic.

namespace camber::symbolic::internal {

/// Which leaves occur in an expression: 003's list Y, made once per distinct set and shared by all
/// nodes with it.
struct LeafSet {
  std::span<const Expr> leaves;  // in canonical order
  std::uint64_t mask = 0;        // one bit per leaf's hash: a quick no
  bool has_variable = false;
  bool contains(const Node* leaf) const;
};

struct NameAndOrder {
  std::string_view name;
  int order = 0;
  friend bool operator==(const NameAndOrder&, const NameAndOrder&) = default;
};

struct CallTarget {
  const UserFunction* function = nullptr;
  std::span<const int> orders;
};

inline const NameAndOrder& name_and_order(const Node& node) {
  return *static_cast<const NameAndOrder*>(node.payload);
}
inline const CallTarget& call_target(const Node& node) {
  return *static_cast<const CallTarget*>(node.payload);
}

/// The unique node of this kind with these arguments, created if it does not exist. The arguments
/// must be canonical. Sum: constant, then term, coefficient, term, coefficient ...; product: base,
/// exponent, base, exponent ...
Expr intern(Kind kind, std::span<const Expr> arguments);
Expr intern_number(const Number& value);
Expr intern_name(Kind kind, std::string_view name, int order, std::span<const Expr> definition);
Expr intern_call(const UserFunction& function, std::span<const int> orders,
                 std::span<const Expr> arguments);

/// The numbers that every expression uses.
struct CommonNumbers {
  static constexpr std::int64_t kLargest = 16;
  const Node* whole[2 * kLargest + 1];
  const Node* operator[](std::int64_t i) const { return whole[i + kLargest]; }
};
const CommonNumbers& common_numbers();
inline Expr zero() { return Expr(common_numbers()[0]); }
inline Expr one() { return Expr(common_numbers()[1]); }

/// number * e.
Expr scale(const Expr& e, const Number& number);
/// -1 when a person would take a minus sign out of e: a negative number, or a sum that starts with
/// one.
int leading_sign(const Expr& e);
/// e = content * primitive part: what a product takes out of a sum. Exact coefficients give the
/// number that divides all of them; doubles only the sign, as dividing them would round, but a
/// single term gives its coefficient.
Number content(const Expr& sum);

}  // namespace camber::symbolic::internal
