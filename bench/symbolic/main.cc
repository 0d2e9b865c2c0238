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
  camber::bench::Arguments arguments;
  CLI::App app("camber's symbolic engine against GiNaC and SymPy, in one run");
  add_options("Small problems, no repetitions; times decide nothing", &app, &arguments.program);
  app.add_option("--solve", arguments.problem, "Only measure camber at this problem file")
      ->group("");
  app.add_flag("--by-partials", arguments.by_partials, "One partial derivative at a time")
      ->group("");
  return camber::bench::run_program("camber-bench-symbolic", argc, argv, &app, [&] {
    return arguments.problem.empty() ? camber::bench::compare(arguments)
                                     : camber::bench::solve(arguments);
  });
}
