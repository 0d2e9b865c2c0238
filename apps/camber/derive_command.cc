#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/model_source.h"
#include "camber/codegen/write.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/lagrange/derivation_parts.h"
#include "camber/lagrange/derivation_text.h"
#include "camber/lagrange/equations.h"
#include "camber/lagrange/model_file.h"
#include "camber/lagrange/stability_conditions.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using lagrange::Notation;

struct DeriveOptions {
  std::string model;
  std::string print = "text";
  std::string code;
  std::string method = "momentum";
  std::string directory;
  std::vector<std::string> overrides;
  std::string energy, force, limits;
  bool linear = false, accelerations = false, stability = false;
  bool json = false;
};

lagrange::Derivation describe_choice(const DeriveOptions& options,
                                     const lagrange::LagrangianModel& model,
                                     const lagrange::Equations& equations) {
  const bool is_stability = options.stability || !options.limits.empty();
  const int choices = static_cast<int>(options.linear) + static_cast<int>(options.accelerations) +
                      static_cast<int>(is_stability) + static_cast<int>(!options.energy.empty()) +
                      static_cast<int>(!options.force.empty());
  require(choices <= 1,
          "--linear, --accelerations, --stability, --energy and --force are different results: "
          "give one of them");
  if (options.linear) return describe_linear(model, equations);
  if (options.accelerations) return describe_accelerations(model, equations);
  if (is_stability) return describe_stability(model, equations, options.limits);
  if (!options.energy.empty()) return describe_energy(model, options.energy);
  if (!options.force.empty()) return describe_force(model, options.force);
  return describe(model, equations);
}

lagrange::DerivationOptions::Method method_named(const std::string& name) {
  using Method = lagrange::DerivationOptions::Method;
  if (name == "lagrangian") return Method::kLagrangian;
  return name == "vakonomic" ? Method::kVakonomic : Method::kMomentum;
}

Notation notation_of(const DeriveOptions& options) {
  return options.print == "latex" ? Notation::kLatex : Notation::kText;
}

// --- Files ---

struct CodeLanguage {
  symbolic::Language language;
  std::string ending;
};

CodeLanguage language_named(const std::string& name) {
  if (name == "c") return {symbolic::Language::kC99, ".c"};
  if (name == "cpp") return {symbolic::Language::kCpp, ".h"};
  return {symbolic::Language::kFortran, ".f90"};
}

/// Equations and source side by side; prints where they are.
void write_files(const DeriveOptions& options, const lagrange::Derivation& derivation,
                 const std::string& source, const std::string& source_ending) {
  const Notation notation = notation_of(options);
  const std::filesystem::path stem =
      std::filesystem::path(options.directory) / derivation.program.name();
  std::vector<std::string> files;
  const auto write = [&](const std::string& ending, const std::string& content) {
    files.push_back(stem.string() + ending);
    write_file_atomically(files.back(), content);
  };
  make_folders(options.directory);
  if (options.json) {
    write(".json", to_json(derivation, notation) + "\n");
  } else {
    write(notation == Notation::kLatex ? ".tex" : ".txt", to_text(derivation, notation));
  }
  if (!source.empty()) write(source_ending, source);
  if (options.json) {
    std::cout << Json{{"files", files}}.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    for (const std::string& file : files) std::cout << file << '\n';
  }
}

ExitCode run_derive(const DeriveOptions& options) {
  std::error_code error;
  require(!std::filesystem::exists(options.directory, error) ||
              std::filesystem::is_directory(options.directory, error),
          options.directory, " exists and is not a directory");
  ModelSource file(options.model, Overrides(options.overrides));
  if (file.kind() != "lagrangian") {
    file.refuse_kind(
        "camber derive takes models of kind \"lagrangian\", camber generate vehicles and "
        "mechanisms");
  }
  const lagrange::LagrangianModel model = file.read_lagrangian();
  const lagrange::Equations equations =
      lagrange::derive(model.system, {method_named(options.method)});
  const lagrange::Derivation derivation = describe_choice(options, model, equations);
  const Notation notation = notation_of(options);
  const CodeLanguage language = language_named(options.code);
  const std::string source =
      options.code.empty() ? "" : codegen::write_source(derivation.program, language.language);
  if (!options.directory.empty()) {
    write_files(options, derivation, source, language.ending);
  } else if (options.json) {
    std::cout << to_json(derivation, notation, source) << '\n';
  } else {
    std::cout << to_text(derivation, notation) << (source.empty() ? "" : "\n") << source;
  }
  return kOk;
}

}  // namespace

void add_derive_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<DeriveOptions>();
  CLI::App* command = app->add_subcommand(
      "derive", "Derive the equations of a Lagrangian model, and code for them");
  command->add_option("MODEL", options->model, "A model of kind \"lagrangian\" (TOML)")->required();
  command->add_option("--print", options->print, "How to write equations: text (default) or latex")
      ->check(CLI::IsMember({"text", "latex"}));
  command->add_option("--code", options->code, "Also write code: c, cpp or fortran")
      ->check(CLI::IsMember({"c", "cpp", "fortran"}));
  command->add_flag("--linear", options->linear, "Linearize about the motion that the model gives");
  command->add_flag("--accelerations", options->accelerations,
                    "Mass matrix, its factors L D L^T, and accelerations instead");
  command->add_flag("--stability", options->stability,
                    "Characteristic polynomial and conditions of Routh and Hurwitz instead; for up "
                    "to 8 states");
  command->add_option("--limits", options->limits,
                      "--stability, and this parameter's values at which a condition vanishes");
  command->add_option("--energy", options->energy, "Energies of this body instead");
  command->add_option("--force", options->force,
                      "Generalized forces along this coordinate instead, load by load");
  command
      ->add_option("--method", options->method,
                   "momentum (default), lagrangian, or vakonomic: multipliers inside the "
                   "Lagrangian, wrong for "
                   "nonholonomic constraints, only to reproduce a paper")
      ->check(CLI::IsMember({"momentum", "lagrangian", "vakonomic"}));
  add_set_option(command, &options->overrides);
  command->add_option("-o,--output", options->directory,
                      "Write files into this folder instead of to stdout");
  command->add_flag("--json", options->json, "Print equations, operation counts and code as JSON");
  command->footer(
      "Examples:\n"
      "  camber derive models/motorcycle.toml\n"
      "  camber derive models/motorcycle.toml --linear --print latex\n"
      "  camber derive models/motorcycle.toml --code c -o build/motorcycle\n"
      "  camber derive models/double-pendulum.toml --accelerations --code cpp\n"
      "  camber derive models/rolling-disc.toml --limits V\n"
      "  camber derive models/slider-crank.toml --energy rod_body\n"
      "  camber derive models/quarter-car.toml --force zs");
  command->callback([=] { *chosen = [=] { return run_derive(*options); }; });
}

}  // namespace camber::app
