// camber-bench-drive: how much faster than real time the shipped scenarios run on one core. Exit
// status 0; 1 when a drive fails or a bar is missed; 2 on bad usage.

#include <cmath>
#include <iostream>

#include <CLI/CLI.hpp>

#include "bench/drive/drive_rows.h"
#include "bench/symbolic/report.h"

namespace camber::bench {
namespace {

struct Arguments {
  bool json = false;
  bool quick = false;
  std::string commit, only, scenarios = CAMBER_SCENARIOS;
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

int compare(const Arguments& arguments) {
  const DriveComparison comparison =
      compare_drives(arguments.scenarios, arguments.quick ? Effort::kQuick : Effort::kFull);
  if (arguments.json) {
    std::cout << to_json(comparison).dump(2) << '\n';
  } else if (!arguments.commit.empty()) {
    print_csv(comparison, arguments.commit, std::cout);
  } else {
    print_table(comparison, std::cout);
  }
  return report_missed(comparison.checks,
                       [&](const Check& check) { return !arguments.quick || !check.timed; });
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  camber::bench::Arguments arguments;
  CLI::App app("Real-time factors of all shipped scenarios that drive");
  app.add_flag("--json", arguments.json, "Print every figure as JSON");
  app.add_flag("--quick", arguments.quick, "Two seconds of each, once; times decide nothing");
  app.add_option("--csv", arguments.commit,
                 "Print rows for bench/results.csv, labeled with this commit");
  app.add_option("--scenarios", arguments.scenarios, "Folder of the scenarios")
      ->check(CLI::ExistingDirectory);
  app.add_option("--only", arguments.only, "Run one scenario once, and print its factor");
  app.add_option("--set", arguments.overrides, "With --only: a value of its own, KEY=VALUE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return arguments.only.empty() ? camber::bench::compare(arguments)
                                  : camber::bench::run_only(arguments);
  } catch (const std::exception& error) {
    std::cerr << "camber-bench-drive: " << error.what() << '\n';
    return 1;
  }
}
