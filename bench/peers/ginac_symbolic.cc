// GiNaC's side of the symbolic comparison: reads a problem, prints its figures. GiNaC is under the
// GPL; this program alone links it, and is never installed.
//
//   ginac_symbolic PROBLEM.json

#include <iostream>
#include <sstream>

#include <ginac/ginac.h>
#include <nlohmann/json.hpp>

#include "bench/peers/ginac_graph.h"
#include "bench/symbolic/measure.h"
#include "bench/symbolic/mechanisms.h"

namespace camber::bench {
namespace {

using GiNaC::ex;
using GiNaC::symbol;

std::vector<symbol> make_symbols(const std::string& name, int n, const std::string& suffix) {
  std::vector<symbol> symbols;
  symbols.reserve(n);
  for (int i = 0; i < n; ++i) {
    std::string text = name;
    symbols.emplace_back(text.append(std::to_string(i)).append(suffix));
  }
  return symbols;
}

struct Motion {
  Motion(int n, const std::string& suffix)
      : q(make_symbols("q", n, suffix)),
        qd(make_symbols("qd", n, suffix)),
        qdd(make_symbols("qdd", n, suffix)) {}
  std::vector<symbol> q, qd, qdd;
};

Energies<ex> find_energies(const Problem& problem, const Motion& motion,
                           const std::string& suffix) {
  Leaves<ex> leaves;
  leaves.q.assign(motion.q.begin(), motion.q.end());
  leaves.qd.assign(motion.qd.begin(), motion.qd.end());
  leaves.parameter = [&](const std::string& name) { return ex(symbol(name + suffix)); };
  return problem.name == "chain" ? chain_energies(problem.axes, leaves) : pendulum_energies(leaves);
}

// d/dt (dT/dq') - dT/dq + dV/dq, the total derivative through all partials: GiNaC has no derivative
// along a direction. Summing all terms at once is quicker than one by one (it sorts once).
std::vector<ex> find_equations(const Energies<ex>& energies, const Motion& motion) {
  std::vector<ex> equations;
  for (std::size_t k = 0; k < motion.q.size(); ++k) {
    const ex momentum = energies.kinetic.diff(motion.qd[k]);
    GiNaC::exvector terms;
    for (std::size_t j = 0; j < motion.q.size(); ++j) {
      terms.push_back(momentum.diff(motion.q[j]) * motion.qd[j]);
      terms.push_back(momentum.diff(motion.qd[j]) * motion.qdd[j]);
    }
    terms.push_back(-energies.kinetic.diff(motion.q[k]));
    terms.push_back(energies.potential.diff(motion.q[k]));
    equations.push_back(GiNaC::add(terms));
  }
  return equations;
}

std::vector<ex> derive_gradients(const Problem& problem, const std::string& suffix,
                                 Phases* phases) {
  Stopwatch watch;
  GiNaC::symtab names;
  std::vector<symbol> symbols;
  for (const std::string& name : problem.symbols) names[name] = symbols.emplace_back(name + suffix);
  GiNaC::parser parse(names, /*strict=*/true);
  std::vector<ex> expressions;
  for (const std::string& text : problem.expressions) expressions.push_back(parse(text));
  phases->build = watch.lap();

  std::vector<ex> results;
  for (const ex& expression : expressions) {
    results.push_back(expression);
    for (const symbol& s : symbols) results.push_back(expression.diff(s));
  }
  phases->differentiate = watch.lap();
  return results;
}

std::vector<ex> derive_equations(const Problem& problem, const std::string& suffix,
                                 Phases* phases) {
  Stopwatch watch;
  const Motion motion(problem.n, suffix);
  const Energies<ex> energies = find_energies(problem, motion, suffix);
  phases->build = watch.lap();
  std::vector<ex> equations = find_equations(energies, motion);
  phases->differentiate = watch.lap();
  return equations;
}

std::string ginac_version() {
  return std::to_string(GINACLIB_MAJOR_VERSION) + "." + std::to_string(GINACLIB_MINOR_VERSION) +
         "." + std::to_string(GINACLIB_MICRO_VERSION);
}

// GiNaC writes an expression as one C expression, shared parts as often as they occur.
std::string write_code(const std::vector<ex>& results) {
  std::ostringstream code;
  code << GiNaC::csrc_double;
  for (std::size_t i = 0; i < results.size(); ++i)
    code << "out[" << i << "] = " << results[i] << ";\n";
  return code.str();
}

void derive(const Problem& problem, const std::string& suffix, Phases* phases, Outcome* outcome) {
  const std::vector<ex> results = problem.name == "random"
                                      ? derive_gradients(problem, suffix, phases)
                                      : derive_equations(problem, suffix, phases);
  Stopwatch watch;
  const std::string code = write_code(results);
  phases->generate = watch.lap();
  if (outcome == nullptr) return;

  GinacGraph graph(problem.point);
  for (const ex& e : results) outcome->values.push_back(graph.add(e));
  outcome->operations = graph.operations();
  outcome->nodes = graph.nodes();
  outcome->code_bytes = static_cast<long>(code.size());
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: ginac_symbolic PROBLEM.json\n";
    return 2;
  }
  try {
    const auto problem = camber::bench::read_problem(argv[1]);
    std::cout << camber::bench::measure(problem, "ginac", camber::bench::ginac_version(),
                                        camber::bench::derive)
              << '\n';
  } catch (const std::exception& error) {
    std::cerr << "ginac_symbolic: " << error.what() << '\n';
    return 1;
  }
}
