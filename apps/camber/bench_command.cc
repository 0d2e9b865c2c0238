#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/camber/commands.h"

namespace camber::app {
namespace {

struct BenchOptions {
  std::string suite;
  bool json = false;
  bool quick = false;
};

// Peers such as GiNaC come under other licenses than camber, so each suite is a program of its own,
// which stands beside this one. It takes this process's place, and its exit status is ours.
ExitCode run_bench(const BenchOptions& options) {
  const std::string name = "camber-bench-" + options.suite;
  const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
  if (!std::filesystem::exists(program)) {
    throw std::runtime_error(name +
                             " is not there beside camber: `make build` builds it, unless "
                             "CAMBER_BENCH is OFF");
  }
  std::vector<std::string> arguments{program.string()};
  if (options.json) arguments.emplace_back("--json");
  if (options.quick) arguments.emplace_back("--quick");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::cout.flush();
  execv(argv[0], argv.data());
  throw std::runtime_error(program.string() + ": " + std::strerror(errno));
}

}  // namespace

void add_bench_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app->add_subcommand("bench", "Measure camber against its peers, as ratios in one run");
  command
      ->add_option("SUITE", options->suite,
                   "What to measure: symbolic, motorcycle, multibody, hmmwv, wheel, drive, lanes, "
                   "sensors, autonomy, python, study, page")
      ->required()
      ->check(CLI::IsMember({"symbolic", "motorcycle", "multibody", "hmmwv", "wheel", "drive",
                             "lanes", "sensors", "autonomy", "python", "study", "page"}));
  command->add_flag("--json", options->json, "Print every figure as JSON");
  command->add_flag("--quick", options->quick,
                    "Small problems, no repetitions; times decide nothing");
  command->footer(
      "Examples:\n"
      "  camber bench symbolic\n"
      "  camber bench symbolic --quick --json\n"
      "  camber bench motorcycle --json\n"
      "  camber bench multibody\n"
      "  camber bench hmmwv\n"
      "  camber bench wheel\n"
      "  camber bench drive --json\n"
      "  camber bench lanes\n"
      "  camber bench sensors\n"
      "  camber bench autonomy\n"
      "  camber bench python\n"
      "  camber bench study --json\n"
      "  camber bench page --json\n\n"
      "Ends with status 1 when engines disagree or camber misses a bar.");
  command->callback([=] { *chosen = [=] { return run_bench(*options); }; });
}

}  // namespace camber::app
