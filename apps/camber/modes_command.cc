#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/model_modes.h"
#include "apps/camber/model_source.h"
#include "camber/analysis/modes_analysis.h"
#include "camber/analysis/modes_report.h"
#include "camber/analysis/modes_text.h"
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
  std::string speed, lateral_acceleration, radius;
  bool has_state_space = false;
  std::string folder;
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
  request.has_matrices = options.has_state_space || !options.folder.empty();
  return request;
}

// --- Analysis ---

ModesChoices make_choices(const ModesOptions& options) {
  ModesChoices choices{.at_equilibrium = options.equilibrium,
                       .is_standing = options.standing,
                       .request = make_request(options)};
  if (!options.speed.empty()) choices.speed = parse_number(options.speed, "--speed");
  if (!options.lateral_acceleration.empty())
    choices.lateral_acceleration =
        parse_number(options.lateral_acceleration, "--lateral-acceleration");
  if (!options.radius.empty()) choices.radius = parse_number(options.radius, "--radius");
  return choices;
}

ModesAnalysis analyze(const ModesOptions& options) {
  const Overrides overrides(options.overrides);
  ModelSource source(options.model, overrides);
  ModesAnalysis result = analyze_model_modes(make_choices(options), overrides, &source);
  for (const std::string& doubt : source.notes()) std::cerr << "note: " << doubt << '\n';
  return result;
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

/// Matrices, modes and responses, one table each.
void write_tables(const ModesAnalysis& analysis, const std::string& folder) {
  make_folders(folder);
  const auto write = [&](const std::string& name, const std::string& text) {
    write_file_atomically((std::filesystem::path(folder) / name).string(), text);
  };
  for (const analysis::TextFile& file : make_state_space_csv(analysis)) write(file.name, file.text);
  write("modes.csv", make_modes_csv(analysis));
  if (analysis.responses) write("frf.csv", make_responses_csv(*analysis.responses));
}

ExitCode run_modes(const ModesOptions& options) {
  const ModesAnalysis analysis = analyze(options);
  if (!options.csv.empty()) write_csv(analysis, options.csv);
  if (!options.report.empty()) write_file_atomically(options.report, make_modes_report(analysis));
  if (!options.figures.empty()) write_figures(analysis, options.figures);
  if (!options.folder.empty()) write_tables(analysis, options.folder);
  std::cout << (options.json ? to_json(analysis) + '\n' : to_text(analysis));
  if (options.has_state_space && !options.json) std::cout << to_state_space_text(analysis);
  return kOk;
}

}  // namespace

void add_modes_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<ModesOptions>();
  CLI::App* command = app->add_subcommand(
      "modes",
      "Linearize a model or a drive: eigenvalues, root locus, frequency responses, state space");
  command
      ->add_option("MODEL", options->model,
                   "A lagrangian model, a mechanism or a scenario (TOML), a robot (URDF)")
      ->required();
  command->add_flag(
      "--equilibrium", options->equilibrium,
      "Mechanisms only: linearize where it comes to rest instead of at its initial state");
  command->add_flag(
      "--standing", options->standing,
      "Vehicles only: rest each wheel on its tire's vertical spring (acts in tension too)");
  command->add_option("--speed", options->speed,
                      "Scenarios only: of the steady state [m/s]; 0: at rest (default: that of the "
                      "scenario's start)");
  command->add_option("--lateral-acceleration", options->lateral_acceleration,
                      "Scenarios only: of the steady state, left + [m/s^2] (default: 0)");
  command->add_option("--radius", options->radius,
                      "Scenarios only: of the steady state's circle, left + [m]");
  command->add_flag("--state-space", options->has_state_space,
                    "Print the matrices E, A, B, C and D");
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
  command->add_option("-o,--output", options->folder,
                      "Write matrices, modes and responses as tables (CSV) to this folder");
  command->add_option("--report", options->report, "Write a self-contained HTML page with plots");
  command->add_option("--figures", options->figures, "Write the plots as SVG files to this folder");
  command->footer(
      "Examples:\n"
      "  camber modes models/motorcycle.toml --set parameters.V=20\n"
      "  camber modes models/motorcycle.toml --sweep V=1:60:0.5 --report modes.html\n"
      "  camber modes models/stewart-platform.toml --equilibrium\n"
      "  camber modes models/hmmwv.toml --standing --equilibrium\n"
      "  camber modes scenarios/step-steer.toml --speed 20 --lateral-acceleration 3 --state-space\n"
      "  camber modes scenarios/step-steer.toml --frf steering_wheel_angle:yaw_rate --freq 0.1:4\n"
      "  camber modes models/motorcycle.toml --frf tau:delta,phi --freq 0.1:20 --json");
  command->callback([=] { *chosen = [=] { return run_modes(*options); }; });
}

}  // namespace camber::app
