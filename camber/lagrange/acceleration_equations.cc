// 003 eq. 34-37: M u' + B^T mu = F from the dynamics, B u' = gamma from the constraints
// differentiated until accelerations appear, twice for holonomic ones, once for nonholonomic ones:
// index 1 instead of 3 and 2. Stabilization: [Baumgarte 1972], or a projection of x elsewhere.
#include "camber/lagrange/acceleration_equations.h"

#include <algorithm>
#include <utility>

#include "camber/core/require.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/substitute.h"

namespace camber::lagrange {
namespace {

using symbolic::Seed;

Expr next(const Expr& x) { return symbolic::variable(x.name(), x.order() + 1); }

bool any_depends_on(const std::vector<Expr>& es, const Expr& leaf) {
  return std::ranges::any_of(es, [&](const Expr& e) { return e.depends_on(leaf); });
}

/// q' of each coordinate: a speed itself, or given in terms of speeds.
std::vector<Expr> make_rates(const Equations& equations) {
  std::vector<Expr> rates;
  for (const Expr& q : equations.coordinates) {
    const auto given = equations.rates.find(next(q));
    const bool is_speed = std::ranges::find(equations.speeds, next(q)) != equations.speeds.end();
    require(is_speed || given != equations.rates.end(), "make_acceleration_equations: the rate of ",
            q, " is neither a speed nor given in terms of speeds");
    rates.push_back(given == equations.rates.end() ? next(q) : given->second);
  }
  return rates;
}

void require_known_derivatives(const AccelerationEquations& a, const Equations& equations) {
  const auto require_free = [&](const std::vector<Expr>& leaves, const char* what,
                                const char* hint) {
    for (std::size_t i = 0; i < equations.constraints.size(); ++i) {
      for (const Expr& leaf : leaves) {
        require(!equations.constraints[i].depends_on(leaf), "constraint \"", a.constraint_names[i],
                "\" depends on ", what, " ", text_of(leaf), ", whose derivatives are not known; ",
                hint);
      }
    }
  };
  require_free(a.inputs, "the input", "write a prescribed motion as a function of time");
  require_free(a.extra_states, "the extra variable", "make it a coordinate");
  require_free(a.algebraic, "the extra variable", "make it a coordinate");
}

void sort_extra_variables(const System& system, const Equations& equations,
                          AccelerationEquations* a) {
  std::vector<Expr> algebraic_equations, all = equations.dynamics;
  for (const ExtraVariable& extra : equations.extra) all.push_back(extra.equation);
  for (const ExtraVariable& extra : equations.extra) {
    const Expr equation = symbolic::substitute(extra.equation, system.rates);
    if (any_depends_on(all, next(extra.variable))) {
      a->extra_states.push_back(extra.variable);
      a->extra_rates.push_back(next(extra.variable));
      a->extra.push_back(equation);
    } else {
      a->algebraic.push_back(extra.variable);
      algebraic_equations.push_back(equation);
    }
  }
  a->extra.insert(a->extra.end(), algebraic_equations.begin(), algebraic_equations.end());
}

void sort_multipliers(const Equations& equations, AccelerationEquations* a) {
  for (const Expr& multiplier : equations.multipliers) {
    const bool is_state = any_depends_on(equations.dynamics, next(multiplier));
    if (is_state) a->multiplier_states.push_back(multiplier);
    a->multipliers.push_back(is_state ? next(multiplier) : multiplier);
  }
}

void differentiate_constraints(const System& system, const Baumgarte& baumgarte,
                               AccelerationEquations* a) {
  std::vector<Seed> seeds{{a->time, Expr(1)}};
  for (std::size_t i = 0; i < a->coordinates.size(); ++i)
    seeds.push_back({a->coordinates[i], a->rates[i]});
  for (const Expr& u : a->speeds) seeds.push_back({u, next(u)});
  symbolic::Differentiator d_dt(seeds);
  const Expr rate = baumgarte.rate;
  for (std::size_t i = 0; i < system.constraints.size(); ++i) {
    const bool holonomic = system.constraints[i].kind == Constraint::Kind::kHolonomic;
    const Expr& velocity = a->velocity_constraints[i];
    Expr acceleration = d_dt(velocity) + (holonomic ? 2 : 1) * rate * velocity;
    if (holonomic) {
      acceleration += rate * rate * system.constraints[i].expression;
      a->position_constraints.push_back(system.constraints[i].expression);
      a->position_owners.push_back(static_cast<int>(i));
    }
    a->acceleration_constraints.push_back(acceleration);
  }
}

std::vector<Expr> concatenate(std::initializer_list<const std::vector<Expr>*> parts) {
  std::vector<Expr> all;
  for (const auto* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

}  // namespace

std::vector<Expr> AccelerationEquations::state() const {
  return concatenate({&coordinates, &speeds, &extra_states, &multiplier_states});
}
std::vector<Expr> AccelerationEquations::unknowns() const {
  return concatenate({&accelerations, &multipliers, &extra_rates, &algebraic});
}
std::vector<Expr> AccelerationEquations::residuals() const {
  return concatenate({&dynamics, &acceleration_constraints, &extra});
}

codegen::ProgramBuilder start_program(const AccelerationEquations& a, std::string_view name) {
  codegen::ProgramBuilder builder(name);
  builder.add_input(a.time).add_input("state", a.state());
  if (!a.inputs.empty()) builder.add_input("inputs", a.inputs);
  if (!a.parameters.empty()) builder.add_input("parameters", a.parameters);
  return builder;
}

std::string list_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string text_of(const Expr& leaf) {
  std::string text(leaf.name());
  if (leaf.kind() == symbolic::Kind::kVariable) text.append(leaf.order(), '\'');
  return text;
}

AccelerationEquations make_acceleration_equations(const System& system, const Equations& equations,
                                                  const Baumgarte& baumgarte) {
  require(system.constraints.size() == equations.velocity_constraints.size(),
          "make_acceleration_equations: the equations have ", equations.velocity_constraints.size(),
          " constraints, the system ", system.constraints.size());
  require(baumgarte.rate >= 0, "Baumgarte: rate must be >= 0 1/s, got ", baumgarte.rate);
  AccelerationEquations a;
  a.name = system.name;
  a.time = system.time;
  a.inputs = system.inputs;
  for (const Parameter& p : system.parameters) a.parameters.push_back(p.symbol);
  a.coordinates = equations.coordinates;
  a.speeds = equations.speeds;
  a.rates = make_rates(equations);
  for (const Expr& u : a.speeds) a.accelerations.push_back(next(u));
  for (const Constraint& c : system.constraints) a.constraint_names.push_back(c.name);
  a.velocity_constraints = equations.velocity_constraints;
  a.dynamics = symbolic::substitute(equations.dynamics, system.rates);
  sort_extra_variables(system, equations, &a);
  sort_multipliers(equations, &a);
  require_known_derivatives(a, equations);
  differentiate_constraints(system, baumgarte, &a);
  return a;
}

}  // namespace camber::lagrange
