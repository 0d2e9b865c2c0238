// camber-bench-symbolic: camber's symbolic engine against GiNaC and SymPy, in one run.
// Exit status 0; 1 when an engine fails or a check does not hold; 2 on bad usage.

#include <filesystem>
#include <iostream>

#include "bench/program.h"
#include "bench/symbolic/camber_engine.h"
#include "bench/symbolic/comparison.h"

namespace camber::bench {
namespace {

struct Arguments {
  ProgramOptions program;
  std::string problem;
  bool by_partials = false;
};

int solve(const Arguments& arguments) {
  const Route route = arguments.by_partials ? Route::kPartials : Route::kSweeps;
  std::cout << measure_camber(read_problem(arguments.problem), route) << '\n';
  return 0;
}

// A busy machine must not fail a test, so a quick run only tells how its timed checks went.
bool decides(const Check& check, const Arguments& arguments) {
  return !(check.timed && arguments.program.quick);
}

int compare(const Arguments& arguments) {
  const auto engines = find_engines(std::filesystem::read_symlink("/proc/self/exe"));
  const Comparison comparison = compare_engines(engines, arguments.program.effort());
  print_comparison(comparison, arguments.program.report);
  return report_missed(comparison.checks,
                       [&](const Check& check) { return decides(check, arguments); });
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using camber::bench::CommandLine;
  camber::bench::Arguments arguments;
  CommandLine line("camber's symbolic engine against GiNaC and SymPy, in one run");
  line.add(&arguments.program, "Small problems, no repetitions; times decide nothing");
  line.add("--solve", &arguments.problem, "Only measure camber at this problem file");
  line.hide("--solve");
  line.add_flag("--by-partials", &arguments.by_partials, "One partial derivative at a time");
  line.hide("--by-partials");
  return line.run("camber-bench-symbolic", argc, argv, [&] {
    return arguments.problem.empty() ? camber::bench::compare(arguments)
                                     : camber::bench::solve(arguments);
  });
}
