// camber-bench-motorcycle: a motorcycle from its model file to printed state space and generated
// code, camber against SymPy. Exit status 0; 1 when an engine fails or a check does not hold; 2 on
// bad usage.

#include <filesystem>
#include <iostream>

#include "bench/motorcycle/derivation.h"
#include "bench/motorcycle/motorcycle_comparison.h"
#include "bench/program.h"

namespace camber::bench {
namespace {

struct Arguments {
  ProgramOptions program;
  std::string model;
};

int derive(const Arguments& arguments) {
  std::cout << derive_motorcycle(arguments.model).seconds << '\n';
  return 0;
}

// A quick run is a test of values. A busy machine must not fail it, and what keeps operation counts
// from rising are the tests of camber/lagrange; it only tells how those checks went.
bool decides(const Check& check, const Arguments& arguments) {
  return !arguments.program.quick || check.name.starts_with("values");
}

int compare(const Arguments& arguments) {
  const MotorcycleComparison comparison =
      compare_motorcycles(find_motorcycle_files(std::filesystem::read_symlink("/proc/self/exe")),
                          arguments.program.effort());
  print_comparison(comparison, arguments.program.report);
  return report_missed(comparison.checks,
                       [&](const Check& check) { return decides(check, arguments); });
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using camber::bench::CommandLine;
  camber::bench::Arguments arguments;
  CommandLine line("A motorcycle from model file to state space and code, camber against SymPy");
  line.add(&arguments.program,
           "SymPy by its faster route only, few repetitions; only values decide");
  line.add("--derive", &arguments.model, "Only time camber's derivation of this model file");
  line.hide("--derive");
  return line.run("camber-bench-motorcycle", argc, argv, [&] {
    return arguments.model.empty() ? camber::bench::compare(arguments)
                                   : camber::bench::derive(arguments);
  });
}
