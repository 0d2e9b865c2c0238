#include "bench/symbolic/camber_engine.h"

#include <nlohmann/json.hpp>

#include "bench/symbolic/measure.h"
#include "camber/codegen/interpreter.h"
#include "camber/codegen/program.h"
#include "camber/codegen/write.h"
#include "camber/core/require.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/traverse.h"
#include "camber/symbolic/vocabulary.h"

namespace camber::bench {

using symbolic::Expr;

CamberMechanism::CamberMechanism(const Problem& problem, const std::string& suffix) {
  for (int i = 0; i < problem.n; ++i) {
    const std::string name = concat("q", i, suffix);
    q.push_back(symbolic::variable(name));
    qd.push_back(symbolic::variable(name, 1));
    qdd.push_back(symbolic::variable(name, 2));
  }
  const auto parameter = [&](const std::string& name) { return symbolic::symbol(name + suffix); };
  const Leaves<Expr> leaves{q, qd, parameter};
  energies =
      problem.name == "chain" ? chain_energies(problem.axes, leaves) : pendulum_energies(leaves);
}

CamberExpressions::CamberExpressions(const Problem& problem, const std::string& suffix) {
  symbolic::Vocabulary names;
  for (const std::string& name : problem.symbols) {
    symbols.push_back(symbolic::symbol(name + suffix));
    names.add(name, symbols.back());
  }
  for (const std::string& text : problem.expressions)
    expressions.push_back(symbolic::parse(text, names));
}

namespace {

std::vector<Expr> find_equations_by_sweeps(const CamberMechanism& m) {
  std::vector<Expr> coordinates_and_rates = m.q;
  coordinates_and_rates.insert(coordinates_and_rates.end(), m.qd.begin(), m.qd.end());
  const std::vector<Expr> partials = symbolic::gradient(m.energies.kinetic, coordinates_and_rates);
  const std::vector<Expr> weights = symbolic::gradient(m.energies.potential, m.q);

  const std::size_t n = m.q.size();
  auto by_time = symbolic::Differentiator::by_time();
  std::vector<Expr> equations;
  for (std::size_t k = 0; k < n; ++k) {
    const Expr& momentum = partials[n + k];
    equations.push_back(by_time(momentum) - partials[k] + weights[k]);
  }
  return equations;
}

std::vector<Expr> find_equations_by_partials(const CamberMechanism& m) {
  using symbolic::diff;
  std::vector<Expr> equations;
  for (std::size_t k = 0; k < m.q.size(); ++k) {
    const Expr momentum = diff(m.energies.kinetic, m.qd[k]);
    std::vector<Expr> terms;
    for (std::size_t j = 0; j < m.q.size(); ++j) {
      terms.push_back(diff(momentum, m.q[j]) * m.qd[j]);
      terms.push_back(diff(momentum, m.qd[j]) * m.qdd[j]);
    }
    terms.push_back(-diff(m.energies.kinetic, m.q[k]));
    terms.push_back(diff(m.energies.potential, m.q[k]));
    equations.push_back(symbolic::sum(terms));
  }
  return equations;
}

std::vector<Expr> derive(const Problem& problem, const std::string& suffix, Route route,
                         Phases* phases) {
  Stopwatch watch;
  if (problem.name == "random") {
    const CamberExpressions expressions(problem, suffix);
    phases->build = watch.lap();
    std::vector<Expr> results = find_gradients(expressions);
    phases->differentiate = watch.lap();
    return results;
  }
  const CamberMechanism mechanism(problem, suffix);
  phases->build = watch.lap();
  std::vector<Expr> results = find_equations(mechanism, route);
  phases->differentiate = watch.lap();
  return results;
}

// "q3''" is the problem's "qdd3".
double value_of(const Expr& leaf, const Problem& problem) {
  std::string name(leaf.name());
  if (leaf.kind() == symbolic::Kind::kVariable)
    name.insert(1, static_cast<std::size_t>(leaf.order()), 'd');
  return problem.point.at(name);
}

std::vector<double> evaluate(const codegen::Program& program, const Problem& problem) {
  std::vector<double> inputs;
  for (const codegen::Input& input : program.inputs()) {
    for (const Expr& leaf : input.leaves) inputs.push_back(value_of(leaf, problem));
  }
  std::vector<double> outputs(static_cast<std::size_t>(program.output_size()));
  codegen::Interpreter<double>(program).run(inputs, outputs);
  return outputs;
}

// A negation is a multiplication to camber's count, so its total compares with the peers'.
Operations count(const codegen::Program& program) {
  const symbolic::OperationCount count = program.count();
  Operations operations;
  operations.add = static_cast<long>(count.additions);
  operations.multiply = static_cast<long>(count.multiplications);
  operations.divide = static_cast<long>(count.divisions);
  operations.function = static_cast<long>(count.functions);
  return operations;
}

}  // namespace

std::vector<Expr> find_equations(const CamberMechanism& mechanism, Route route) {
  return route == Route::kSweeps ? find_equations_by_sweeps(mechanism)
                                 : find_equations_by_partials(mechanism);
}

std::vector<Expr> find_gradients(const CamberExpressions& all) {
  std::vector<Expr> results;
  for (const Expr& expression : all.expressions) {
    results.push_back(expression);
    const std::vector<Expr> gradient = symbolic::gradient(expression, all.symbols);
    results.insert(results.end(), gradient.begin(), gradient.end());
  }
  return results;
}

nlohmann::json measure_camber(const Problem& problem, Route route) {
  const auto derivation = [route](const Problem& p, const std::string& suffix, Phases* phases,
                                  Outcome* outcome) {
    const std::vector<Expr> results = derive(p, suffix, route, phases);
    Stopwatch watch;
    const codegen::Program program =
        codegen::ProgramBuilder(p.name).add_output("out", results).add_remaining_inputs().build();
    const std::string code = codegen::write_source(program, codegen::Language::kC99);
    phases->generate = watch.lap();
    if (outcome == nullptr) return;

    outcome->operations = count(program);
    outcome->nodes = static_cast<long>(symbolic::internal::count_nodes(results));
    outcome->code_bytes = static_cast<long>(code.size());
    outcome->values = evaluate(program, p);
  };
  return measure(problem, route == Route::kSweeps ? "camber" : "camber by partials", CAMBER_VERSION,
                 derivation);
}

}  // namespace camber::bench
