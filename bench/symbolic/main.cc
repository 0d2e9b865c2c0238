// camber-bench-symbolic: camber's symbolic engine against GiNaC and SymPy, in one run.
// Exit status 0; 1 when an engine fails or a check does not hold; 2 on bad usage.

#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bench/symbolic/camber_engine.h"
#include "bench/symbolic/comparison.h"
#include "bench/symbolic/report.h"

namespace camber::bench {
namespace {

struct Arguments {
  bool json = false;
  bool quick = false;
  std::string commit;
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
  return !(check.timed && arguments.quick);
}

int compare(const Arguments& arguments) {
  const auto engines = find_engines(std::filesystem::read_symlink("/proc/self/exe"));
  const Comparison comparison =
      compare_engines(engines, arguments.quick ? Effort::kQuick : Effort::kFull);
  if (arguments.json) {
    std::cout << to_json(comparison).dump(2) << '\n';
  } else if (!arguments.commit.empty()) {
    print_csv(comparison, arguments.commit, std::cout);
  } else {
    print_table(comparison, std::cout);
  }
  return report_missed(comparison.checks,
                       [&](const Check& check) { return decides(check, arguments); });
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  camber::bench::Arguments arguments;
  CLI::App app("camber's symbolic engine against GiNaC and SymPy, in one run");
  app.add_flag("--json", arguments.json, "Print every figure as JSON");
  app.add_flag("--quick", arguments.quick, "Small problems, no repetitions; times decide nothing");
  app.add_option("--csv", arguments.commit,
                 "Print rows for bench/results.csv, labeled with this commit");
  app.add_option("--solve", arguments.problem, "Only measure camber at this problem file")
      ->group("");
  app.add_flag("--by-partials", arguments.by_partials, "One partial derivative at a time")
      ->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return arguments.problem.empty() ? camber::bench::compare(arguments)
                                     : camber::bench::solve(arguments);
  } catch (const std::exception& error) {
    std::cerr << "camber-bench-symbolic: " << error.what() << '\n';
    return 1;
  }
}
