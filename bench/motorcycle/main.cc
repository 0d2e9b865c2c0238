// camber-bench-motorcycle: a motorcycle from its model file to printed state space and generated
// code, camber against SymPy. Exit status 0; 1 when an engine fails or a check does not hold; 2 on
// bad usage.

#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bench/motorcycle/derivation.h"
#include "bench/motorcycle/motorcycle_comparison.h"
#include "bench/symbolic/report.h"

namespace camber::bench {
namespace {

struct Arguments {
  bool json = false;
  bool quick = false;
  std::string commit;
  std::string model;
};

int derive(const Arguments& arguments) {
  std::cout << derive_motorcycle(arguments.model).seconds << '\n';
  return 0;
}

// A quick run is a test of values. A busy machine must not fail it, and what keeps operation counts
// from rising are the tests of camber/lagrange; it only tells how those checks went.
bool decides(const Check& check, const Arguments& arguments) {
  return !arguments.quick || check.name.starts_with("values");
}

int compare(const Arguments& arguments) {
  const MotorcycleComparison comparison =
      compare_motorcycles(find_motorcycle_files(std::filesystem::read_symlink("/proc/self/exe")),
                          arguments.quick ? Effort::kQuick : Effort::kFull);
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
  CLI::App app("A motorcycle from model file to state space and code, camber against SymPy");
  app.add_flag("--json", arguments.json, "Print every figure as JSON");
  app.add_flag("--quick", arguments.quick,
               "SymPy by its faster route only, few repetitions; only values decide");
  app.add_option("--csv", arguments.commit,
                 "Print rows for bench/results.csv, labeled with this commit");
  app.add_option("--derive", arguments.model, "Only time camber's derivation of this model file")
      ->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return arguments.model.empty() ? camber::bench::compare(arguments)
                                   : camber::bench::derive(arguments);
  } catch (const std::exception& error) {
    std::cerr << "camber-bench-motorcycle: " << error.what() << '\n';
    return 1;
  }
}
