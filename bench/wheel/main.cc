// camber-bench-wheel: work and precision of friction laws at a rolling wheel. Exit status 0; 1 when
// a run fails or a bar is not reached; 2 on bad usage. It counts evaluations and measures no time, so a
// busy machine changes nothing.

#include <filesystem>
#include <iostream>

#include "bench/program.h"
#include "bench/wheel/work_precision.h"
#include "camber/core/file.h"
#include "camber/rolling_wheel/wheel_file.h"

namespace camber::bench {
namespace {

struct Arguments {
  bool json = false;
  bool quick = false;
  std::string svg;
};

int compare(const Arguments& arguments) {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto scenario =
      rolling_wheel::load_wheel_scenario((here / "rolling-wheel-fig4.toml").string());
  const WheelComparison comparison =
      compare_wheel_laws(scenario, arguments.quick ? Effort::kQuick : Effort::kFull);
  if (arguments.json) {
    std::cout << to_json(comparison).dump(2) << '\n';
  } else {
    print_table(comparison, std::cout);
  }
  if (!arguments.svg.empty()) write_file_atomically(arguments.svg, draw(comparison));
  // Half of the sweep may miss the best run of either law.
  return report_missed(comparison.checks, [&](const Check& check) {
    return !arguments.quick || !check.name.starts_with("evaluations:");
  });
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using camber::bench::CommandLine;
  camber::bench::Arguments arguments;
  CommandLine line("Work and precision of friction laws at a rolling wheel");
  line.add_flag("--json", &arguments.json, "Print every figure as JSON");
  line.add_flag("--quick", &arguments.quick,
                "Half of the tolerances; only growth and explicit steps decide");
  line.add("--svg", &arguments.svg, "Write the diagram to this file");
  return line.run("camber-bench-wheel", argc, argv,
                  [&] { return camber::bench::compare(arguments); });
}
