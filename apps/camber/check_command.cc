#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/check_file.h"
#include "apps/camber/commands.h"
#include "camber/core/diagnostics.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/figures/key_figures.h"
#include "camber/scenario/describe.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;

struct CheckCommandOptions {
  std::vector<std::string> files;
  CheckOptions how;
  bool lists_figures = false;
  bool json = false;
};

void print_text(const MechanismResult& mechanism, bool lists_redundant) {
  const multibody::Mobility& mobility = mechanism.mobility;
  std::cout << "  " << mobility.degrees_of_freedom
            << (mobility.degrees_of_freedom == 1 ? " degree" : " degrees") << " of freedom";
  if (mobility.driven > 0)
    std::cout << " and " << count_text(mobility.driven, "driven joint coordinate");
  if (mobility.constraints > 0) {
    std::cout << "; loops close within " << short_text(mechanism.assembly.error, 2);
    if (mechanism.assembly.iterations > 0) {
      std::cout << " after " << count_text(mechanism.assembly.iterations, "step");
    }
  }
  std::cout << '\n';
  for (const FormulationSize& size : mechanism.formulations) {
    std::cout << "  " << size.name << ": ";
    if (size.problem.empty()) {
      std::cout << count_text(size.coordinates, "coordinate") << ", "
                << count_text(size.constraints, "constraint") << '\n';
    } else {
      std::cout << "cannot be used: " << size.problem << '\n';
    }
  }
  if (mobility.redundant.empty()) return;
  if (!lists_redundant) {
    std::cout << "  " << count_text(std::ssize(mobility.redundant), "redundant constraint")
              << " left out (--json lists them)\n";
    return;
  }
  std::cout << "  redundant, and left out:\n";
  for (const std::string& row : mobility.redundant) std::cout << "    " << row << '\n';
}

void print_text(const std::vector<CheckResult>& results) {
  for (const CheckResult& result : results) {
    for (const Diagnostic& diagnostic : result.diagnostics) {
      std::cerr << to_text(diagnostic) << '\n';
    }
    if (!result.ok()) continue;
    std::cout << result.file << ": ok, kind \"" << result.kind << "\"\n";
    if (result.data_sheet) std::cout << analysis::to_text(*result.data_sheet);
    if (result.mechanism) print_text(*result.mechanism, !result.data_sheet);
    if (!result.note.empty()) std::cout << "  note: " << result.note << '\n';
    if (result.scenario) {
      for (const auto& [part, text] : describe(*result.scenario))
        std::cout << "  " << part << ": " << text << '\n';
    }
    for (const std::string& note : result.notes) std::cout << "  note: " << note << '\n';
  }
}

ExitCode print_figures(bool as_json) {
  Json list = Json::array();
  for (const figures::KeyFigure& figure : figures::key_figures()) {
    if (!as_json) {
      std::cout << figure.name << " [" << figure.unit << "]: " << figure.definition << '\n';
      continue;
    }
    list.push_back({{"figure", figure.name},
                    {"unit", figure.unit},
                    {"definition", figure.definition},
                    {"channels", figure.channels}});
  }
  if (as_json) std::cout << Json{{"figures", list}}.dump(2) << '\n';
  return kOk;
}

ExitCode run_check(const CheckCommandOptions& options) {
  if (options.lists_figures) return print_figures(options.json);
  require(!options.files.empty(), "check: FILE is required");
  std::vector<CheckResult> results;
  bool ok = true;
  for (const std::string& path : options.files) {
    results.push_back(check_file(path, options.how));
    ok = ok && results.back().ok();
  }
  if (options.json) {
    std::cout << to_json(results) << '\n';
  } else {
    print_text(results);
  }
  return ok ? kOk : kBadUsageOrFile;
}

}  // namespace

void add_check_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<CheckCommandOptions>();
  CLI::App* command = app->add_subcommand(
      "check",
      "Check files in full and report their kind: models of kind \"lagrangian\" and \"mechanism\", "
      "vehicles, tires, equipment, terrain, scenarios, scenes, plans, rolling wheels and robots in "
      "URDF; for mechanisms also whether they assemble and what moves, for vehicles a data sheet, "
      "for "
      "scenarios what happens");
  command->add_option("FILE", options->files,
                      "Model and scenario files (TOML), tires (.tir), robots (URDF)");
  add_set_option(command, &options->how.overrides);
  add_former_robot_options(command);
  command->add_flag("--figures", options->lists_figures,
                    "List the key figures that a scenario may ask for");
  command->add_flag(
      "--json", options->json,
      "Print the findings as JSON: one object per file, in a list if there are several");
  command->footer(
      "Examples:\n"
      "  camber check models/motorcycle.toml models/four-bar.toml\n"
      "  camber check --json models/*.toml\n"
      "  camber check models/robot-arm.urdf --set robot.stop_stiffness=2000\n"
      "  camber check models/hmmwv.toml --set axles.front.wheel.mass=80\n"
      "  camber check scenarios/step-steer.toml --set driver.steering.angle_deg=2");
  command->callback([=] { *chosen = [=] { return run_check(*options); }; });
}

}  // namespace camber::app
