// One pass over the graph, children first. A value that is not finite becomes NaN and spreads to
// everything that needs it; only if the result is NaN does a walk back down find its origin. So
// sub-expressions in branches that select() does not take may fail, and successful evaluations pay
// nothing for it.

#include "camber/symbolic/evaluate.h"

#include <cmath>
#include <limits>
#include <optional>

#include "camber/core/require.h"
#include "camber/symbolic/apply.h"
#include "camber/symbolic/beyond_double.h"
#include "camber/symbolic/brief_text.h"
#include "camber/symbolic/require_bound.h"
#include "camber/symbolic/traverse.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double finite_or_none(double value) { return std::isfinite(value) ? value : kNone; }

/// A number beyond double has no value, neither infinity nor 0.
double number_value(const Number& number) {
  return number.fits_double() ? number.to_double() : kNone;
}

double truth(bool value) { return value ? 1.0 : 0.0; }

/// Values of all nodes below some roots at one point. A condition's value is 1 or 0.
class Values {
 public:
  explicit Values(const Bindings& bindings) : bindings_(&bindings) {}

  double operator()(const Expr& root) {
    internal::post_order(
        root, &stack_, [this](const Expr& e) { return values_.contains(e); },
        [](const Expr& e, const auto& f) { internal::for_each_child(e, f); },
        [this](const Expr& e) { values_.insert(e, finite_or_none(value(e))); });
    return values_.at(root);
  }

  /// The sub-expression from which a NaN at `e` originates.
  Expr origin(Expr e) const {
    for (;;) {
      Expr next = e;
      internal::for_each_child(e, [&](const Expr& child) {
        const bool untaken = e.kind() == Kind::kSelect && !is_taken(e, child);
        if (next == e && !untaken && std::isnan(at(child))) {
          next = child;
        }
      });
      if (next == e) {
        return e;
      }
      e = next;
    }
  }

  double at(const Expr& e) const { return values_.at(e); }

 private:
  bool is_taken(const Expr& select, const Expr& child) const {
    const std::span<const Expr> args = select.arguments();
    return child == args[0] ||
           (!std::isnan(at(args[0])) && child == args[at(args[0]) != 0 ? 1 : 2]);
  }

  double value(const Expr& e) {
    switch (e.kind()) {
      case Kind::kNumber:
        return number_value(e.number());
      case Kind::kSymbol:
      case Kind::kVariable:
        return bindings_->at(e);
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
        return is_condition(e.kind()) ? condition_value(e) : function_value(e);
    }
  }

  double sum_value(const Expr& e) const {
    double sum = number_value(e.constant());
    for (const Term& t : e.terms()) {
      sum += number_value(t.coefficient) * at(t.term);
    }
    return sum;
  }

  double product_value(const Expr& e) const {
    double numerator = 1;
    double denominator = 1;
    for (const Factor& f : e.factors()) {
      const double base = at(f.base);
      if (!f.exponent.is_number()) {
        numerator *= std::pow(base, at(f.exponent));
      } else if (f.exponent.number().sign() > 0) {
        numerator *= apply_power(base, f.exponent.number());
      } else {
        denominator *= apply_power(base, -f.exponent.number());
      }
    }
    return numerator / denominator;
  }

  double select_value(std::span<const Expr> args) const {
    const double condition = at(args[0]);
    return std::isnan(condition) ? kNone : at(args[condition != 0 ? 1 : 2]);
  }

  double call_value(const Expr& e) {
    arguments_.clear();
    for (const Expr& argument : e.arguments()) {
      arguments_.push_back(at(argument));
      if (std::isnan(arguments_.back())) {
        return kNone;
      }
    }
    return e.function().evaluate(arguments_, e.derivative_orders());
  }

  double function_value(const Expr& e) const {
    const std::span<const Expr> args = e.arguments();
    const double a = at(args[0]);
    if (args.size() == 1) {
      return std::isnan(a) ? kNone : apply_function(e.kind(), a);
    }
    const double b = at(args[1]);
    return std::isnan(a) || std::isnan(b) ? kNone : apply_function(e.kind(), a, b);
  }

  double condition_value(const Expr& e) const {
    if (e.kind() == Kind::kTrue || e.kind() == Kind::kFalse) {
      return truth(e.kind() == Kind::kTrue);
    }
    if (e.kind() == Kind::kAnd || e.kind() == Kind::kOr) {
      return connected_value(e);
    }
    const std::span<const Expr> args = e.arguments();
    const double a = at(args[0]);
    const double b = args.size() > 1 ? at(args[1]) : 0;
    if (std::isnan(a) || std::isnan(b)) {
      return kNone;
    }
    switch (e.kind()) {
      case Kind::kLess:
        return truth(a < b);
      case Kind::kLessEqual:
        return truth(a <= b);
      case Kind::kEqual:
        return truth(a == b);
      default:
        return truth(a == 0);  // kNot
    }
  }

  /// One side is enough if it decides the result; the other need not have a value.
  double connected_value(const Expr& e) const {
    const double deciding = truth(e.kind() == Kind::kOr);
    double result = truth(e.kind() == Kind::kAnd);
    for (const Expr& argument : e.arguments()) {
      const double value = at(argument);
      if (value == deciding) {
        return deciding;
      }
      if (std::isnan(value)) {
        result = kNone;
      }
    }
    return result;
  }

  const Bindings* bindings_;
  internal::NodeMap<double> values_;
  std::vector<Expr> stack_;
  std::vector<double> arguments_;
};

[[noreturn]] void throw_evaluation_error(const Values& values, const Expr& failed) {
  const Expr origin = values.origin(failed);
  const std::optional<Number> beyond = internal::find_number_beyond_double(origin);
  std::string message =
      beyond ? concat("evaluate: the number ", internal::brief_text(*beyond),
                      " is outside the range of double")
             : concat("evaluate: ", internal::brief_text(origin), " has no finite value");
  std::vector<double> argument_values;
  const char* separator = " at ";
  for (const Expr& child : children(origin)) {
    argument_values.push_back(values.at(child));
    if (!child.is_number() && !beyond) {
      message += concat(separator, internal::brief_text(child), " = ", argument_values.back());
      separator = ", ";
    }
  }
  throw EvaluationError(message, origin, std::move(argument_values));
}

}  // namespace

std::vector<double> evaluate(std::span<const Expr> es, const Bindings& bindings) {
  internal::require_bound(es, bindings, "evaluate");
  Values values(bindings);
  std::vector<double> results;
  results.reserve(es.size());
  for (const Expr& e : es) {
    results.push_back(values(e));
    if (std::isnan(results.back())) {
      throw_evaluation_error(values, e);
    }
  }
  return results;
}

double evaluate(const Expr& e, const Bindings& bindings) {
  return evaluate(std::span(&e, 1), bindings)[0];
}

bool evaluate(const Condition& condition, const Bindings& bindings) {
  return evaluate(condition.expr(), bindings) != 0;
}

}  // namespace camber::symbolic
