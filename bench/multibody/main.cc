// camber-bench-multibody: forward dynamics of chains, trees and loops, camber against MuJoCo and
// Simbody. Exit status 0; 1 when engines disagree or a bar is not reached; 2 on bad usage.

#include <iostream>

#include "bench/multibody/camber_rows.h"
#include "bench/multibody/multibody_comparison.h"
#include "bench/multibody/problems.h"
#include "bench/program.h"
#include "camber/core/require.h"

namespace camber::bench {
namespace {

struct Arguments {
  ProgramOptions program;
  std::string only, problem = "chain";
  int n = 60, evaluations = 1000;
};

MultibodyProblem make_problem(const Arguments& arguments) {
  constexpr int kStates = 8;
  if (arguments.problem == "ladder") return make_ladder_problem(arguments.n, kStates);
  return (arguments.problem == "tree" ? make_tree_problem : make_chain_problem)(arguments.n,
                                                                                kStates);
}

std::optional<Contestant> make_contestant(const std::string& engine,
                                          const MultibodyProblem& problem) {
  if (engine == "mujoco") return make_mujoco_contestant(problem);
  if (engine == "simbody") return make_simbody_contestant(problem);
  if (engine == "lanes") return make_camber_lanes(problem);
  if (engine == "camber") return make_camber_tree(problem);
  return make_camber_loops(problem, engine);
}

// For profilers and valgrind.
int evaluate_only(const Arguments& arguments) {
  const MultibodyProblem problem = make_problem(arguments);
  const auto contestant = make_contestant(arguments.only, problem);
  require(contestant.has_value(), "there is no row ", arguments.only);
  for (int i = 0; i < arguments.evaluations; ++i)
    contestant->evaluate(i % static_cast<int>(problem.states.size()));
  return 0;
}

int compare(const Arguments& arguments) {
  const MultibodyComparison comparison = compare_multibody(arguments.program.effort());
  return report(comparison, arguments.program.report);
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using camber::bench::CommandLine;
  camber::bench::Arguments arguments;
  CommandLine line(
      "Forward dynamics of chains, trees and loops, camber against MuJoCo and Simbody");
  line.add(&arguments.program, "Small mechanisms, once; only values decide");
  line.add("--only", &arguments.only,
           "Only evaluate one engine, untimed: camber, lanes, ce, ta, fa, mujoco, simbody");
  line.add_choice("--problem", &arguments.problem, "With --only: chain, tree or ladder",
                  {"chain", "tree", "ladder"});
  line.add("--n", &arguments.n, "With --only: bodies or loops", CommandLine::Check::kPositive);
  line.add("--evaluations", &arguments.evaluations, "With --only: how often",
           CommandLine::Check::kNotNegative);
  return line.run("camber-bench-multibody", argc, argv, [&] {
    return arguments.only.empty() ? camber::bench::compare(arguments)
                                  : camber::bench::evaluate_only(arguments);
  });
}
