#include "camber/lagrange/derivation_parts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/lagrange/forward_dynamics.h"
#include "camber/symbolic/evaluate.h"

namespace camber::lagrange {
namespace {

Label plain(const std::string& text) { return {text, text}; }

/// The sections' expressions as outputs v1, v2, ... of a program.
Derivation finish(const LagrangianModel& model, const std::string& what,
                  std::vector<Section> sections) {
  codegen::ProgramBuilder builder(model.system.name + "_" + what);
  builder.set_recipe(concat(what, " of ", model.system.name));
  std::vector<Expr> all;
  for (const Section& section : sections)
    all.insert(all.end(), section.expressions.begin(), section.expressions.end());
  builder.add_output("values", all);
  return {model.system.name,
          model.about,
          {},
          std::move(sections),
          builder.add_remaining_inputs().build(),
          all};
}

std::string list_texts(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// A named quantity's definition; anything else itself.
Expr definition_of(const Expr& e) {
  return e.kind() == symbolic::Kind::kNamed ? e.definition() : e;
}

void add_entry(const std::string& matrix, const std::string& row, const std::string& column,
               const Expr& value, Section* section) {
  if (value.is_zero()) return;
  const std::string text =
      column.empty() ? concat(matrix, "(", row, ")") : concat(matrix, "(", row, ", ", column, ")");
  section->names.push_back(plain(text));
  section->expressions.push_back(definition_of(value));
}

}  // namespace

Derivation describe_energy(const LagrangianModel& model, const std::string& body) {
  std::vector<std::string> names;
  for (const Body& each : model.system.bodies) names.push_back(each.name);
  const auto found = std::ranges::find(model.system.bodies, body, &Body::name);
  require(found != model.system.bodies.end(), "no body \"", body, "\"", did_you_mean(body, names),
          "; bodies of ", model.system.name, ": ", list_texts(names));
  Section section{plain("Energy of " + body),
                  {plain("T"), plain("V")},
                  {kinetic_energy(*found), gravity_energy(*found, model.system.gravity)},
                  false};
  return finish(model, "energy_of_" + body, {std::move(section)});
}

Derivation describe_force(const LagrangianModel& model, const std::string& coordinate) {
  const System& system = model.system;
  std::vector<std::string> names;
  for (const Expr& q : system.coordinates) names.push_back(q.to_string());
  for (const Expr& u : system.speeds) names.push_back(u.to_string());
  const auto is_wanted = [&](const Expr& e) { return e.to_string() == coordinate; };
  auto speed = std::ranges::find_if(system.speeds, is_wanted);
  const auto q = std::ranges::find_if(system.coordinates, is_wanted);
  if (q != system.coordinates.end())
    speed = std::ranges::find(system.speeds, symbolic::variable(q->name(), 1));
  require(speed != system.speeds.end(), "no coordinate or speed \"", coordinate, "\"",
          did_you_mean(coordinate, names), "; those of ", system.name, ": ", list_texts(names));

  Section section{plain("Generalized forces along " + coordinate), {}, {}, false};
  std::vector<Expr> all;
  const auto add = [&](const std::string& name, const Expr& value) {
    if (value.is_zero()) return;
    section.names.push_back(plain(name));
    section.expressions.push_back(value);
    all.push_back(value);
  };
  for (const Force& force : system.forces) add(force.name, generalized_force(force, *speed));
  for (const Torque& torque : system.torques) add(torque.name, generalized_force(torque, *speed));
  for (const GeneralizedForce& force : system.generalized_forces)
    if (force.speed == *speed) add(force.name, force.value);
  // Potentials act through the rates of coordinates, which may be those of other speeds.
  const auto slope_along = [&](const Expr& energy) {
    std::vector<Expr> terms;
    for (const Expr& x : system.coordinates) {
      const Expr x_dot = symbolic::variable(x.name(), 1);
      const auto rate = system.rates.find(x_dot);
      const Expr share = symbolic::diff(rate == system.rates.end() ? x_dot : rate->second, *speed);
      if (!share.is_zero()) terms.push_back(-symbolic::diff(energy, x) * share);
    }
    return symbolic::sum(terms);
  };
  for (const Potential& potential : system.potentials)
    add(potential.name, slope_along(potential.energy));
  for (const Body& body : system.bodies)
    add("gravity of " + body.name, slope_along(gravity_energy(body, system.gravity)));
  section.names.push_back(plain("sum"));
  section.expressions.push_back(symbolic::sum(all));
  std::string what = "force_along_" + coordinate;
  std::ranges::replace(what, '\'', 'p');
  return finish(model, what, {std::move(section)});
}

Derivation describe_accelerations(const LagrangianModel& model, const Equations& equations) {
  const AccelerationEquations a = make_acceleration_equations(model.system, equations);
  ImplicitAccelerations implicit(a);
  std::vector<double> values;
  const symbolic::Substitution parameters = parameter_values(model.system);
  for (const Parameter& p : model.system.parameters)
    values.push_back(symbolic::evaluate(parameters.at(p.symbol), {}));
  const auto weights = find_augmentation(a, values, &implicit);
  auto dynamics = weights ? make_forward_dynamics(a, *weights) : std::nullopt;
  require(dynamics.has_value(), "the accelerations of ", model.system.name,
          " do not follow from one symmetric linear system: `camber run` solves its equations at "
          "each step instead");

  std::vector<std::string> rows;  // of M, then of B
  for (const Expr& speed : a.accelerations) rows.push_back(text_of(speed));
  for (const std::string& name : a.constraint_names) rows.push_back(name);
  const auto n = static_cast<std::size_t>(dynamics->M.rows());
  Section matrices{plain("[M B^T; B 0] [u'; mu] = [F; gamma]; entries not listed are zero, M is "
                         "symmetric"),
                   {},
                   {},
                   false};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      add_entry("M", rows[i], rows[j],
                dynamics->M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), &matrices);
  for (std::size_t i = n; i < rows.size(); ++i)
    for (std::size_t j = 0; j < n; ++j)
      add_entry("B", rows[i], rows[j],
                dynamics->B(static_cast<Eigen::Index>(i - n), static_cast<Eigen::Index>(j)),
                &matrices);
  for (std::size_t i = 0; i < n; ++i)
    add_entry("F", rows[i], "", dynamics->F(static_cast<Eigen::Index>(i)), &matrices);
  for (std::size_t i = n; i < rows.size(); ++i)
    add_entry("gamma", rows[i], "", dynamics->gamma(static_cast<Eigen::Index>(i - n)), &matrices);

  // In the order of elimination: the pivot, then the column of L below it.
  Section factors{
      plain("L D L^T, one unknown after the other; the diagonal of L is 1"), {}, {}, false};
  for (std::size_t k = 0; k < dynamics->ldlt.pivots().size(); ++k) {
    const symbolic::Ldlt::Pivot& pivot = dynamics->ldlt.pivots()[k];
    factors.names.push_back(plain(pivot.name));
    factors.expressions.push_back(definition_of(pivot.value));
    for (const symbolic::Entry& entry : dynamics->ldlt.L_columns()[k]) {
      const bool is_named = entry.value.kind() == symbolic::Kind::kNamed;
      factors.names.push_back(
          plain(is_named ? std::string(entry.value.name())
                         : concat("L(",
                                  rows[static_cast<std::size_t>(
                                      dynamics->ldlt.order()[static_cast<std::size_t>(entry.row)])],
                                  ", ", rows[static_cast<std::size_t>(pivot.unknown)], ")")));
      factors.expressions.push_back(definition_of(entry.value));
    }
  }
  std::vector<Expr> counted = dynamics->unknowns;
  return {model.system.name,
          model.about,
          {"The program computes the rates of the state and, after them, accelerations and "
           "multipliers."},
          {std::move(matrices), std::move(factors)},
          std::move(dynamics->program),
          std::move(counted)};
}

}  // namespace camber::lagrange
