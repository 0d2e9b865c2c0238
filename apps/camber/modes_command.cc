#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/model_source.h"
#include "camber/analysis/modes_analysis.h"
#include "camber/analysis/modes_report.h"
#include "camber/analysis/modes_text.h"
#include "camber/analysis/vehicle_modes.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::app {
namespace {

using analysis::ModesAnalysis, analysis::ModesRequest;

constexpr std::size_t kMaxValues = 100'000;
constexpr int kFrequencies = 200;  // in a range without a step

struct ModesOptions {
  std::string model;
  bool equilibrium = false;
  bool standing = false;
  std::vector<std::string> overrides;
  std::string sweep;
  std::string frf;
  std::string freq = "0.1:20";
  bool json = false;
  std::string csv;
  std::string report;
  std::string figures;
};

// --- Arguments ---

/// "V=20" -> {"V", "20"}
std::pair<std::string, std::string> parse_assignment(const std::string& text,
                                                     const std::string& option,
                                                     const char* expected) {
  const std::size_t equals = text.find('=');
  require(equals != std::string::npos && equals > 0 && equals + 1 < text.size(), option, ": \"",
          text, "\" is not ", expected);
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// first, first + step, ... up to last, which is met when the steps fit.
std::vector<double> stepped(double first, double last, double step, const std::string& option) {
  require(last >= first && step > 0.0, option, ": needs first <= last and a step > 0, got ", first,
          ":", last, ":", step);
  const double count = std::floor((last - first) / step + 1e-9) + 1.0;
  require(count <= static_cast<double>(kMaxValues), option, ": ", count, " values, at most ",
          kMaxValues);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < static_cast<int>(count); ++i) values.push_back(first + i * step);
  return values;
}

ModesRequest::Sweep parse_sweep(const std::string& text) {
  const auto [name, range] = parse_assignment(text, "--sweep", "NAME=FIRST:LAST:STEP");
  const std::vector<std::string> parts = split(range, ':');
  require(parts.size() == 3, "--sweep: \"", text, "\" is not NAME=FIRST:LAST:STEP");
  const auto number = [&](int i) { return parse_number(parts[i], "--sweep"); };
  return {name, stepped(number(0), number(1), number(2), "--sweep")};
}

std::vector<double> parse_frequencies(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  require(!parts.empty() && parts.size() <= 3, "--freq: \"", text,
          "\" is not F, FIRST:LAST or FIRST:LAST:STEP");
  std::vector<double> numbers;
  numbers.reserve(parts.size());
  for (const std::string& part : parts) numbers.push_back(parse_number(part, "--freq"));
  require(numbers[0] >= 0.0, "--freq: must be >= 0 Hz, got ", numbers[0]);
  if (numbers.size() == 1) return numbers;
  if (numbers.size() == 3) return stepped(numbers[0], numbers[1], numbers[2], "--freq");
  require(numbers[0] > 0.0 && numbers[1] > numbers[0],
          "--freq: a range without a step is logarithmic and needs 0 < FIRST < LAST, got ", text);
  return lagrange::log_spaced(numbers[0], numbers[1], kFrequencies);
}

ModesRequest::Responses parse_responses(const std::string& frf, const std::string& freq) {
  const std::size_t colon = frf.find(':');
  require(colon != std::string::npos && colon > 0 && colon + 1 < frf.size(), "--frf: \"", frf,
          "\" is not INPUT:OUTPUT,...");
  return {frf.substr(0, colon), split(frf.substr(colon + 1), ','), parse_frequencies(freq)};
}

ModesRequest make_request(const ModesOptions& options) {
  ModesRequest request;
  if (!options.sweep.empty()) request.sweep = parse_sweep(options.sweep);
  if (!options.frf.empty()) request.responses = parse_responses(options.frf, options.freq);
  return request;
}

// --- Analysis ---

ModesAnalysis analyze_mechanism(const ModesOptions& options, ModelSource* source) {
  require(options.sweep.empty() && options.frf.empty(), options.model,
          " is a mechanism: --sweep and --frf need a lagrangian model");
  const multibody::Mechanism mechanism = source->read_mechanism(options.standing);
  for (const std::string& doubt : source->notes()) std::cerr << "note: " << doubt << '\n';
  auto dynamics = make_dynamics(*source, mechanism, multibody::Formulation::kCe);
  using analysis::LinearizedAt;
  ModesAnalysis result = analyze_modes(
      &dynamics, options.equilibrium ? LinearizedAt::kEquilibrium : LinearizedAt::kInitialState);
  if (source->is_vehicle() && !options.standing) result.model.notes.push_back(kFallsNote);
  if (source->is_vehicle() && options.standing)
    name_vehicle_modes(ModelSource(options.model, Overrides(options.overrides)).read_vehicle(),
                       &result);
  return result;
}

ModesAnalysis analyze(const ModesOptions& options) {
  const ModesRequest request = make_request(options);
  ModelSource source(options.model, Overrides(options.overrides));
  if (source.is_mechanism()) return analyze_mechanism(options, &source);
  require(!options.equilibrium, "--equilibrium is for mechanisms: the motion of ", options.model,
          " is given in the file");
  require(!options.standing, "--standing is for vehicles, not for ", options.model);
  return analyze_modes(source.read_lagrangian(), request);
}

// --- Files ---

/// FILE has the modes; frequency responses go to FILE with _frf before its ending.
void write_csv(const ModesAnalysis& analysis, const std::string& file) {
  write_file_atomically(file, make_modes_csv(analysis));
  if (!analysis.responses) return;
  std::filesystem::path path(file);
  path.replace_filename(path.stem().string() + "_frf" + path.extension().string());
  write_file_atomically(path.string(), make_responses_csv(*analysis.responses));
}

void write_figures(const ModesAnalysis& modes, const std::string& folder) {
  make_folders(folder);
  for (const analysis::Figure& figure : make_figures(modes)) {
    write_file_atomically((std::filesystem::path(folder) / figure.file).string(),
                          report::to_svg(figure.plot));
  }
}

ExitCode run_modes(const ModesOptions& options) {
  const ModesAnalysis analysis = analyze(options);
  if (!options.csv.empty()) write_csv(analysis, options.csv);
  if (!options.report.empty()) write_file_atomically(options.report, make_modes_report(analysis));
  if (!options.figures.empty()) write_figures(analysis, options.figures);
  std::cout << (options.json ? to_json(analysis) + '\n' : to_text(analysis));
  return kOk;
}

}  // namespace

void add_modes_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<ModesOptions>();
  CLI::App* command = app->add_subcommand(
      "modes", "Linearize a model: eigenvalues, root locus, stability limits, frequency responses");
  command
      ->add_option("MODEL", options->model,
                   "A lagrangian model or a mechanism (TOML), a robot (URDF)")
      ->required();
  command->add_flag(
      "--equilibrium", options->equilibrium,
      "Mechanisms only: linearize where it comes to rest instead of at its initial state");
  command->add_flag(
      "--standing", options->standing,
      "Vehicles only: rest each wheel on its tire's vertical spring (acts in tension too)");
  add_set_option(command, &options->overrides);
  command->add_option("--sweep", options->sweep,
                      "NAME=FIRST:LAST:STEP: follow the modes and find where they become unstable");
  CLI::Option* frf = command->add_option(
      "--frf", options->frf, "INPUT:OUTPUT,...: frequency responses of outputs or states");
  command
      ->add_option("--freq", options->freq, "F, FIRST:LAST (logarithmic) or FIRST:LAST:STEP [Hz]")
      ->capture_default_str()
      ->needs(frf);
  command->add_flag("--json", options->json, "Print every number as JSON");
  command->add_option("--csv", options->csv,
                      "Write the modes as a table; responses go to FILE_frf.csv beside it");
  command->add_option("--report", options->report, "Write a self-contained HTML page with plots");
  command->add_option("--figures", options->figures, "Write the plots as SVG files to this folder");
  command->footer(
      "Examples:\n"
      "  camber modes models/motorcycle.toml --set parameters.V=20\n"
      "  camber modes models/motorcycle.toml --sweep V=1:60:0.5 --report modes.html\n"
      "  camber modes models/stewart-platform.toml --equilibrium\n"
      "  camber modes models/hmmwv.toml --standing --equilibrium\n"
      "  camber modes models/motorcycle.toml --frf tau:delta,phi --freq 0.1:20 --json");
  command->callback([=] { *chosen = [=] { return run_modes(*options); }; });
}

}  // namespace camber::app
