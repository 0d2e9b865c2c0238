// Every node that depends on xs becomes a polynomial in xs whose coefficients are expressions,
// children first. Sums add them, products multiply them; the rest must be free of xs.

#include "camber/symbolic/coefficients.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/symbolic/brief_text.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/leaf_selection.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic {

namespace {

// Products of terms, for each monomial allowed: coefficients grow with them.
constexpr std::size_t kProductsPerTerm = 20;

/// A polynomial in xs: monomial -> summands of its coefficient.
class Form {
 public:
  Form() = default;
  Form(const Expr& monomial, const Expr& coefficient) { add(monomial, coefficient); }

  void add(const Expr& monomial, const Expr& coefficient) {
    add(monomial, {coefficient, Number(1)});
  }
  void add(const Expr& monomial, const Term& coefficient) {
    if (coefficient.term.is_zero()) {
      return;
    }
    const auto next = static_cast<int>(monomials_.size());
    if (place_.insert(monomial, next)) {
      monomials_.push_back(monomial);
      summands_.emplace_back();
    }
    summands_[static_cast<std::size_t>(*place_.find(monomial))].push_back(coefficient);
  }
  void add(const Form& form, const Number& factor) {
    for (std::size_t i = 0; i < form.size(); ++i) {
      add(form.monomials_[i], {form.coefficient(i), factor});
    }
  }

  /// Adds up the collected summands; call it before reading.
  void finish() {
    Form sums;
    for (std::size_t i = 0; i < size(); ++i) {
      const Expr sum = linear_combination(Number(0), summands_[i]);
      sums.add(monomials_[i], sum);
    }
    *this = std::move(sums);
  }

  std::size_t size() const { return monomials_.size(); }
  const Expr& monomial(std::size_t i) const { return monomials_[i]; }
  const Expr& coefficient(std::size_t i) const { return summands_[i].front().term; }
  Expr coefficient_of(const Expr& monomial) const {
    const int* place = place_.find(monomial);
    return place != nullptr ? coefficient(static_cast<std::size_t>(*place)) : Expr(0);
  }

 private:
  std::vector<Expr> monomials_;
  std::vector<std::vector<Term>> summands_;
  internal::NodeMap<int> place_;
};

class Collector {
 public:
  Collector(std::span<const Expr> xs, Otherwise otherwise, std::size_t max_terms,
            std::string_view where)
      : otherwise_(otherwise), max_terms_(max_terms), where_(where) {
    for (std::size_t j = 0; j < xs.size(); ++j) {
      require(xs[j].is_leaf(), where, ": needs symbols or variables, got ", xs[j]);
      require(xs_.insert(xs[j], static_cast<int>(j)), where, ": ", xs[j], " occurs twice");
    }
  }

  const Form& operator()(const Expr& root) {
    internal::post_order(
        root, &stack_, [this](const Expr& e) { return place_.contains(e); },
        [this](const Expr& e, const auto& f) { each_polynomial_child(e, f); },
        [this](const Expr& e) {
          Form form = make(e);
          form.finish();
          place_.insert(e, static_cast<int>(forms_.size()));
          forms_.push_back(std::move(form));
        });
    return at(root);
  }

  int column(const Expr& leaf) const { return *xs_.find(leaf); }

 private:
  const Form& at(const Expr& e) const { return forms_[static_cast<std::size_t>(place_.at(e))]; }
  bool is_free(const Expr& e) const { return !xs_.occurs_in(e); }

  template <class F>
  void each_polynomial_child(const Expr& e, const F& f) const {
    if (is_free(e)) {
      return;
    }
    switch (e.kind()) {
      case Kind::kNamed:
      case Kind::kSum:
        internal::for_each_child(e, f);
        break;
      case Kind::kProduct:
        for (const Factor& factor : e.factors()) {
          if (is_polynomial_factor(factor)) {
            f(factor.base);
          }
        }
        break;
      case Kind::kSelect:
        if (is_free(e.arguments()[0])) {
          f(e.arguments()[1]);
          f(e.arguments()[2]);
        }
        break;
      default:
        break;
    }
  }

  bool is_polynomial_factor(const Factor& f) const {
    return !is_free(f.base) && f.exponent.is_number() && f.exponent.number().fits_int64() &&
           f.exponent.number().sign() > 0;
  }

  Form make(const Expr& e) const {
    if (is_free(e)) {
      return {Expr(1), e};
    }
    switch (e.kind()) {
      case Kind::kSymbol:
      case Kind::kVariable:
        return {e, Expr(1)};
      case Kind::kNamed:
        return at(e.definition());
      case Kind::kSum:
        return make_sum(e);
      case Kind::kProduct:
        return make_product(e);
      case Kind::kSelect:
        return is_free(e.arguments()[0]) ? make_select(e) : other(e);
      default:
        return other(e);
    }
  }

  Form other(const Expr& e) const {
    if (otherwise_ == Otherwise::kThrow) {
      throw std::invalid_argument(concat(where_, ": ", internal::brief_text(e),
                                         " is not a polynomial in the given variables"));
    }
    return {Expr(1), e};
  }

  Form make_sum(const Expr& e) const {
    Form form(Expr(1), Expr(e.constant()));
    for (const Term& t : e.terms()) {
      form.add(at(t.term), t.coefficient);
    }
    return form;
  }

  Form make_product(const Expr& e) const {
    std::vector<Expr> free;
    Form form(Expr(1), Expr(1));
    for (const Factor& f : e.factors()) {
      if (is_polynomial_factor(f)) {
        form = times(form, power(at(f.base), f.exponent.number().as_int64()));
      } else {
        const Expr factor = pow(f.base, f.exponent);
        free.push_back(is_free(factor) ? factor : other(factor).coefficient(0));
      }
    }
    return free.empty() ? form : times(form, Form(Expr(1), product(free)));
  }

  /// select(c, a, b) coefficient by coefficient.
  Form make_select(const Expr& e) const {
    const std::span<const Expr> args = e.arguments();
    const Condition condition(args[0]);
    const Form &a = at(args[1]), &b = at(args[2]);
    Form form;
    for (std::size_t i = 0; i < a.size(); ++i) {
      form.add(a.monomial(i), select(condition, a.coefficient(i), b.coefficient_of(a.monomial(i))));
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (a.coefficient_of(b.monomial(i)).is_zero()) {
        form.add(b.monomial(i), select(condition, Expr(0), b.coefficient(i)));
      }
    }
    return form;
  }

  Form times(const Form& a, const Form& b) const {
    products_ += a.size() * b.size();
    if (products_ > kProductsPerTerm * max_terms_) {
      throw ExpansionLimitError(
          concat(where_, ": more than ", kProductsPerTerm * max_terms_, " products to add"));
    }
    Form form;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        form.add(a.monomial(i) * b.monomial(j), a.coefficient(i) * b.coefficient(j));
        if (form.size() > max_terms_) {
          throw ExpansionLimitError(concat(where_, ": more than ", max_terms_, " monomials"));
        }
      }
    }
    form.finish();
    return form;
  }

  Form power(Form base, std::int64_t n) const {
    if (base.size() == 1) {  // x^1000000
      return {pow(base.monomial(0), Number(n)), pow(base.coefficient(0), Number(n))};
    }
    // A power of m > 1 terms has at least n + 1 monomials.
    if (static_cast<std::uint64_t>(n) > max_terms_) {
      throw ExpansionLimitError(concat(where_, ": more than ", max_terms_, " monomials"));
    }
    Form result(Expr(1), Expr(1));
    for (;; n >>= 1) {
      if ((n & 1) != 0) {
        result = times(result, base);
      }
      if (n <= 1) {
        return result;
      }
      base = times(base, base);
    }
  }

  internal::LeafSelection<int> xs_;
  Otherwise otherwise_;
  std::size_t max_terms_;
  mutable std::size_t products_ = 0;  // of terms, so far
  std::string_view where_;
  internal::NodeMap<int> place_;
  std::vector<Form> forms_;
  std::vector<Expr> stack_;
};

/// Coefficients that turn out to be zero only when multiplied out.
bool is_zero_when_expanded(const Expr& e) {
  if (e.kind() != Kind::kSum) {
    return e.is_zero();
  }
  try {
    return expand(e, {.max_terms = 1000}).is_zero();
  } catch (const ExpansionLimitError&) {
    return false;
  }
}

void require_vanishing(const Expr& coefficient_found, const Expr& monomial, const Expr& e,
                       std::size_t i) {
  if (!is_zero_when_expanded(coefficient_found)) {
    throw std::invalid_argument(concat("linear_coefficients: expression ", i, ", ",
                                       internal::brief_text(e),
                                       ", is not linear: it has a term in ", monomial));
  }
}

}  // namespace

LinearForm linear_coefficients(std::span<const Expr> es, std::span<const Expr> xs) {
  Collector collect(xs, Otherwise::kThrow, 10'000, "linear_coefficients");
  LinearForm result;
  for (std::size_t i = 0; i < es.size(); ++i) {
    const Form& form = collect(es[i]);
    result.b.push_back(form.coefficient_of(Expr(1)));
    const std::size_t first = result.A.size();
    for (std::size_t k = 0; k < form.size(); ++k) {
      const Expr& monomial = form.monomial(k);
      if (monomial.is_leaf()) {
        result.A.push_back({static_cast<int>(i), collect.column(monomial), form.coefficient(k)});
      } else if (!monomial.is_one()) {
        require_vanishing(form.coefficient(k), monomial, es[i], i);
      }
    }
    std::sort(result.A.begin() + static_cast<std::ptrdiff_t>(first), result.A.end(),
              [](const Entry& a, const Entry& b) { return a.col < b.col; });
  }
  return result;
}

std::vector<MonomialCoefficient> collect_coefficients(const Expr& e, std::span<const Expr> xs,
                                                      Otherwise otherwise, std::size_t max_terms) {
  Collector collect(xs, otherwise, max_terms, "collect_coefficients");
  const Form& form = collect(e);
  std::vector<MonomialCoefficient> result;
  for (std::size_t i = 0; i < form.size(); ++i) {
    result.push_back({form.monomial(i), form.coefficient(i)});
  }
  std::sort(result.begin(), result.end(),
            [](const MonomialCoefficient& a, const MonomialCoefficient& b) {
              const bool a_is_rest = a.monomial.is_one();
              const bool b_is_rest = b.monomial.is_one();
              return a_is_rest || b_is_rest ? !a_is_rest && b_is_rest
                                            : canonical_less(a.monomial, b.monomial);
            });
  return result;
}

std::vector<Expr> polynomial_coefficients(const Expr& e, const Expr& x) {
  constexpr std::int64_t kLargestDegree = 100'000;
  std::vector<Expr> result(1, Expr(0));
  for (const MonomialCoefficient& c : collect_coefficients(e, std::span(&x, 1))) {
    std::int64_t degree = 0;
    if (c.monomial == x) {
      degree = 1;
    } else if (!c.monomial.is_one()) {
      degree = c.monomial.factors()[0].exponent.number().as_int64();
    }
    require(degree <= kLargestDegree, "polynomial_coefficients: degree ", degree, " in ", x,
            " is more than ", kLargestDegree);
    if (static_cast<std::size_t>(degree) >= result.size()) {
      result.resize(static_cast<std::size_t>(degree) + 1, Expr(0));
    }
    result[static_cast<std::size_t>(degree)] = c.coefficient;
  }
  return result;
}

Expr coefficient(const Expr& e, const Expr& x, int n) {
  require(n >= 0, "coefficient: the power must be >= 0, got ", n);
  for (const MonomialCoefficient& c : collect_coefficients(e, std::span(&x, 1))) {
    if (c.monomial == pow(x, n)) {
      return c.coefficient;
    }
  }
  return Expr(0);
}

}  // namespace camber::symbolic
