// [Gantmacher 1959] vol. 2, chapter XV: with p_n > 0, all roots of p_n s^n + ... + p_0 have negative
// real parts if and only if (Lienard and Chipart, theorem 11)
//   p_0 > 0, p_2 > 0, ...,  p_(n-1)... as listed, and  Delta_(n-1) > 0, Delta_(n-3) > 0, ...      (1)
// where Delta_k is the determinant of the first k rows and columns of H_ij = p_(n - 2 j + i).     (2)
// All coefficients are listed, which is necessary and costs nothing to read.
// An even polynomial f(s) = q(s^2) has simple imaginary roots only if and only if f + f' meets (1):
// the roots of f and f' then interlace on the imaginary axis (theorem of Hermite and Biehler).    (3)

#include "camber/lagrange/stability_conditions.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"
#include "camber/lagrange/linear_model.h"
#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/latex.h"
#include "camber/symbolic/rational.h"
#include "camber/symbolic/simplify.h"

namespace camber::lagrange {
namespace {

/// Coefficients of 1, s, s^2, ...
using Polynomial = std::vector<Expr>;

void add_product(const Polynomial& a, const Polynomial& b, int sign, Polynomial* sum) {
  if (a.empty() || b.empty()) return;
  sum->resize(std::max(sum->size(), a.size() + b.size() - 1), Expr(0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (!a[i].is_zero() && !b[j].is_zero()) (*sum)[i + j] += sign * a[i] * b[j];
}

/// The determinant of rows of polynomials, by Laplace's expansion: minors of the first rows over
/// each set of columns, once.
Polynomial calc_determinant(const std::vector<std::vector<Polynomial>>& rows) {
  const std::size_t n = rows.size();
  std::vector<Polynomial> minors(std::size_t{1} << n);
  minors[0] = {Expr(1)};
  for (std::uint32_t columns = 1; columns < minors.size(); ++columns) {
    const auto row = static_cast<std::size_t>(std::popcount(columns)) - 1;
    int later = 0;  // columns of the set after this one
    for (std::size_t j = n; j-- > 0;) {
      if ((columns >> j & 1U) == 0) continue;
      add_product(rows[row][j], minors[columns & ~(1U << j)], later % 2 == 0 ? 1 : -1,
                  &minors[columns]);
      ++later;
    }
    for (Expr& c : minors[columns])
      if (!c.is_number() && symbolic::is_proven_zero(c)) c = 0;
    while (!minors[columns].empty() && minors[columns].back().is_zero()) minors[columns].pop_back();
  }
  return minors.back();
}

/// Determinant of the first k rows and columns of (2); 1-based i, j.
Expr calc_hurwitz_determinant(const Polynomial& p, int k) {
  const int n = static_cast<int>(p.size()) - 1;
  std::vector<std::vector<Polynomial>> rows;
  for (int i = 1; i <= k; ++i) {
    rows.emplace_back();
    for (int j = 1; j <= k; ++j) {
      const int power = n - 2 * j + i;
      const bool is_there =
          power >= 0 && power <= n && !p[static_cast<std::size_t>(power)].is_zero();
      rows.back().push_back(is_there ? Polynomial{p[static_cast<std::size_t>(power)]}
                                     : Polynomial{});
    }
  }
  const Polynomial result = calc_determinant(rows);
  return result.empty() ? Expr(0) : result[0];
}

double value_at(const Expr& e, const Substitution& values) {
  return symbolic::evaluate(symbolic::substitute(e, values), {});
}

}  // namespace

StabilityConditions find_stability_conditions(const StateSpace& space, const Substitution& values) {
  const auto n = static_cast<std::size_t>(space.states.size());
  require(n <= kMaxStabilityStates, "stability conditions: ", n, " states, expected at most ",
          kMaxStabilityStates, "; `camber modes --sweep` finds limits of larger systems");
  std::vector<std::vector<Polynomial>> rows(n, std::vector<Polynomial>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const Expr e = space.E(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)),
                 a = space.A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (!e.is_zero()) rows[i][j] = {-a, e};
      if (e.is_zero() && !a.is_zero()) rows[i][j] = {-a};
    }
  }
  Polynomial p = calc_determinant(rows);
  for (Expr& c : p) c = symbolic::simplify(c);
  StabilityConditions result;
  while (!p.empty() && p.front().is_zero()) {
    p.erase(p.begin());
    ++result.zero_roots;
  }
  require(!p.empty(), "stability conditions: det(E s - A) is zero for all s");
  if (value_at(p.back(), values) < 0)
    for (Expr& c : p) c = symbolic::simplify(-c);
  result.polynomial = p;
  result.is_even = p.size() > 1;
  for (std::size_t k = 1; k < p.size(); k += 2) result.is_even = result.is_even && p[k].is_zero();

  for (std::size_t k = 0; k + 1 < p.size(); ++k) {
    if (result.is_even && k % 2 == 1) continue;
    result.conditions.push_back({concat("p", k), p[k]});
  }
  Polynomial tested = p;
  if (result.is_even)  // (3)
    for (std::size_t k = 1; k < p.size(); k += 2) tested[k] = static_cast<int>(k + 1) * p[k + 1];
  // Delta_1 is a coefficient.
  for (int k = static_cast<int>(tested.size()) - 2; k > 1; k -= 2)
    result.conditions.push_back(
        {concat("Delta", k), symbolic::simplify(calc_hurwitz_determinant(tested, k))});
  return result;
}

std::vector<SymbolicLimit> solve_limits(const StabilityConditions& conditions,
                                        const Expr& parameter) {
  std::vector<SymbolicLimit> limits;
  for (const StabilityConditions::Condition& condition : conditions.conditions) {
    if (!condition.value.depends_on(parameter)) continue;
    try {
      const Expr numerator = symbolic::rational_form(condition.value).numerator;
      std::vector<Expr> c = symbolic::polynomial_coefficients(numerator, parameter);
      std::size_t common = 0;  // a factor of a power of the parameter
      while (common < c.size() && c[common].is_zero()) ++common;
      c.erase(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(common));
      if (c.size() == 2) {
        limits.push_back({condition.name, symbolic::simplify(-c[0] / c[1])});
      } else if (c.size() == 3 && c[1].is_zero()) {
        limits.push_back({condition.name, symbolic::sqrt(symbolic::simplify(-c[0] / c[2]))});
      }
    } catch (const std::invalid_argument&) {  // not a polynomial
    } catch (const symbolic::ExpansionLimitError&) {
    }
  }
  return limits;
}

Derivation describe_stability(const LagrangianModel& model, const Equations& equations,
                              const std::string& parameter) {
  const LinearModel linear = make_linear_model(model.system, equations, model.linearization);
  const StateSpace space = make_state_space(linear);
  const Substitution values = parameter_values(model.system);
  const StabilityConditions found = find_stability_conditions(space, values);
  Section polynomial{{"Characteristic polynomial p0 + p1 s + ...",
                      "Characteristic polynomial "
                      "$p_0 + p_1 s + \\dots$"},
                     {},
                     {},
                     false};
  for (std::size_t k = 0; k < found.polynomial.size(); ++k) {
    if (found.polynomial[k].is_zero()) continue;
    polynomial.names.push_back({concat("p", k), concat("p_{", k, "}")});
    polynomial.expressions.push_back(found.polynomial[k]);
  }
  const std::string title =
      found.is_even ? "Neutrally stable (simple imaginary roots) if all of these are > 0"
                    : "Asymptotically stable if all of these are > 0";
  Section conditions{{title, title}, {}, {}, false};
  bool is_stable = true;
  std::string signs;
  for (const auto& [name, value] : found.conditions) {
    conditions.names.push_back({name, name});
    conditions.expressions.push_back(value);
    const double number = value_at(value, values);
    is_stable = is_stable && number > 0;
    signs += concat(signs.empty() ? "" : ", ", name, " = ", short_text(number));
  }
  std::vector<Expr> all = polynomial.expressions;
  all.insert(all.end(), conditions.expressions.begin(), conditions.expressions.end());
  std::vector<std::string> notes = linear.notes;
  if (found.zero_roots > 0)
    notes.push_back(concat(count_text(found.zero_roots, "root"), " at zero left out"));
  notes.push_back(concat("At the values of the parameters: ", signs, ": ",
                         is_stable ? "stable" : "not stable"));
  std::vector<Section> sections = {std::move(polynomial), std::move(conditions)};
  if (!parameter.empty()) {
    std::vector<std::string> names;
    for (const Parameter& p : model.system.parameters) names.push_back(p.symbol.to_string());
    require(std::ranges::find(names, parameter) != names.end(), "no parameter \"", parameter, "\"",
            did_you_mean(parameter, names));
    Section limits{{"Limits of " + parameter, "Limits of " + parameter}, {}, {}, false};
    for (const SymbolicLimit& limit : solve_limits(found, symbolic::symbol(parameter))) {
      const std::string name = concat(parameter, " where ", limit.condition, " = 0");
      limits.names.push_back({name, concat("\\text{", name, "}")});
      limits.expressions.push_back(limit.value);
      all.push_back(limit.value);
    }
    if (limits.expressions.empty())
      notes.push_back(concat("No condition can be solved for ", parameter,
                             "; `camber modes --sweep ", parameter, "=...` finds its limits"));
    else
      sections.push_back(std::move(limits));
  }
  codegen::ProgramBuilder builder(model.system.name + "_stability");
  builder.set_recipe("characteristic polynomial and stability conditions of " + model.system.name);
  builder.add_output("values", all);
  return {model.system.name,
          model.about,
          std::move(notes),
          std::move(sections),
          builder.add_remaining_inputs().build(),
          std::move(all)};
}

}  // namespace camber::lagrange
