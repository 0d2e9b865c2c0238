#include <array>
#include <cassert>
#include <cmath>
#include <compare>
#include <stdexcept>
#include <vector>

#include "camber/core/require.h"
#include "camber/symbolic/expr.h"
#include "camber/symbolic/pool.h"
#include "camber/symbolic/user_function.h"

// Functions and conditions: what is known about them at once. An identity is used here only if it
// holds wherever the left side is defined, costs nothing to see, and never makes the expression
// longer.

namespace camber::symbolic {

using internal::intern;
using internal::leading_sign;
using internal::one;
using internal::zero;

namespace {

Expr unary(Kind kind, const Expr& a) { return intern(kind, std::span(&a, 1)); }

Expr binary(Kind kind, const Expr& a, const Expr& b) {
  const std::array<Expr, 2> both{a, b};
  return intern(kind, both);
}

bool is_double(const Expr& e) { return e.is_number() && !e.number().is_exact(); }

/// f(a) for a double, if it is a real number; otherwise the evaluation reports it later.
template <class Function>
Expr fold_or(Kind kind, const Expr& a, Function f) {
  if (is_double(a)) {
    const double value = f(a.number().to_double());
    if (std::isfinite(value)) return Expr(value);
  }
  return unary(kind, a);
}

template <class Function>
Expr odd(Kind kind, const Expr& a, Function f) {
  if (a.is_zero()) return a;
  if (leading_sign(a) < 0) return -odd(kind, -a, f);
  return fold_or(kind, a, f);
}

/// f(inverse(x)) = x wherever inverse(x) is defined.
bool undoes(const Expr& a, Kind inverse) { return a.kind() == inverse; }

}  // namespace

Expr exp(const Expr& a) {
  if (a.is_zero()) return one();
  if (undoes(a, Kind::kLog)) return a.arguments()[0];
  return fold_or(Kind::kExp, a, [](double x) { return std::exp(x); });
}

Expr log(const Expr& a) {
  if (a.is_one()) return zero();
  if (undoes(a, Kind::kExp)) return a.arguments()[0];
  return fold_or(Kind::kLog, a, [](double x) { return std::log(x); });
}

Expr sin(const Expr& a) {
  if (leading_sign(a) < 0) return -sin(-a);  // before the test for the inverse: sin(-asin(x)) is -x
  if (undoes(a, Kind::kAsin)) return a.arguments()[0];
  return odd(Kind::kSin, a, [](double x) { return std::sin(x); });
}

Expr cos(const Expr& a) {
  if (a.is_zero()) return one();
  if (leading_sign(a) < 0) return cos(-a);
  if (undoes(a, Kind::kAcos)) return a.arguments()[0];
  return fold_or(Kind::kCos, a, [](double x) { return std::cos(x); });
}

Expr tan(const Expr& a) {
  if (leading_sign(a) < 0) return -tan(-a);
  if (undoes(a, Kind::kAtan)) return a.arguments()[0];
  return odd(Kind::kTan, a, [](double x) { return std::tan(x); });
}

Expr asin(const Expr& a) {
  return odd(Kind::kAsin, a, [](double x) { return std::asin(x); });
}

Expr acos(const Expr& a) {
  if (a.is_one()) return zero();
  return fold_or(Kind::kAcos, a, [](double x) { return std::acos(x); });
}

Expr atan(const Expr& a) {
  return odd(Kind::kAtan, a, [](double x) { return std::atan(x); });
}

Expr sinh(const Expr& a) {
  return odd(Kind::kSinh, a, [](double x) { return std::sinh(x); });
}

Expr cosh(const Expr& a) {
  if (a.is_zero()) return one();
  return fold_or(Kind::kCosh, leading_sign(a) < 0 ? -a : a, [](double x) { return std::cosh(x); });
}

Expr tanh(const Expr& a) {
  return odd(Kind::kTanh, a, [](double x) { return std::tanh(x); });
}

Expr abs(const Expr& a) {
  if (a.is_number()) return Expr(abs(a.number()));
  if (leading_sign(a) < 0) return abs(-a);
  if (a.kind() == Kind::kAbs || a.kind() == Kind::kExp || a.kind() == Kind::kCosh) return a;
  if (a.kind() == Kind::kSum && a.terms().size() == 1 && a.constant().is_zero()) {
    return internal::scale(abs(a.terms()[0].term), a.terms()[0].coefficient);
  }
  return unary(Kind::kAbs, a);
}

Expr sign(const Expr& a) {
  if (a.is_number()) return Expr(a.number().sign());
  if (leading_sign(a) < 0) return -sign(-a);
  if (a.kind() == Kind::kSign) return a;
  if (a.kind() == Kind::kSum && a.terms().size() == 1 && a.constant().is_zero())
    return sign(a.terms()[0].term);
  return unary(Kind::kSign, a);
}

Expr atan2(const Expr& y, const Expr& x) {
  if (y.is_number() && x.is_number()) {
    if (y.is_zero() && x.number().sign() >= 0) return zero();
    if (is_double(x) || is_double(y))
      return Expr(std::atan2(y.number().to_double(), x.number().to_double()));
  }
  return binary(Kind::kAtan2, y, x);
}

Expr min(const Expr& a, const Expr& b) {
  if (a == b) return a;
  if (a.is_number() && b.is_number()) return a.number() < b.number() ? a : b;
  return canonical_less(a, b) ? binary(Kind::kMin, a, b) : binary(Kind::kMin, b, a);
}

Expr max(const Expr& a, const Expr& b) {
  if (a == b) return a;
  if (a.is_number() && b.is_number()) return a.number() < b.number() ? b : a;
  return canonical_less(a, b) ? binary(Kind::kMax, a, b) : binary(Kind::kMax, b, a);
}

Expr call(const UserFunction& function, std::span<const Expr> arguments,
          std::span<const int> orders) {
  const auto arity = static_cast<std::size_t>(function.arity());
  require(arguments.size() == arity, function.name(), ": takes ", arity, " arguments, got ",
          arguments.size());
  require(orders.empty() || orders.size() == arity, function.name(), ": needs ", arity,
          " derivative orders, got ", orders.size());
  for (const int order : orders)
    require(order >= 0, function.name(), ": a derivative's order is not negative, got ", order);
  const std::vector<int> none(arity, 0);
  const std::span<const int> all = orders.empty() ? std::span<const int>(none) : orders;
  if (function.vanishes(all)) return zero();
  return internal::intern_call(function, all, arguments);
}

// Conditions.

namespace {

/// Compares by value; as doubles if one is a double, like the evaluation does.
std::partial_ordering compare(const Number& a, const Number& b) {
  if (a.is_exact() && b.is_exact()) return a <=> b;
  return a.to_double() <=> b.to_double();
}

}  // namespace

Condition::Condition(bool value) : expr_(intern(value ? Kind::kTrue : Kind::kFalse, {})) {}

Condition::Condition(const Expr& expr) : expr_(expr) {
  require(is_condition(expr.kind()), "a condition was expected, got the ", kind_name(expr.kind()),
          " ", expr);
}

Condition::operator bool() const {
  if (expr_.kind() == Kind::kTrue) return true;
  if (expr_.kind() == Kind::kFalse) return false;
  throw std::logic_error(
      "whether " + to_string() +
      " holds depends on its symbols; use select(condition, a, b) instead of a branch");
}

Condition operator<(const Expr& a, const Expr& b) {
  if (a == b) return false;
  if (a.is_number() && b.is_number()) return std::is_lt(compare(a.number(), b.number()));
  return Condition(binary(Kind::kLess, a, b));
}

Condition operator<=(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a.is_number() && b.is_number()) return std::is_lteq(compare(a.number(), b.number()));
  return Condition(binary(Kind::kLessEqual, a, b));
}

Condition operator>(const Expr& a, const Expr& b) { return b < a; }
Condition operator>=(const Expr& a, const Expr& b) { return b <= a; }

Condition equal(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a.is_number() && b.is_number()) return std::is_eq(compare(a.number(), b.number()));
  return Condition(canonical_less(a, b) ? binary(Kind::kEqual, a, b) : binary(Kind::kEqual, b, a));
}

Condition operator&&(const Condition& a, const Condition& b) {
  if (a.is_known()) return a.expr().kind() == Kind::kTrue ? b : a;
  if (b.is_known()) return b && a;
  if (a == b) return a;
  const bool ordered = canonical_less(a.expr(), b.expr());
  return Condition(ordered ? binary(Kind::kAnd, a.expr(), b.expr())
                           : binary(Kind::kAnd, b.expr(), a.expr()));
}

Condition operator||(const Condition& a, const Condition& b) {
  if (a.is_known()) return a.expr().kind() == Kind::kTrue ? a : b;
  if (b.is_known()) return b || a;
  if (a == b) return a;
  const bool ordered = canonical_less(a.expr(), b.expr());
  return Condition(ordered ? binary(Kind::kOr, a.expr(), b.expr())
                           : binary(Kind::kOr, b.expr(), a.expr()));
}

Condition operator!(const Condition& a) {
  const Expr& e = a.expr();
  switch (e.kind()) {
    case Kind::kTrue:
      return false;
    case Kind::kFalse:
      return true;
    case Kind::kLess:
      return e.arguments()[1] <= e.arguments()[0];
    case Kind::kLessEqual:
      return e.arguments()[1] < e.arguments()[0];
    case Kind::kNot:
      return Condition(e.arguments()[0]);
    default:
      return Condition(unary(Kind::kNot, e));
  }
}

Expr select(const Condition& condition, const Expr& if_true, const Expr& if_false) {
  if (if_true == if_false) return if_true;
  const Expr& e = condition.expr();
  if (e.kind() == Kind::kTrue) return if_true;
  if (e.kind() == Kind::kFalse) return if_false;
  if (e.kind() == Kind::kNot) return select(Condition(e.arguments()[0]), if_false, if_true);
  const std::array<Expr, 3> all{e, if_true, if_false};
  return intern(Kind::kSelect, all);
}

Expr with_arguments(const Expr& original, std::span<const Expr> a) {
  require(a.size() == original.arguments().size(), "with_arguments: ", kind_name(original.kind()),
          " takes ", original.arguments().size(), " arguments, got ", a.size());
  switch (original.kind()) {
    case Kind::kExp:
      return exp(a[0]);
    case Kind::kLog:
      return log(a[0]);
    case Kind::kSin:
      return sin(a[0]);
    case Kind::kCos:
      return cos(a[0]);
    case Kind::kTan:
      return tan(a[0]);
    case Kind::kAsin:
      return asin(a[0]);
    case Kind::kAcos:
      return acos(a[0]);
    case Kind::kAtan:
      return atan(a[0]);
    case Kind::kSinh:
      return sinh(a[0]);
    case Kind::kCosh:
      return cosh(a[0]);
    case Kind::kTanh:
      return tanh(a[0]);
    case Kind::kAbs:
      return abs(a[0]);
    case Kind::kSign:
      return sign(a[0]);
    case Kind::kAtan2:
      return atan2(a[0], a[1]);
    case Kind::kMin:
      return min(a[0], a[1]);
    case Kind::kMax:
      return max(a[0], a[1]);
    case Kind::kSelect:
      return select(Condition(a[0]), a[1], a[2]);
    case Kind::kCall:
      return call(original.function(), a, original.derivative_orders());
    case Kind::kTrue:
    case Kind::kFalse:
      return original;
    case Kind::kLess:
      return (a[0] < a[1]).expr();
    case Kind::kLessEqual:
      return (a[0] <= a[1]).expr();
    case Kind::kEqual:
      return equal(a[0], a[1]).expr();
    case Kind::kNot:
      return (!Condition(a[0])).expr();
    case Kind::kAnd:
      return (Condition(a[0]) && Condition(a[1])).expr();
    case Kind::kOr:
      return (Condition(a[0]) || Condition(a[1])).expr();
    default:
      break;
  }
  require(false, "with_arguments: a ", kind_name(original.kind()), " has no arguments");
  return original;
}

}  // namespace camber::symbolic
