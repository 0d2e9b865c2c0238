#include "apps/camber/program.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/camber/commands.h"
#include "camber/core/diagnostics.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"

namespace camber::app {
namespace {

/// The C library chooses its functions by the processor: their last digits differ with and without
/// fused multiply-add. Starts this program again with those that every x86-64 processor has; returns
/// if they are chosen already. Throws std::invalid_argument if the program cannot be started again.
void take_plain_functions(const char* const* argv) {
  constexpr const char* kVariable = "GLIBC_TUNABLES";
  constexpr const char* kPlain = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2";
  const char* given = std::getenv(kVariable);
  if (given != nullptr && std::strstr(given, kPlain) != nullptr) return;
  require(program_words().empty(),
          "--reproducible starts the program again, which is not possible inside of ",
          program_words().empty() ? std::string() : program_words().front(),
          ": set GLIBC_TUNABLES=", kPlain, " before it starts");
  const std::string tunables = given == nullptr ? kPlain : std::string(given) + ":" + kPlain;
  ::setenv(kVariable, tunables.c_str(), 1);
  ::execv("/proc/self/exe", const_cast<char* const*>(argv));
  require(false, "--reproducible: cannot start the program again: ", std::strerror(errno));
}

void add_commands(CLI::App* app, Command* chosen) {
  app->set_version_flag("--version", "camber " CAMBER_VERSION, "Print the version and exit");
  app->footer(
      "Examples:\n"
      "  camber demo\n"
      "  camber derive models/quarter-car.toml\n"
      "  camber modes models/motorcycle.toml --set parameters.V=20\n"
      "  camber rig models/hmmwv.toml -o rig\n"
      "  camber run models/four-bar.toml --for 10\n"
      "  camber drive scenarios/teleoperation.toml\n"
      "  camber plan plans/parallel-parking.toml\n"
      "  camber compare runs/four-bar-001 runs/four-bar-002\n"
      "  camber expr 'm*l*sin(q)^2' --diff q --simplify\n"
      "  camber derive --help\n\n"
      "Exit status: 0 ok, 1 the run failed, 2 bad usage or bad file.\n"
      "Results go to stdout, diagnostics to stderr.");
  add_bench_command(app, chosen);
  add_check_command(app, chosen);
  add_city_command(app, chosen);
  add_compare_command(app, chosen);
  add_demo_command(app, chosen);
  add_derive_command(app, chosen);
  add_drive_command(app, chosen);
  add_expr_command(app, chosen);
  add_generate_command(app, chosen);
  add_modes_command(app, chosen);
  add_plan_command(app, chosen);
  add_report_command(app, chosen);
  add_rig_command(app, chosen);
  add_run_command(app, chosen);
  add_sensors_command(app, chosen);
  add_scene_command(app, chosen);
  add_study_command(app, chosen);
  add_terrain_command(app, chosen);
  add_view_command(app, chosen);
}

// The commands or options that could have stood where `word` was not understood.
std::vector<std::string> list_alternatives(const CLI::App& app, const std::string& word) {
  const auto parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  std::vector<std::string> names;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  } else {
    for (const CLI::App* sub : command.get_subcommands(nullptr)) names.push_back(sub->get_name());
  }
  return names;
}

ExitCode report_usage_error(const CLI::App& app, const std::string& message) {
  const auto parsed = app.get_subcommands();
  std::cerr << "camber: " << message << "\nTry `camber "
            << (parsed.empty() ? "" : parsed.front()->get_name() + " ") << "--help`.\n";
  return kBadUsageOrFile;
}

ExitCode report_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> rest = app.remaining(true);
  const auto is = [&](CLI::ExitCodes code) {
    return error.get_exit_code() == static_cast<int>(code);
  };
  // An argument may be missing because it was taken for an option: camber expr -x^2.
  const bool explains = is(CLI::ExitCodes::ExtrasError) || is(CLI::ExitCodes::RequiredError);
  if (!explains || rest.empty()) return report_usage_error(app, error.what());
  const std::string word = rest.front().substr(0, rest.front().find('='));
  std::string what = "unexpected argument";
  std::string hint = did_you_mean(word, list_alternatives(app, word));
  if (word.starts_with("-")) {
    what = "unknown option";
    if (hint.empty()) hint = "; an argument that begins with \"-\" comes last, after \"--\"";
  } else if (app.get_subcommands().empty()) {
    what = "unknown command";
  }
  return report_usage_error(app, what + " \"" + word + "\"" + hint);
}

ExitCode run(const Command& command) {
  try {
    return command();
  } catch (const ModelFileError& error) {
    std::cerr << error.what() << '\n';
    return kBadUsageOrFile;
  } catch (const std::invalid_argument& error) {
    std::cerr << "camber: " << error.what() << '\n';
    return kBadUsageOrFile;
  } catch (const std::bad_alloc&) {
    std::cerr << "camber: out of memory: the system refused what this command asked for\n";
    return kRunFailed;
  } catch (const std::exception& error) {
    std::cerr << "camber: " << error.what() << '\n';
    return kRunFailed;
  }
}

}  // namespace

std::vector<std::string>& program_words() {
  static std::vector<std::string> words;
  return words;
}

ExitCode run_program(int argc, const char* const* argv) {
  CLI::App app("Ground-vehicle dynamics: equations of motion, generated code, simulation",
               "camber");
  Command chosen;
  add_commands(&app, &chosen);
  bool is_reproducible = false;
  app.add_flag("--reproducible", is_reproducible,
               "Before the command: the same bits on other processors, by plain functions of the C "
               "library");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked);
    return kOk;
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error);
  }
  if (!chosen) return report_usage_error(app, "no command given");
  if (!is_reproducible) return run(chosen);
  return run([&] {
    take_plain_functions(argv);
    return chosen();
  });
}

}  // namespace camber::app
