#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/commands.h"
#include "camber/core/diagnostics.h"
#include "camber/core/toml_reader.h"
#include "camber/lagrange/model_file.h"
#include "camber/lagrange/simulate.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/urdf_file.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
};

struct CheckResult {
  std::string file;
  std::string kind;  // empty if the file does not say
  std::vector<Diagnostic> diagnostics;

  bool ok() const { return diagnostics.empty(); }
};

CheckResult check_file(const std::string& path) {
  CheckResult result;
  result.file = path;
  try {
    if (path.ends_with(".urdf")) {
      result.kind = "urdf";
      multibody::load_urdf(path);
      return result;
    }
    TomlFile file = load_toml(path);
    if (const TomlNode kind = file.root().find("kind")) result.kind = kind.text();
    file.diagnostics().throw_if_any();
    if (result.kind == "lagrangian") {
      lagrange::check_dynamics(lagrange::read_lagrangian(std::move(file)));
    } else if (result.kind == "mechanism") {
      multibody::load_mechanism(path);
    }
  } catch (const ModelFileError& error) {
    result.diagnostics = error.diagnostics();
  }
  return result;
}

Json to_json(const Diagnostic& diagnostic) {
  return {{"severity", diagnostic.severity == Severity::kError ? "error" : "warning"},
          {"line", diagnostic.where.line},
          {"column", diagnostic.where.column},
          {"key", diagnostic.where.key},
          {"text", diagnostic.text}};
}

void print_json(const std::vector<CheckResult>& results) {
  Json files = Json::array();
  for (const CheckResult& result : results) {
    Json diagnostics = Json::array();
    for (const Diagnostic& diagnostic : result.diagnostics) {
      diagnostics.push_back(to_json(diagnostic));
    }
    files.push_back({{"file", result.file},
                     {"ok", result.ok()},
                     {"kind", result.kind.empty() ? Json() : Json(result.kind)},
                     {"diagnostics", diagnostics}});
  }
  // A file name may hold any bytes; JSON may not.
  std::cout << Json{{"files", files}}.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_text(const std::vector<CheckResult>& results) {
  for (const CheckResult& result : results) {
    for (const Diagnostic& diagnostic : result.diagnostics) {
      std::cerr << to_text(diagnostic) << '\n';
    }
    if (!result.ok()) continue;
    std::cout << result.file << ": ok, ";
    if (result.kind.empty()) {
      std::cout << "no kind given\n";
    } else {
      std::cout << "kind \"" << result.kind << "\"\n";
    }
  }
}

ExitCode run_check(const CheckOptions& options) {
  std::vector<CheckResult> results;
  bool ok = true;
  for (const std::string& path : options.files) {
    results.push_back(check_file(path));
    ok = ok && results.back().ok();
  }
  options.json ? print_json(results) : print_text(results);
  return ok ? kOk : kBadUsageOrFile;
}

}  // namespace

void add_check_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      app->add_subcommand("check",
                          "Check files, and say their kind: models of kind \"lagrangian\" and "
                          "\"mechanism\" and robots in URDF in full, others that they are "
                          "well-formed");
  command
      ->add_option("FILE", options->files, "Model, scenario or study files (TOML), robots (URDF)")
      ->required();
  command->add_flag("--json", options->json, "Print the findings as JSON");
  command->footer(
      "Examples:\n"
      "  camber check models/motorcycle.toml\n"
      "  camber check --json models/*.toml");
  command->callback([=] { *chosen = [=] { return run_check(*options); }; });
}

}  // namespace camber::app
