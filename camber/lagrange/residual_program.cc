#include "camber/lagrange/residual_program.h"

#include <algorithm>
#include <string>

namespace camber::lagrange {

namespace {

// Models are derived once and run often. Beyond a few orders no program became shorter.
constexpr int kTrials = 4;

std::vector<Expr> rates_of(const std::vector<Expr>& variables) {
  std::vector<Expr> rates;
  rates.reserve(variables.size());
  for (const Expr& x : variables) rates.push_back(symbolic::variable(x.name(), x.order() + 1));
  return rates;
}

}  // namespace

codegen::Program make_residual_program(const System& system, const Equations& equations) {
  std::vector<Expr> z;
  std::vector<Expr> extra;
  for (const ExtraVariable& e : equations.extra) {
    z.push_back(e.variable);
    extra.push_back(e.equation);
  }
  std::vector<Expr> all = equations.dynamics;
  all.insert(all.end(), equations.constraints.begin(), equations.constraints.end());
  all.insert(all.end(), extra.begin(), extra.end());
  const auto occurs = [&](const Expr& leaf) {
    return std::ranges::any_of(all, [&](const Expr& e) { return e.depends_on(leaf); });
  };

  codegen::ProgramBuilder builder(system.name + "_residual");
  builder.set_recipe("residuals of the equations of motion of " + system.name);
  if (occurs(system.time)) builder.add_input(system.time);
  const auto add_input = [&](const char* name, const std::vector<Expr>& leaves) {
    if (!leaves.empty()) builder.add_input(name, leaves);
  };
  add_input("q", equations.coordinates);
  add_input("u", equations.speeds);
  add_input("udot", rates_of(equations.speeds));
  add_input("lambda", equations.multipliers);
  add_input("z", z);
  add_input("zdot", rates_of(z));
  add_input("input", system.inputs);
  builder.add_output("dynamics", std::span<const Expr>(equations.dynamics));
  if (!equations.constraints.empty())
    builder.add_output("constraints", std::span<const Expr>(equations.constraints));
  if (!extra.empty()) builder.add_output("extra", std::span<const Expr>(extra));
  return builder.add_remaining_inputs().build({.trials = kTrials});
}

}  // namespace camber::lagrange
