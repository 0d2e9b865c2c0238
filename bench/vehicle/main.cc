// camber-bench-hmmwv: forward dynamics of a vehicle, camber's formulations against MuJoCo and
// Simbody. Exit status 0; 1 when engines disagree or a bar is not reached; 2 on bad usage.

#include <filesystem>
#include <iostream>
#include <optional>

#include "bench/multibody/camber_rows.h"
#include "bench/program.h"
#include "bench/vehicle/generated_rows.h"
#include "bench/vehicle/vehicle_comparison.h"
#include "bench/vehicle/vehicle_problem.h"
#include "camber/core/require.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::bench {
namespace {

struct Arguments {
  ProgramOptions program;
  std::string only, model = "hmmwv";
  int evaluations = 1000;
};

// For profilers and valgrind.
int evaluate_only(const Arguments& arguments, const std::string& models) {
  if (arguments.only.starts_with("generated")) {
    const Contestant contestant = make_generated_contestant(models, arguments.only, 8);
    for (int i = 0; i < arguments.evaluations; ++i) contestant.evaluate(i % 8);
    return 0;
  }
  const MultibodyProblem problem =
      make_vehicle_problem(vehicle::load_vehicle(concat(models, "/", arguments.model, ".toml")), 8);
  const auto contestant = arguments.only == "lanes" ? make_camber_lanes(problem)
                                                    : make_camber_loops(problem, arguments.only);
  require(contestant.has_value(), "there is no row ", arguments.only);
  for (int i = 0; i < arguments.evaluations; ++i) contestant->evaluate(i % 8);
  return 0;
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using namespace camber::bench;
  Arguments arguments;
  CommandLine line(
      "Forward dynamics of the HMMWV, camber's formulations against MuJoCo and Simbody");
  line.add(&arguments.program, "Once; only values decide");
  line.add("--only", &arguments.only,
           "Only evaluate one row, untimed: ce, lanes, ta, fa, generated, "
           "generated-one-by-one, generated-lanes");
  line.add("--model", &arguments.model, "With --only: hmmwv or hmmwv-3d");
  line.add("--evaluations", &arguments.evaluations, "With --only: how often");
  return line.run("camber-bench-hmmwv", argc, argv, [&] {
    const std::string models =
        std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
    if (!arguments.only.empty()) return evaluate_only(arguments, models);
    return report(compare_vehicles(models, arguments.program.effort()), arguments.program.report);
  });
}
