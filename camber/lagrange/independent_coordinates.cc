#include "camber/lagrange/independent_coordinates.h"

#include <algorithm>

#include "camber/core/require.h"
#include "camber/lagrange/linearize.h"
#include "camber/lagrange/simplify_coefficients.h"
#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/linear_solve.h"
#include "camber/symbolic/simplify.h"

// 001 section 4.2, eq. 13-15, where all constraints are integrated. Here a constraint may also
// relate rates to positions, such as y' - V psi = 0 of a wheel that does not slip sideways:
//   H q = 0                          positions, solved for q_h = P [z; q_n]              (1)
//   N1 q' + N0 q = 0, (1) put in     rates, solved for q_n' = G z' + g(z, q_n)           (2)
//   R = dq'/dz' from (1) and (2)                                                         (3)
// (1) and (2) are both rows of one Jacobian by the rates, whose columns decide what may depend.

namespace camber::lagrange {

using symbolic::LinearSolution;
using symbolic::variable;

namespace {

Expr rate(const Expr& q) { return variable(q.name(), q.order() + 1); }

std::vector<Expr> rates_of(std::span<const Expr> coordinates) {
  std::vector<Expr> rates;
  for (const Expr& q : coordinates) rates.push_back(rate(q));
  return rates;
}

bool contains(std::span<const Expr> list, const Expr& e) {
  return std::find(list.begin(), list.end(), e) != list.end();
}

std::string list_text(std::span<const Expr> list) {
  std::string text;
  for (const Expr& e : list) text += (text.empty() ? "" : ", ") + e.to_string();
  return text;
}

struct NamedConstraint {
  std::string name;
  Expr expression;
};

std::string list_names(std::span<const NamedConstraint> constraints, std::span<const int> which) {
  std::string text;
  for (const int i : which) text += (text.empty() ? "\"" : ", \"") + constraints[i].name + '"';
  return text;
}

std::vector<Expr> expressions_of(std::span<const NamedConstraint> constraints) {
  std::vector<Expr> result;
  for (const NamedConstraint& c : constraints) result.push_back(c.expression);
  return result;
}

/// The constraints sorted by what they bind; `by_rate` has all of them at the level of rates.
struct Constraints {
  std::vector<NamedConstraint> positions;  // (1)
  std::vector<NamedConstraint> rates;      // (2)
  std::vector<NamedConstraint> by_rate;    // derivatives of (1), then (2)
};

bool has_only_derivatives(const Expr& e) {
  const std::vector<Expr> variables = variables_of(std::span(&e, 1));
  return std::none_of(variables.begin(), variables.end(),
                      [](const Expr& x) { return x.order() == 0; });
}

Expr integrate(const Expr& e) {
  Substitution lower;
  for (const Expr& x : variables_of(std::span(&e, 1))) {
    lower.emplace(x, variable(x.name(), x.order() - 1));
  }
  return symbolic::substitute(e, lower);
}

Constraints sort_constraints(std::span<const Expr> constraints, std::span<const std::string> names,
                             std::span<const Expr> coordinates, std::vector<std::string>* notes) {
  Constraints sorted;
  const std::vector<Expr> rates = rates_of(coordinates);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    Expr e = constraints[i];
    if (!e.is_zero() && has_only_derivatives(e)) {
      e = integrate(e);
      notes->push_back(
          concat("constraint \"", names[i], "\" integrated, its constant dropped: ", e, " = 0"));
    }
    const bool has_rates =
        std::any_of(rates.begin(), rates.end(), [&](const Expr& x) { return e.depends_on(x); });
    (has_rates ? sorted.rates : sorted.positions).push_back({names[i], e});
  }
  for (const NamedConstraint& c : sorted.positions) {
    sorted.by_rate.push_back({c.name, symbolic::time_derivative(c.expression)});
  }
  sorted.by_rate.insert(sorted.by_rate.end(), sorted.rates.begin(), sorted.rates.end());
  return sorted;
}

/// Whether the columns of these unknowns are linearly independent in the constraints.
bool are_determined(std::span<const NamedConstraint> constraints, std::span<const Expr> unknowns) {
  const symbolic::LinearForm form =
      symbolic::linear_coefficients(expressions_of(constraints), unknowns);
  std::vector<std::vector<Expr>> terms(constraints.size());
  for (const symbolic::Entry& entry : form.A) {
    terms[entry.row].push_back(entry.value * unknowns[entry.col]);
  }
  std::vector<Expr> homogeneous;
  for (const auto& row : terms) homogeneous.push_back(symbolic::sum(row));
  return symbolic::solve_linear(homogeneous, unknowns).free_unknowns.empty();
}

/// As many of `candidates` as the constraints determine, the last ones first; `order` is that of
/// the derivative in which the constraints bind them.
std::vector<Expr> choose_dependent(std::span<const NamedConstraint> constraints,
                                   std::span<const Expr> candidates, int order) {
  std::vector<Expr> chosen;
  std::vector<Expr> unknowns;
  for (auto q = candidates.rbegin(); q != candidates.rend(); ++q) {
    if (chosen.size() == constraints.size()) break;
    unknowns.push_back(variable(q->name(), q->order() + order));
    if (are_determined(constraints, unknowns)) {
      chosen.push_back(*q);
    } else {
      unknowns.pop_back();
    }
  }
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

/// Explains why the unknowns do not follow from the constraints, or notes that some are redundant.
LinearSolution solve(std::span<const NamedConstraint> constraints, std::span<const Expr> unknowns,
                     std::span<const Expr> independent, std::vector<std::string>* notes) {
  LinearSolution solution = symbolic::solve_linear(expressions_of(constraints), unknowns);
  if (!solution.contradictions.empty()) {
    const LinearSolution::Dependency& relation = solution.contradictions[0];
    const bool is_one = relation.equations.size() == 1;
    require(false, "find_independent_coordinates: ", list_text(independent),
            " are not independent: ", is_one ? "constraint " : "constraints ",
            list_names(constraints, relation.equations), is_one ? " relates" : " relate",
            " them by ", symbolic::simplify(relation.residual), " = 0");
  }
  if (!solution.free_unknowns.empty()) {
    std::vector<Expr> open;
    for (const int i : solution.free_unknowns) open.push_back(variable(unknowns[i].name()));
    require(false, "find_independent_coordinates: the constraints do not determine ",
            list_text(open), "; choose as many more independent coordinates beside ",
            list_text(independent));
  }
  for (const LinearSolution::Dependency& redundant : solution.redundant) {
    notes->push_back(concat("constraints ", list_names(constraints, redundant.equations),
                            " are equivalent; one of them is redundant"));
  }
  return solution;
}

void check_arguments(std::span<const Expr> constraints, std::span<const std::string> names,
                     std::span<const Expr> coordinates, std::span<const Expr> independent) {
  require(names.size() == constraints.size(), "find_independent_coordinates: ", constraints.size(),
          " constraints have ", names.size(), " names");
  for (const Expr& q : coordinates) {
    require(q.kind() == symbolic::Kind::kVariable && q.order() == 0,
            "find_independent_coordinates: not a coordinate: ", q);
  }
  for (const Expr& z : independent) {
    require(contains(coordinates, z), "find_independent_coordinates: ", z,
            " is chosen as independent, but is not a coordinate; coordinates are ",
            list_text(coordinates));
  }
}

/// Derivative of q' by z', where q' is expanded by what depends on what. (3)
MatrixX velocity_projection(std::span<const Expr> coordinates,
                            const IndependentCoordinates& result) {
  const std::vector<Expr> q_dot = eliminate_dependent(rates_of(coordinates), result);
  const std::vector<Expr> z_dot = rates_of(result.independent);
  MatrixX R = MatrixX::Zero(static_cast<int>(q_dot.size()), static_cast<int>(z_dot.size()));
  for (const symbolic::Entry& entry : symbolic::jacobian(q_dot, z_dot)) {
    R(entry.row, entry.col) = symbolic::simplify(entry.value);
  }
  return R;
}

}  // namespace

IndependentCoordinates find_independent_coordinates(std::span<const Expr> constraints,
                                                    std::span<const std::string> names,
                                                    std::span<const Expr> coordinates,
                                                    std::span<const Expr> independent) {
  check_arguments(constraints, names, coordinates, independent);
  IndependentCoordinates result;
  const Constraints sorted = sort_constraints(constraints, names, coordinates, &result.notes);

  std::vector<Expr> dependent;
  if (independent.empty()) {
    dependent = choose_dependent(sorted.by_rate, coordinates, 1);
  } else {
    std::copy_if(coordinates.begin(), coordinates.end(), std::back_inserter(dependent),
                 [&](const Expr& q) { return !contains(independent, q); });
  }
  std::copy_if(coordinates.begin(), coordinates.end(), std::back_inserter(result.independent),
               [&](const Expr& q) { return !contains(dependent, q); });

  // The choice as a whole, so that a wrong one is explained with all constraints in view.
  solve(sorted.by_rate, rates_of(dependent), result.independent, &result.notes);

  const std::vector<Expr> by_position = choose_dependent(sorted.positions, dependent, 0);  // (1)
  std::vector<std::string> said_above;
  const LinearSolution positions =
      solve(sorted.positions, by_position, result.independent, &said_above);
  const std::vector<Expr> position_values = simplify_coefficients(positions.values);
  for (std::size_t i = 0; i < by_position.size(); ++i) {
    result.positions.emplace(by_position[i], position_values[i]);
  }

  std::vector<Expr> by_rate;  // (2)
  std::copy_if(dependent.begin(), dependent.end(), std::back_inserter(by_rate),
               [&](const Expr& q) { return !contains(by_position, q); });
  const std::vector<Expr> rate_constraints =
      symbolic::substitute_motion(expressions_of(sorted.rates), result.positions);
  const LinearSolution rates = symbolic::solve_linear(rate_constraints, rates_of(by_rate));
  const std::vector<Expr> rate_values = simplify_coefficients(rates.values);
  for (std::size_t i = 0; i < by_rate.size(); ++i) {
    result.rates.emplace(rate(by_rate[i]), rate_values[i]);
  }
  result.R = velocity_projection(coordinates, result);
  return result;
}

std::vector<Expr> eliminate_dependent(std::span<const Expr> expressions,
                                      const IndependentCoordinates& coordinates) {
  std::vector<Expr> result = symbolic::substitute_motion(expressions, coordinates.positions);
  // The expression inserted for a rate may contain other dependent rates, but of one order less
  // each time; so this ends.
  const auto is_dependent_rate = [&](const Expr& x) {
    return x.order() > 0 && coordinates.rates.contains(variable(x.name(), 1));
  };
  while (true) {
    const std::vector<Expr> variables = variables_of(result);
    if (std::none_of(variables.begin(), variables.end(), is_dependent_rate)) return result;
    result = symbolic::substitute_motion(result, coordinates.rates);
  }
}

}  // namespace camber::lagrange
