// With xs = about + h (xs - about), every node is a power series in h whose k-th coefficient is
// homogeneous of degree k in xs - about: one pass of truncated series arithmetic gives all orders
// and any number of variables, where repeated differentiation would grow exponentially with the
// order.
//   f(u) = sum f^(k)(u0)/k! (u - u0)^k                                                  (1)
//   b^p  = sum binomial(p, k) b0^(p - k) (b - b0)^k                                     (2)
//   d/dh atan2(y, x) = (x y' - y x') / (x^2 + y^2)                                      (3)

#include "camber/symbolic/taylor.h"

#include <algorithm>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/symbolic/brief_text.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/leaf_selection.h"
#include "camber/symbolic/partials.h"
#include "camber/symbolic/substitute.h"
#include "camber/symbolic/traverse.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {

namespace {

/// Coefficients of h^0, h^1, ...; missing ones at the end are zero. Never empty.
using Series = std::vector<Expr>;

Expr at(const Series& a, std::size_t k) { return k < a.size() ? a[k] : Expr(0); }

void trim(Series* a) {
  while (a->size() > 1 && a->back().is_zero()) {
    a->pop_back();
  }
}

/// Throws EvaluationError for sqrt(-1) and the like.
void require_value(const Expr& e) {
  if (e.leaves().empty()) {
    evaluate(e, {});
  }
}

class SeriesArithmetic {
 public:
  explicit SeriesArithmetic(int order) : length_(static_cast<std::size_t>(order) + 1) {}
  std::size_t length() const { return length_; }

  Series times(const Series& a, const Series& b) const {
    Series result(std::min(length_, a.size() + b.size() - 1));
    std::vector<Expr> products;
    for (std::size_t k = 0; k < result.size(); ++k) {
      products.clear();
      for (std::size_t i = 0; i <= k; ++i) {
        products.push_back(at(a, i) * at(b, k - i));
      }
      result[k] = sum(products);
    }
    trim(&result);
    return result;
  }

  /// sum of weights[k] * (u - u0)^k, by Horner.
  Series compose(const std::vector<Expr>& weights, Series u) const {
    u[0] = 0;
    Series result(1, Expr(0));
    for (std::size_t k = weights.size(); k-- > 0;) {
      result = times(result, u);
      result[0] += weights[k];
    }
    return result;
  }

  Series power(const Series& base, const Number& p) const {  // (2)
    require_value(pow(base[0], p));
    std::vector<Expr> weights;
    Number binomial(1);
    for (std::size_t k = 0; k < length_ && !binomial.is_zero(); ++k) {
      const Number n(static_cast<std::int64_t>(k));
      weights.push_back(binomial * pow(base[0], p - n));
      binomial = binomial * (p - n) / (n + Number(1));
    }
    return compose(weights, base);
  }

  /// Series of atan2(y, x), given its value at h = 0. (3)
  Series angle(const Series& y, const Series& x) const {
    const Series rate_above = difference(times(x, derivative(y)), times(y, derivative(x)));
    Series square = times(x, x);
    add(times(y, y), Number(1), &square);
    return integral(atan2(y[0], x[0]), times(rate_above, power(square, Number(-1))));
  }

  static void add(const Series& a, const Number& factor, Series* result) {
    result->resize(std::max(result->size(), a.size()), Expr(0));
    for (std::size_t k = 0; k < a.size(); ++k) {
      (*result)[k] += factor * a[k];
    }
  }

 private:
  static Series difference(Series a, const Series& b) {
    add(b, Number(-1), &a);
    return a;
  }
  static Series derivative(const Series& a) {
    Series result(1, Expr(0));
    for (std::size_t k = 1; k < a.size(); ++k) {
      result.resize(k, Expr(0));
      result[k - 1] = Expr(Number(static_cast<std::int64_t>(k))) * a[k];
    }
    return result;
  }
  Series integral(const Expr& start, const Series& rate) const {
    Series result(1, start);
    for (std::size_t k = 1; k < length_ && k <= rate.size(); ++k) {
      result.push_back(Number(1, static_cast<std::int64_t>(k)) * rate[k - 1]);
    }
    return result;
  }

  std::size_t length_;
};

class TaylorExpansion {
 public:
  TaylorExpansion(std::span<const Expr> xs, std::span<const Expr> about, int order)
      : arithmetic_(order) {
    for (std::size_t i = 0; i < xs.size(); ++i) {
      require(xs_.insert(xs[i], about[i]), "taylor: ", xs[i], " occurs twice");
      point_.emplace(xs[i], about[i]);
    }
  }

  const Series& operator()(const Expr& root) {
    internal::post_order(
        root, &stack_, [this](const Expr& e) { return place_.contains(e); },
        [this](const Expr& e, const auto& f) {
          if (!is_constant(e)) {
            internal::for_each_child(e, [&](const Expr& child) {
              if (!is_condition(child.kind())) {
                f(child);
              }
            });
          }
        },
        [this](const Expr& e) {
          Series series = make_checked(e);
          trim(&series);
          place_.insert(e, static_cast<int>(series_.size()));
          series_.push_back(std::move(series));
        });
    return of(root);
  }

 private:
  bool is_constant(const Expr& e) const { return !xs_.occurs_in(e); }
  const Series& of(const Expr& e) const { return series_[static_cast<std::size_t>(place_.at(e))]; }

  Series make_checked(const Expr& e) const {
    try {
      Series series = make(e);
      require_value(series[0]);
      return series;
    } catch (const std::domain_error& error) {
      throw std::domain_error(concat("taylor: ", internal::brief_text(e),
                                     " has no Taylor series at this point: ", error.what()));
    }
  }

  Series make(const Expr& e) const {
    if (is_constant(e)) {
      return {e};
    }
    switch (e.kind()) {
      case Kind::kSymbol:
      case Kind::kVariable:
        return arithmetic_.length() > 1 ? Series{*xs_.find(e), e - *xs_.find(e)}
                                        : Series{*xs_.find(e)};
      case Kind::kNamed:
        return of(e.definition());
      case Kind::kSum:
        return make_sum(e);
      case Kind::kProduct:
        return make_product(e);
      case Kind::kAtan2:
        return arithmetic_.angle(of(e.arguments()[0]), of(e.arguments()[1]));
      case Kind::kMin:
      case Kind::kMax:
        return choose(at_point(internal::takes_first(e)), e.arguments()[0], e.arguments()[1]);
      case Kind::kSelect:
        return choose(at_point(Condition(e.arguments()[0])), e.arguments()[1], e.arguments()[2]);
      case Kind::kCall:
        return make_call(e);
      default:
        return make_function(e);
    }
  }

  Series make_sum(const Expr& e) const {
    Series result{Expr(e.constant())};
    for (const Term& t : e.terms()) {
      SeriesArithmetic::add(of(t.term), t.coefficient, &result);
    }
    return result;
  }

  Series make_product(const Expr& e) const {
    Series result{Expr(1)};
    for (const Factor& f : e.factors()) {
      if (f.exponent.is_number()) {
        result = arithmetic_.times(result, arithmetic_.power(of(f.base), f.exponent.number()));
      } else {  // b^e = exp(e log b)
        const Series exponent =
            arithmetic_.times(of(f.exponent), compose(log(argument()), of(f.base)));
        result = arithmetic_.times(result, compose(exp(argument()), exponent));
      }
    }
    return result;
  }

  Condition at_point(const Condition& condition) const {
    return Condition(substitute(condition.expr(), point_));
  }

  Series choose(const Condition& first, const Expr& a, const Expr& b) const {
    const std::size_t length = std::max(of(a).size(), of(b).size());
    Series result;
    for (std::size_t k = 0; k < length; ++k) {
      result.push_back(select(first, at(of(a), k), at(of(b), k)));
    }
    return result;
  }

  Series make_function(const Expr& e) const {
    const Expr z = argument();
    return compose(with_arguments(e, std::span(&z, 1)), of(e.arguments()[0]));
  }

  /// Placeholder for the argument of a function while its derivatives are taken; it occurs only in
  /// f(z).
  static Expr argument() { return symbol("z"); }

  /// f(z) at z = u.  (1)
  Series compose(const Expr& f, const Series& u) const {
    const Expr z = argument();
    const Substitution at_u0 = {{z, u[0]}};
    std::vector<Expr> weights;
    Expr derivative = f;
    Number factorial(1);
    Differentiator by_z(z);
    for (std::size_t k = 0; k < arithmetic_.length() && !derivative.is_zero(); ++k) {
      weights.push_back(substitute(derivative, at_u0) * (Number(1) / factorial));
      derivative = by_z(derivative);
      factorial = factorial * Number(static_cast<std::int64_t>(k) + 1);
    }
    return weights.empty() ? Series{Expr(0)} : arithmetic_.compose(weights, u);
  }

  /// (1) for several arguments: sum over all derivative orders up to the total.
  Series make_call(const Expr& e) const {
    std::vector<Expr> start;
    for (const Expr& argument_expr : e.arguments()) {
      start.push_back(of(argument_expr)[0]);
    }
    std::vector<int> orders(e.derivative_orders().begin(), e.derivative_orders().end());
    orders.resize(start.size());
    Series result{Expr(0)};
    add_call_terms(e, start, 0, arithmetic_.length() - 1, Series{Expr(1)}, &orders, &result);
    return result;
  }

  void add_call_terms(const Expr& e, const std::vector<Expr>& start, std::size_t i,
                      std::size_t orders_left, const Series& weight, std::vector<int>* orders,
                      Series* result) const {
    if (i == start.size()) {
      if (!e.function().vanishes(*orders)) {
        const Series value{call(e.function(), start, *orders)};
        SeriesArithmetic::add(arithmetic_.times(value, weight), Number(1), result);
      }
      return;
    }
    Series deviation = of(e.arguments()[i]);
    deviation[0] = 0;
    const int order_before = (*orders)[i];
    Series powers = weight;  // weight * deviation^k / k!
    const std::size_t most = deviation.size() > 1 ? orders_left : 0;
    for (std::size_t k = 0; k <= most; ++k) {
      add_call_terms(e, start, i + 1, orders_left - k, powers, orders, result);
      ++(*orders)[i];
      const Series step{Expr(Number(1, static_cast<std::int64_t>(k) + 1))};
      powers = arithmetic_.times(arithmetic_.times(powers, deviation), step);
    }
    (*orders)[i] = order_before;
  }

  SeriesArithmetic arithmetic_;
  internal::LeafSelection<Expr> xs_;
  Substitution point_;
  internal::NodeMap<int> place_;
  std::vector<Series> series_;
  std::vector<Expr> stack_;
};

}  // namespace

std::vector<Expr> taylor_terms(const Expr& e, std::span<const Expr> xs, std::span<const Expr> about,
                               int order) {
  constexpr int kLargestOrder = 100;
  require(order >= 0 && order <= kLargestOrder, "taylor: order must be 0 to ", kLargestOrder,
          ", got ", order);
  require(xs.size() == about.size(), "taylor: ", xs.size(), " variables, but a point of ",
          about.size());
  require(!is_condition(e.kind()), "taylor: a condition has no series: ", e);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    require(xs[i].is_leaf(), "taylor: needs symbols or variables, got ", xs[i]);
    for (const Expr& x : xs) {
      require(!about[i].depends_on(x), "taylor: the point ", about[i], " depends on ", x);
    }
  }
  TaylorExpansion expansion(xs, about, order);
  Series series = expansion(e);
  series.resize(static_cast<std::size_t>(order) + 1, Expr(0));
  return series;
}

Expr taylor(const Expr& e, std::span<const Expr> xs, std::span<const Expr> about, int order) {
  return sum(taylor_terms(e, xs, about, order));
}

Expr taylor(const Expr& e, const Expr& x, const Expr& about, int order) {
  return taylor(e, std::span(&x, 1), std::span(&about, 1), order);
}

}  // namespace camber::symbolic
