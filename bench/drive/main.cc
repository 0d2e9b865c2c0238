// camber-bench-drive: how much faster than real time the shipped scenarios run on one core. Exit
// status 0; 1 when a drive fails or a bar is not reached; 2 on bad usage.

#include <cmath>
#include <iostream>

#include "bench/drive/drive_rows.h"
#include "bench/program.h"

namespace camber::bench {
namespace {

struct Arguments {
  ProgramOptions program;
  std::string only, scenarios = CAMBER_SCENARIOS;
  std::vector<std::string> overrides;
};

// For profilers.
int run_only(const Arguments& arguments) {
  const DriveRow row =
      run_row(arguments.scenarios, {.scenario = arguments.only, .overrides = arguments.overrides},
              HUGE_VAL);
  std::cout << (row.failure.empty() ? std::to_string(row.times_real_time()) : row.failure) << '\n';
  return row.failure.empty() ? 0 : 1;
}

// For profilers.
int measure_only_setups(const Arguments& arguments) {
  for (const SetupRow& row : measure_setups(arguments.scenarios, arguments.program.effort()))
    std::cout << row.name << ": " << 1e3 * row.seconds << " ms\n";
  return 0;
}

int compare(const Arguments& arguments) {
  const DriveComparison comparison =
      compare_drives(arguments.scenarios, arguments.program.effort());
  print_comparison(comparison, arguments.program.report);
  return report_missed(comparison.checks, [&](const Check& check) {
    return !arguments.program.quick || !check.timed;
  });
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using camber::bench::CommandLine;
  camber::bench::Arguments arguments;
  CommandLine line("Real-time factors of all shipped scenarios that drive");
  line.add(&arguments.program, "Two seconds of each, once; times decide nothing");
  line.add("--scenarios", &arguments.scenarios, "Folder of the scenarios",
           CommandLine::Check::kFolder);
  line.add("--only", &arguments.only, "Run one scenario once, and print its factor");
  line.add("--set", &arguments.overrides, "With --only: a value of its own, KEY=VALUE");
  bool is_setup = false;
  line.add_flag("--setup", &is_setup, "Measure only how long a drive takes to set up");
  return line.run("camber-bench-drive", argc, argv, [&] {
    if (is_setup) return camber::bench::measure_only_setups(arguments);
    return arguments.only.empty() ? camber::bench::compare(arguments)
                                  : camber::bench::run_only(arguments);
  });
}
