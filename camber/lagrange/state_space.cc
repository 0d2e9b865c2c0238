#include "camber/lagrange/state_space.h"

#include <algorithm>

#include "camber/core/require.h"
#include "camber/lagrange/first_order.h"
#include "camber/lagrange/linearize.h"
#include "camber/symbolic/brief_text.h"
#include "camber/symbolic/coefficients.h"

// 001 section 4.3, eq. 17. The sign of a row is that of the equation it came from.

namespace camber::lagrange {

using symbolic::variable;

namespace {

std::vector<Expr> expressions_of(std::span<const Output> outputs) {
  std::vector<Expr> result;
  for (const Output& output : outputs) result.push_back(output.expression);
  return result;
}

std::vector<Expr> rates_of(std::span<const Expr> states) {
  std::vector<Expr> rates;
  for (const Expr& x : states) rates.push_back(variable(x.name(), 1));
  return rates;
}

/// Outputs with rates of states as states, so that y has none.
void make_algebraic(std::vector<Expr>* outputs, std::span<const Output> named, FirstOrder* system) {
  const std::vector<Expr> rates = rates_of(system->states);
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    const Expr value = (*outputs)[i];
    if (std::none_of(rates.begin(), rates.end(),
                     [&](const Expr& x) { return value.depends_on(x); })) {
      continue;
    }
    const Expr state = variable(named[i].name);
    require(std::find(system->states.begin(), system->states.end(), state) == system->states.end(),
            "make_state_space: output \"", named[i].name, "\" has the name of a state");
    system->states.push_back(state);
    system->equations.push_back(state - value);
    (*outputs)[i] = state;
  }
}

/// Columns of `form` from `first` on, as a matrix.
MatrixX columns(const symbolic::LinearForm& form, int rows, int first, int cols) {
  MatrixX M = MatrixX::Zero(rows, cols);
  for (const symbolic::Entry& entry : form.A) {
    if (entry.col >= first && entry.col < first + cols) {
      M(entry.row, entry.col - first) = entry.value;
    }
  }
  return M;
}

void check_rest(const symbolic::LinearForm& form, std::span<const std::string> names) {
  for (std::size_t i = 0; i < form.b.size(); ++i) {
    require(form.b[i].is_zero(), "make_state_space: \"", names[i],
            "\" has more than states, their rates and inputs: ",
            symbolic::internal::brief_text(form.b[i]));
  }
}

}  // namespace

StateSpace make_state_space(const LinearModel& model) {
  require(model.equations.size() == model.variables.size(),
          "make_state_space: ", model.equations.size(), " equations for ", model.variables.size(),
          " variables");
  std::vector<Expr> outputs = expressions_of(model.outputs);
  FirstOrder system = first_order(model.equations, model.variables, outputs);
  outputs = symbolic::substitute(outputs, system.renamed);
  make_algebraic(&outputs, model.outputs, &system);

  const int n = static_cast<int>(system.states.size());
  const int nu = static_cast<int>(model.inputs.size());
  std::vector<Expr> unknowns = rates_of(system.states);
  unknowns.insert(unknowns.end(), system.states.begin(), system.states.end());
  unknowns.insert(unknowns.end(), model.inputs.begin(), model.inputs.end());

  std::vector<std::string> names = model.equation_names;
  for (std::size_t i = names.size(); i < system.equations.size(); ++i) {
    names.push_back("rate of " + std::string(system.states[i].name()));
  }
  const auto form = symbolic::linear_coefficients(system.equations, unknowns);
  check_rest(form, names);
  const int rows = static_cast<int>(system.equations.size());

  StateSpace result{.states = system.states,
                    .inputs = model.inputs,
                    .output_names = {},
                    .E = {},
                    .A = {},
                    .B = {},
                    .C = {},
                    .D = {}};
  result.E = columns(form, rows, 0, n);
  result.A = -columns(form, rows, n, n);
  result.B = -columns(form, rows, 2 * n, nu);

  for (const Output& output : model.outputs) result.output_names.push_back(output.name);
  const auto output_form = symbolic::linear_coefficients(outputs, std::span(unknowns).subspan(n));
  check_rest(output_form, result.output_names);
  const int ny = static_cast<int>(outputs.size());
  result.C = columns(output_form, ny, 0, n);
  result.D = columns(output_form, ny, n, nu);
  return result;
}

}  // namespace camber::lagrange
