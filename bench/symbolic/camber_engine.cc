#include "bench/symbolic/camber_engine.h"

#include <nlohmann/json.hpp>

#include "bench/symbolic/measure.h"
#include "bench/symbolic/mechanisms.h"
#include "camber/codegen/interpreter.h"
#include "camber/codegen/program.h"
#include "camber/codegen/write.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/parse.h"

namespace camber::bench {

using symbolic::Expr;

namespace {

// Coordinates are functions of time here, which is what lets d/dt be one operation.
struct Motion {
  Motion(int n, const std::string& suffix) {
    for (int i = 0; i < n; ++i) {
      const std::string name = "q" + std::to_string(i) + suffix;
      q.push_back(symbolic::variable(name));
      qd.push_back(symbolic::variable(name, 1));
      qdd.push_back(symbolic::variable(name, 2));
    }
  }
  std::vector<Expr> q, qd, qdd;
};

Energies<Expr> find_energies(const Problem& problem, const Motion& motion, const std::string& suffix) {
  const Leaves<Expr> leaves{motion.q, motion.qd,
                            [&](const std::string& name) { return symbolic::symbol(name + suffix); }};
  return problem.name == "chain" ? chain_energies(problem.axes, leaves) : pendulum_energies(leaves);
}

std::vector<Expr> find_equations_by_sweeps(const Energies<Expr>& energies, const Motion& motion) {
  std::vector<Expr> coordinates_and_rates = motion.q;
  coordinates_and_rates.insert(coordinates_and_rates.end(), motion.qd.begin(), motion.qd.end());
  const std::vector<Expr> partials = symbolic::gradient(energies.kinetic, coordinates_and_rates);
  const std::vector<Expr> weights = symbolic::gradient(energies.potential, motion.q);

  const std::size_t n = motion.q.size();
  auto by_time = symbolic::Differentiator::by_time();
  std::vector<Expr> equations;
  for (std::size_t k = 0; k < n; ++k) {
    const Expr& momentum = partials[n + k];
    equations.push_back(by_time(momentum) - partials[k] + weights[k]);
  }
  return equations;
}

std::vector<Expr> find_equations_by_partials(const Energies<Expr>& energies, const Motion& motion) {
  using symbolic::diff;
  std::vector<Expr> equations;
  for (std::size_t k = 0; k < motion.q.size(); ++k) {
    const Expr momentum = diff(energies.kinetic, motion.qd[k]);
    std::vector<Expr> terms;
    for (std::size_t j = 0; j < motion.q.size(); ++j) {
      terms.push_back(diff(momentum, motion.q[j]) * motion.qd[j]);
      terms.push_back(diff(momentum, motion.qd[j]) * motion.qdd[j]);
    }
    terms.push_back(-diff(energies.kinetic, motion.q[k]));
    terms.push_back(diff(energies.potential, motion.q[k]));
    equations.push_back(symbolic::sum(terms));
  }
  return equations;
}

std::vector<Expr> find_equations(const Energies<Expr>& energies, const Motion& motion, Route route) {
  return route == Route::kSweeps ? find_equations_by_sweeps(energies, motion)
                                 : find_equations_by_partials(energies, motion);
}

std::vector<Expr> derive_equations(const Problem& problem, const std::string& suffix, Route route, Phases* phases) {
  Stopwatch watch;
  const Motion motion(problem.n, suffix);
  const Energies<Expr> energies = find_energies(problem, motion, suffix);
  phases->build = watch.lap();
  std::vector<Expr> equations = find_equations(energies, motion, route);
  phases->differentiate = watch.lap();
  return equations;
}

// Parsing knows no suffix: the symbols' names in the text get it beforehand, outside the timed part.
std::string with_suffix(const std::string& text, const std::vector<std::string>& symbols, const std::string& suffix) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::string word = text.substr(i, end - i);
    result += word;
    if (std::find(symbols.begin(), symbols.end(), word) != symbols.end()) result += suffix;
    if (end < text.size()) result += text[end];
    i = end + 1;
  }
  return result;
}

std::vector<Expr> derive_gradients(const Problem& problem, const std::string& suffix, Phases* phases) {
  std::vector<std::string> texts;
  for (const std::string& text : problem.expressions) texts.push_back(with_suffix(text, problem.symbols, suffix));

  Stopwatch watch;
  std::vector<Expr> symbols, expressions;
  for (const std::string& name : problem.symbols) symbols.push_back(symbolic::symbol(name + suffix));
  for (const std::string& text : texts) expressions.push_back(symbolic::parse(text));
  phases->build = watch.lap();

  std::vector<Expr> results;
  for (const Expr& expression : expressions) {
    results.push_back(expression);
    const std::vector<Expr> gradient = symbolic::gradient(expression, symbols);
    results.insert(results.end(), gradient.begin(), gradient.end());
  }
  phases->differentiate = watch.lap();
  return results;
}

// "q3''" is the problem's "qdd3".
double value_of(const Expr& leaf, const Problem& problem) {
  std::string name(leaf.name());
  if (leaf.kind() == symbolic::Kind::kVariable) name.insert(1, leaf.order(), 'd');
  return problem.point.at(name);
}

std::vector<double> evaluate(const codegen::Program& program, const Problem& problem) {
  std::vector<double> inputs;
  for (const codegen::Input& input : program.inputs()) {
    for (const Expr& leaf : input.leaves) inputs.push_back(value_of(leaf, problem));
  }
  std::vector<double> outputs(program.output_size());
  codegen::Interpreter<double>(program).run(inputs, outputs);
  return outputs;
}

Operations count(const codegen::Program& program) {
  const symbolic::OperationCount count = program.count();
  Operations operations;
  operations.add = count.additions;
  operations.multiply = count.multiplications;
  operations.divide = count.divisions;
  operations.function = count.functions;
  return operations;
}

}  // namespace

std::vector<Expr> derive_equations(const Problem& problem, const std::string& suffix, Route route) {
  Phases untimed;
  return derive_equations(problem, suffix, route, &untimed);
}

nlohmann::json measure_camber(const Problem& problem, Route route) {
  const auto derive = [route](const Problem& p, const std::string& suffix, Phases* phases, Outcome* outcome) {
    const std::vector<Expr> results =
        p.name == "random" ? derive_gradients(p, suffix, phases) : derive_equations(p, suffix, route, phases);
    Stopwatch watch;
    const codegen::Program program =
        codegen::ProgramBuilder(p.name).add_remaining_inputs().add_output("out", results).build();
    const std::string code = codegen::write_source(program, codegen::Language::kC);
    phases->generate = watch.lap();
    if (outcome == nullptr) return;

    outcome->operations = count(program);
    outcome->nodes = static_cast<long>(symbolic::count_nodes(results));
    outcome->code_bytes = static_cast<long>(code.size());
    outcome->values = evaluate(program, p);
  };
  return measure(problem, route == Route::kSweeps ? "camber" : "camber by partials", CAMBER_VERSION, derive);
}

}  // namespace camber::bench
