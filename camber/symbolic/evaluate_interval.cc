// The same pass as evaluate.cc with intervals for numbers, and the domain of each function beside
// it.

#include <algorithm>
#include <cmath>
#include <optional>

#include "camber/core/require.h"
#include "camber/symbolic/apply.h"
#include "camber/symbolic/beyond_double.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/require_bound.h"
#include "camber/symbolic/traverse.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {

namespace {

/// A truth value over a box: the values that occur at its points.
struct Truth {
  bool may_hold = false;
  bool may_fail = false;
};

const Interval kTrue(1);
const Interval kFalse(0);
const Interval kUnknown(0, 1);

Interval to_interval(const Truth& t) {
  return t.may_hold && t.may_fail ? kUnknown : t.may_hold ? kTrue : kFalse;
}
Truth to_truth(const Interval& a) { return {a.hi == 1, a.lo == 0}; }

Interval number_interval(const Number& number) {
  const double value = number.to_double();
  if (number.is_integer() && std::abs(value) < 0x1p53) {
    return {value};
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {std::nextafter(value, -kInfinity), std::nextafter(value, kInfinity)};
}

struct Violation {
  const char* reason;
  bool everywhere;
};

class IntervalValues {
 public:
  explicit IntervalValues(const Box& box) : box_(&box) {}

  Interval operator()(const Expr& root) {
    internal::post_order(
        root, &stack_, [this](const Expr& e) { return values_.contains(e); },
        [](const Expr& e, const auto& f) { internal::for_each_child(e, f); },
        [this](const Expr& e) { values_.insert(e, value(e)); });
    return values_.at(root);
  }
  const Interval& at(const Expr& e) const { return values_.at(e); }

  /// What is wrong at this node alone, given that its children are in their domains.
  std::optional<Violation> violation(const Expr& e) const {
    std::optional<Violation> found;
    if (internal::find_number_beyond_double(e)) {
      found = Violation{"a number outside the range of double", true};
    } else if (e.kind() == Kind::kProduct) {
      for (const Factor& f : e.factors()) {
        found = found ? found : power_violation(at(f.base), f.exponent);
      }
    } else if (is_elementary_function(e.kind()) && e.kind() != Kind::kSelect) {
      found = function_violation(e.kind(), at(e.arguments()[0]));
    }
    if (!found && !at(e).is_bounded() && children_are_bounded(e)) {
      found = Violation{"may overflow", false};
    }
    return found;
  }

 private:
  Interval value(const Expr& e) {
    switch (e.kind()) {
      case Kind::kNumber:
        return number_interval(e.number());
      case Kind::kSymbol:
      case Kind::kVariable:
        return box_->at(e);
      case Kind::kNamed:
        return at(e.definition());
      case Kind::kSum:
        return sum_value(e);
      case Kind::kProduct:
        return product_value(e);
      case Kind::kSelect:
        return select_value(e.arguments());
      case Kind::kCall:
        return call_value(e);
      default:
        return is_condition(e.kind()) ? to_interval(condition_value(e)) : function_value(e);
    }
  }

  Interval sum_value(const Expr& e) const {
    Interval sum = number_interval(e.constant());
    for (const Term& t : e.terms()) {
      sum =
          sum + (t.coefficient.is_one() ? at(t.term) : number_interval(t.coefficient) * at(t.term));
    }
    return sum;
  }

  Interval product_value(const Expr& e) const {
    Interval numerator = 1;
    Interval denominator = 1;
    for (const Factor& f : e.factors()) {
      if (!f.exponent.is_number()) {
        numerator = numerator * pow(at(f.base), at(f.exponent));
      } else if (f.exponent.number().sign() > 0) {
        numerator = numerator * apply_power(at(f.base), f.exponent.number());
      } else {
        denominator = denominator * apply_power(at(f.base), -f.exponent.number());
      }
    }
    return denominator == Interval(1) ? numerator : numerator / denominator;
  }

  Interval select_value(std::span<const Expr> args) const {
    const Truth condition = to_truth(at(args[0]));
    if (condition.may_hold && condition.may_fail) {
      return hull(at(args[1]), at(args[2]));
    }
    return at(args[condition.may_hold ? 1 : 2]);
  }

  Interval call_value(const Expr& e) const {
    std::vector<double> point;
    for (const Expr& argument : e.arguments()) {
      const Interval& a = at(argument);
      if (a.lo != a.hi) {
        return Interval::whole_line();
      }
      point.push_back(a.lo);
    }
    return {e.function().evaluate(point, e.derivative_orders())};
  }

  Interval function_value(const Expr& e) const {
    const std::span<const Expr> args = e.arguments();
    return args.size() == 1 ? apply_function(e.kind(), at(args[0]))
                            : apply_function(e.kind(), at(args[0]), at(args[1]));
  }

  Truth condition_value(const Expr& e) const {
    const std::span<const Expr> args = e.arguments();
    switch (e.kind()) {
      case Kind::kTrue:
        return {true, false};
      case Kind::kFalse:
        return {false, true};
      case Kind::kLess:
        return {at(args[0]).lo < at(args[1]).hi, at(args[0]).hi >= at(args[1]).lo};
      case Kind::kLessEqual:
        return {at(args[0]).lo <= at(args[1]).hi, at(args[0]).hi > at(args[1]).lo};
      case Kind::kEqual: {
        const Interval &a = at(args[0]), &b = at(args[1]);
        const bool one_point = a.lo == a.hi && a == b;
        return {a.lo <= b.hi && b.lo <= a.hi, !one_point};
      }
      case Kind::kNot: {
        const Truth a = to_truth(at(args[0]));
        return {a.may_fail, a.may_hold};
      }
      default:
        return connected_value(e);
    }
  }

  Truth connected_value(const Expr& e) const {
    const bool is_and = e.kind() == Kind::kAnd;
    Truth result{is_and, !is_and};
    for (const Expr& argument : e.arguments()) {
      const Truth a = to_truth(at(argument));
      result = is_and ? Truth{result.may_hold && a.may_hold, result.may_fail || a.may_fail}
                      : Truth{result.may_hold || a.may_hold, result.may_fail && a.may_fail};
    }
    return result;
  }

  std::optional<Violation> power_violation(const Interval& base, const Expr& exponent) const {
    const bool is_whole = exponent.is_number() && exponent.number().is_integer();
    if (!is_whole && base.lo < 0) {
      return Violation{"a root or power of a number that may be negative", base.hi < 0};
    }
    if (base.contains(0) && at(exponent).lo < 0) {
      return Violation{"divides by a number that may be zero", base == Interval(0)};
    }
    return std::nullopt;
  }

  static std::optional<Violation> function_violation(Kind kind, const Interval& a) {
    switch (kind) {
      case Kind::kLog:
        if (a.lo <= 0) {
          return Violation{"logarithm of a number that may not be positive", a.hi <= 0};
        }
        break;
      case Kind::kAsin:
      case Kind::kAcos:
        if (a.lo < -1 || a.hi > 1) {
          return Violation{"argument may be outside [-1, 1]", a.hi < -1 || a.lo > 1};
        }
        break;
      case Kind::kTan:
        if (!tan(a).is_bounded()) {
          return Violation{"argument may be at a pole of the tangent", false};
        }
        break;
      default:
        break;
    }
    return std::nullopt;
  }

  bool children_are_bounded(const Expr& e) const {
    bool bounded = e.kind() != Kind::kCall;  // the bounds of a call are unknown
    internal::for_each_child(e, [&](const Expr& child) { bounded &= at(child).is_bounded(); });
    return bounded;
  }

  const Box* box_;
  internal::NodeMap<Interval> values_;
  std::vector<Expr> stack_;
};

}  // namespace

Interval evaluate_interval(const Expr& e, const Box& box) {
  internal::require_bound(std::span(&e, 1), box, "evaluate_interval");
  return IntervalValues(box)(e);
}

std::vector<DomainError> find_domain_errors(const Expr& e, const Box& box) {
  internal::require_bound(std::span(&e, 1), box, "find_domain_errors");
  IntervalValues values(box);
  values(e);
  std::vector<DomainError> errors;
  internal::NodeMap<char> checked;
  std::vector<Expr> stack;
  const auto each_taken_child = [&](const Expr& parent, const auto& f) {
    if (parent.kind() != Kind::kSelect) {
      internal::for_each_child(parent, f);
      return;
    }
    const std::span<const Expr> args = parent.arguments();
    const Truth condition = to_truth(values.at(args[0]));
    f(args[0]);
    if (condition.may_hold) {
      f(args[1]);
    }
    if (condition.may_fail) {
      f(args[2]);
    }
  };
  internal::post_order(
      e, &stack, [&](const Expr& node) { return checked.contains(node); }, each_taken_child,
      [&](const Expr& node) {
        checked.insert(node, 1);
        if (const auto violation = values.violation(node)) {
          std::vector<Interval> arguments;
          for (const Expr& child : children(node)) {
            arguments.push_back(values.at(child));
          }
          errors.push_back({node, std::move(arguments), violation->reason, violation->everywhere});
        }
      });
  return errors;
}

}  // namespace camber::symbolic
