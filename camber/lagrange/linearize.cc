#include "camber/lagrange/linearize.h"

#include <algorithm>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/lagrange/simplify_coefficients.h"
#include "camber/symbolic/brief_text.h"
#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/rational.h"
#include "camber/symbolic/simplify.h"

// 001 section 4.1 and its appendix 7.4. Two things differ: the coefficients are partial derivatives
// by q, q', q'' as independent leaves, put on the motion afterwards, so that a motion may depend on
// time; and we check that the motion satisfies the equations and that time drops out of the
// coefficients.
//
// A coefficient c(t) that is constant equals c(0), where the sines and cosines of wheel angles V
// t/R are numbers. So c(0) is the result, and the proof is that c(t) - c(0) rewrites to zero.

namespace camber::lagrange {

using symbolic::Kind;

namespace {

std::string name_of(std::size_t i, const LinearizeOptions& options) {
  return options.names.empty() ? concat("expression ", i + 1)
                               : concat("\"", options.names[i], "\"");
}

/// The motion, with rest at zero for the variables in `es` that it leaves out.
Substitution complete(const Substitution& motion, std::span<const Expr> es) {
  Substitution all = motion;
  for (const Expr& x : variables_of(es)) {
    bool given = false;
    for (int order = 0; order <= x.order() && !given; ++order) {
      given = motion.contains(symbolic::variable(x.name(), order));
    }
    if (!given) all.emplace(symbolic::variable(x.name()), Expr(0));
  }
  return all;
}

/// substitute_motion(), with symbols among the keys.
std::vector<Expr> put_on_motion(std::span<const Expr> es, const Substitution& motion,
                                const Expr& time) {
  Substitution symbols;
  Substitution variables;
  for (const auto& [key, value] : motion) {
    (key.kind() == Kind::kSymbol ? symbols : variables).emplace(key, value);
  }
  const std::vector<Expr> fixed = symbolic::substitute(es, symbols);
  return symbolic::substitute_motion(fixed, complete(variables, fixed), time);
}

bool rewrites_to_zero(const Expr& e) {
  return normal_form(e).is_zero() || symbolic::is_proven_zero(e) || symbolic::simplify(e).is_zero();
}

/// c(0) if c is proven not to depend on time, else c itself.
Expr without_time(const Expr& c, const Expr& time) {
  if (!c.depends_on(time)) return c;
  try {
    const Expr start = symbolic::substitute(c, {{time, Expr(0)}});
    return rewrites_to_zero(c - start) ? start : c;
  } catch (const std::domain_error&) {  // no value at the start, such as 1/t
    return c;
  }
}

void check(std::span<const Expr> expressions, const Expr& time, const LinearizeOptions& options) {
  require(time.kind() == Kind::kSymbol, "linearize: time must be a symbol, got ", time);
  require(options.names.empty() || options.names.size() == expressions.size(),
          "linearize: ", expressions.size(), " expressions have ", options.names.size(), " names");
  for (const Expr& symbol : options.symbols) {
    require(symbol.kind() == Kind::kSymbol, "linearize: not a symbol: ", symbol);
  }
}

void check_vanishing(std::span<const Expr> expressions, const Substitution& motion,
                     const Expr& time, const LinearizeOptions& options) {
  const std::vector<Expr> values = values_along(expressions, motion, time);
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(values[i].is_zero() || (options.vanishes && options.vanishes(i, values[i])),
            "linearize: ", name_of(i, options),
            " is not zero along the motion: ", symbolic::internal::brief_text(values[i]),
            " is left");
  }
}

}  // namespace

std::vector<Expr> variables_of(std::span<const Expr> expressions) {
  std::vector<Expr> variables;
  for (const Expr& e : expressions) {
    for (const Expr& leaf : e.leaves()) {
      if (leaf.kind() == Kind::kVariable) variables.push_back(leaf);
    }
  }
  std::sort(variables.begin(), variables.end(), symbolic::canonical_less);
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

std::vector<Expr> values_along(std::span<const Expr> expressions, const Substitution& motion,
                               const Expr& time) {
  std::vector<Expr> values = put_on_motion(expressions, motion, time);
  for (Expr& value : values) {
    if (value.is_zero()) continue;
    value = rewrites_to_zero(value) ? Expr(0) : without_time(value, time);
  }
  return values;
}

std::vector<Expr> linearize(std::span<const Expr> expressions, const Substitution& motion,
                            const Expr& time, const LinearizeOptions& options) {
  check(expressions, time, options);
  Substitution with_symbols = motion;
  for (const Expr& symbol : options.symbols) with_symbols.emplace(symbol, Expr(0));
  if (options.must_vanish) check_vanishing(expressions, with_symbols, time, options);
  std::vector<Expr> xs = variables_of(expressions);
  xs.insert(xs.end(), options.symbols.begin(), options.symbols.end());
  const std::vector<symbolic::Entry> entries = symbolic::jacobian(expressions, xs);
  std::vector<Expr> coefficients;
  for (const symbolic::Entry& entry : entries) coefficients.push_back(entry.value);
  coefficients = put_on_motion(coefficients, with_symbols, time);

  std::vector<std::vector<Expr>> terms(expressions.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Expr coefficient = without_time(coefficients[k], time);
    require(!coefficient.depends_on(time), "linearize: the coefficient of ", xs[entries[k].col],
            " in ", name_of(entries[k].row, options),
            " varies in time along the motion: ", symbolic::internal::brief_text(coefficient));
    terms[entries[k].row].push_back(normal_form(coefficient) * xs[entries[k].col]);
  }
  std::vector<Expr> result;
  for (const std::vector<Expr>& row : terms) result.push_back(symbolic::sum(row));
  return result;
}

DynamicForm dynamic_form(std::span<const Expr> equations, std::span<const Expr> coordinates) {
  const int rows = static_cast<int>(equations.size());
  const int n = static_cast<int>(coordinates.size());
  std::vector<Expr> unknowns;
  for (int order = 0; order <= 2; ++order) {
    for (const Expr& q : coordinates) {
      require(q.kind() == Kind::kVariable, "dynamic_form: not a variable of time: ", q);
      unknowns.push_back(symbolic::variable(q.name(), q.order() + order));
    }
  }
  const symbolic::LinearForm form = symbolic::linear_coefficients(equations, unknowns);
  DynamicForm result{MatrixX::Zero(rows, n), MatrixX::Zero(rows, n), MatrixX::Zero(rows, n),
                     symbolic::VectorX::Zero(rows)};
  MatrixX* const by_order[] = {&result.K, &result.C, &result.M};
  for (const symbolic::Entry& entry : form.A) {
    (*by_order[entry.col / n])(entry.row, entry.col % n) = entry.value;
  }
  for (int i = 0; i < rows; ++i) result.F[i] = -form.b[i];
  return result;
}

MatrixX quadratic_form(const Expr& F, std::span<const Expr> q) {
  const int n = static_cast<int>(q.size());
  MatrixX Q = MatrixX::Zero(n, n);
  for (const symbolic::Entry& entry : symbolic::hessian(F, q)) {
    Q(entry.row, entry.col) = symbolic::simplify(entry.value / 2);
  }
  Expr rest = F;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) rest -= q[i] * Q(i, j) * q[j];
  }
  require(rewrites_to_zero(rest), "quadratic_form: ", symbolic::internal::brief_text(F),
          " is not a quadratic form of its variables");
  return Q;
}

}  // namespace camber::lagrange
