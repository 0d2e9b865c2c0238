#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "camber/symbolic/expr.h"

// The nodes behind Expr, and the one place where they are made. Not for use outside
// camber/symbolic.

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
};

struct CallTarget {
  const UserFunction* function = nullptr;
  std::span<const int> orders;
};

/// One expression; its arguments follow it in memory.
struct Node {
  std::uint64_t hash = 0;
  std::uint64_t order =
      0;  // first characters of the leading name, then 255 - degree: sorts as a person would
  const LeafSet* leaves = nullptr;
  const void* payload = nullptr;  // Number, NameAndOrder or CallTarget
  std::uint32_t size = 0;         // arguments
  Kind kind = Kind::kNumber;
  bool primitive = true;  // of a sum: first coefficient > 0, and no number divides all of it

  const Expr* args() const { return reinterpret_cast<const Expr*>(this + 1); }
  const Number& number() const { return *static_cast<const Number*>(payload); }
  const NameAndOrder& name_and_order() const { return *static_cast<const NameAndOrder*>(payload); }
  const CallTarget& call_target() const { return *static_cast<const CallTarget*>(payload); }
  int degree() const { return 255 - static_cast<int>(order & 255U); }
};

/// The only node of this kind with these arguments, made if need be. The arguments are canonical
/// already. Sum: constant, then term, coefficient, term, coefficient ...; product: base, exponent,
/// base, exponent ...
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
/// number that divides all of them; doubles only the sign, as dividing them would round.
Number content(const Expr& sum);

}  // namespace camber::symbolic::internal
