#include <cmath>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/modes_analysis.h"
#include "apps/camber/modes_report.h"
#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using lagrange::Mode;

constexpr std::size_t kMaxValues = 100'000;
constexpr int kFrequencies = 200;  // of a range without a step

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
  request.model = options.model;
  request.at_equilibrium = options.equilibrium;
  request.is_standing = options.standing;
  request.overrides = Overrides(options.overrides);
  if (!options.sweep.empty()) request.sweep = parse_sweep(options.sweep);
  if (!options.frf.empty()) request.responses = parse_responses(options.frf, options.freq);
  return request;
}

// --- JSON ---

Json to_json(const std::complex<double>& value) { return {value.real(), value.imag()}; }

Json eigenvalues_json(const std::vector<Mode>& modes) {
  Json result = Json::array();
  for (const Mode& mode : modes) result.push_back(to_json(mode.eigenvalue));
  return result;
}

Json mode_json(const ModesAnalysis& analysis, std::size_t k) {
  const Mode& mode = analysis.modes[k];
  Json shape;
  Json participation;
  for (std::size_t i = 0; i < analysis.states.size(); ++i) {
    const int row = static_cast<int>(i);
    shape[analysis.states[i]] = to_json(mode.shape[row]);
    participation[analysis.states[i]] = analysis.participation(row, static_cast<int>(k));
  }
  return {{"eigenvalue", to_json(mode.eigenvalue)},
          {"frequency_hz", mode.frequency()},
          {"damping_ratio", mode.damping_ratio()},
          {"stability", stability_text(analysis, mode)},
          {"shape", shape},
          {"participation", participation}};
}

Json sweep_json(const ModesAnalysis::Sweep& sweep) {
  Json branches = Json::array();
  for (const auto& branch : sweep.locus.branches) branches.push_back(eigenvalues_json(branch));
  Json limits = Json::array();
  for (const auto& limit : sweep.limits) {
    limits.push_back({{sweep.parameter, limit.parameter},
                      {"becomes", limit.becomes_stable ? "stable" : "unstable"},
                      {"eigenvalue", to_json(limit.mode.eigenvalue)},
                      {"frequency_hz", limit.mode.frequency()},
                      {"branch", limit.branch}});
  }
  return {{"parameter", sweep.parameter},
          {"values", sweep.locus.parameter},
          {"branches", branches},
          {"stability_limits", limits}};
}

Json responses_json(const ModesAnalysis::Responses& responses) {
  Json outputs;
  for (std::size_t i = 0; i < responses.outputs.size(); ++i) {
    Json values = Json::array();
    for (const auto& value : responses.values[i]) values.push_back(to_json(value));
    outputs[responses.outputs[i]] = values;
  }
  return {
      {"input", responses.input}, {"frequency_hz", responses.frequencies}, {"outputs", outputs}};
}

void print_json(const ModesAnalysis& analysis) {
  Json modes = Json::array();
  for (std::size_t k = 0; k < analysis.modes.size(); ++k) modes.push_back(mode_json(analysis, k));
  Json result{{"model", analysis.name},
              {"parameters", analysis.parameters},
              {"states", analysis.states},
              {"eigenvalues", eigenvalues_json(analysis.modes)},
              {"modes", modes}};
  if (analysis.sweep) result["sweep"] = sweep_json(*analysis.sweep);
  if (analysis.A.size() > 0) {
    Json rows = Json::array();
    for (const auto& row : analysis.A.rowwise()) {
      rows.push_back(std::vector<double>(row.begin(), row.end()));
    }
    result["A"] = rows;
  }
  if (analysis.responses) result["frf"] = responses_json(*analysis.responses);
  result["notes"] = analysis.model.notes;
  std::cout << result.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// --- Text ---

/// Columns of equal width; a sign of two bytes (the plus-minus) counts as one letter.
std::string padded(const std::string& text, int width) {
  int letters = 0;
  for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return text + std::string(std::max(1, width - letters), ' ');
}

void print_modes(const ModesAnalysis& analysis) {
  using report::short_text;
  std::cout << padded("eigenvalue [1/s]", 28) << padded("frequency [Hz]", 16)
            << padded("damping ratio", 15) << padded("", 10) << "states that take part\n";
  for (std::size_t k = 0; k < analysis.modes.size(); ++k) {
    const Mode& mode = analysis.modes[k];
    if (mode.eigenvalue.imag() < 0.0) continue;
    std::cout << padded(eigenvalue_text(mode.eigenvalue), 28)
              << padded(mode.is_oscillatory() ? short_text(mode.frequency(), 5) : "", 16)
              << padded(damping_text(analysis, mode), 15)
              << padded(stability_text(analysis, mode), 10);
    const char* comma = "";
    for (std::size_t i = 0; i < analysis.states.size(); ++i) {
      const double part = analysis.participation(static_cast<int>(i), static_cast<int>(k));
      if (part < 0.1) continue;
      std::cout << comma << analysis.states[i] << ' ' << short_text(std::round(100 * part)) << " %";
      comma = ", ";
    }
    std::cout << '\n';
  }
}

void print_responses(const ModesAnalysis::Responses& responses) {
  using report::short_text;
  std::cout << "\nresponse to " << responses.input << ": size, phase [deg]\n"
            << padded("frequency [Hz]", 16);
  for (const std::string& output : responses.outputs) std::cout << padded(output, 24);
  std::cout << '\n';
  // A screenful is enough to read; all of them are in --csv and --json.
  const std::size_t step = std::max<std::size_t>(1, responses.frequencies.size() / 20);
  for (std::size_t k = 0; k < responses.frequencies.size(); k += step) {
    std::cout << padded(short_text(responses.frequencies[k]), 16);
    for (const auto& values : responses.values) {
      const double degrees = std::arg(values[k]) * 180.0 / std::acos(-1.0);
      std::cout << padded(short_text(std::abs(values[k])) + ", " + short_text(degrees, 4), 24);
    }
    std::cout << '\n';
  }
}

void print_text(const ModesAnalysis& analysis) {
  std::cout << analysis.name << ": " << analysis.states.size() << " states";
  const char* comma = " (";
  for (const std::string& state : analysis.states) {
    std::cout << comma << state;
    comma = ", ";
  }
  std::cout << ")\n";
  for (const std::string& note : analysis.model.notes) std::cout << "note: " << note << '\n';
  std::cout << '\n';
  print_modes(analysis);
  if (analysis.sweep) {
    std::cout << "\nstability limits, " << analysis.sweep->parameter << " from "
              << analysis.sweep->locus.parameter.front() << " to "
              << analysis.sweep->locus.parameter.back() << '\n';
    for (const auto& limit : analysis.sweep->limits) {
      std::cout << limit_text(analysis, limit) << '\n';
    }
    if (analysis.sweep->limits.empty()) std::cout << "none\n";
  }
  if (analysis.responses) print_responses(*analysis.responses);
}

// --- Files ---

std::string modes_csv(const ModesAnalysis& analysis) {
  std::ostringstream out;
  out << std::setprecision(15);
  if (analysis.sweep) {
    const auto& locus = analysis.sweep->locus;
    out << analysis.sweep->parameter;
    for (std::size_t b = 1; b <= locus.branches.size(); ++b) out << ",re" << b << ",im" << b;
    out << '\n';
    for (std::size_t i = 0; i < locus.parameter.size(); ++i) {
      out << locus.parameter[i];
      for (const auto& branch : locus.branches) {
        out << ',' << branch[i].eigenvalue.real() << ',' << branch[i].eigenvalue.imag();
      }
      out << '\n';
    }
    return out.str();
  }
  out << "re,im,frequency_hz,damping_ratio\n";
  for (const Mode& mode : analysis.modes) {
    out << mode.eigenvalue.real() << ',' << mode.eigenvalue.imag() << ',' << mode.frequency() << ','
        << mode.damping_ratio() << '\n';
  }
  return out.str();
}

std::string responses_csv(const ModesAnalysis::Responses& responses) {
  std::ostringstream out;
  out << std::setprecision(15) << "frequency_hz";
  for (const std::string& output : responses.outputs) {
    out << ',' << output << "_re," << output << "_im";
  }
  out << '\n';
  for (std::size_t k = 0; k < responses.frequencies.size(); ++k) {
    out << responses.frequencies[k];
    for (const auto& values : responses.values) {
      out << ',' << values[k].real() << ',' << values[k].imag();
    }
    out << '\n';
  }
  return out.str();
}

/// FILE has the modes; frequency responses go to FILE with _frf before its ending.
void write_csv(const ModesAnalysis& analysis, const std::string& file) {
  write_file_atomically(file, modes_csv(analysis));
  if (!analysis.responses) return;
  std::filesystem::path path(file);
  path.replace_filename(path.stem().string() + "_frf" + path.extension().string());
  write_file_atomically(path.string(), responses_csv(*analysis.responses));
}

void write_figures(const ModesAnalysis& analysis, const std::string& folder) {
  make_folders(folder);
  for (const Figure& figure : make_figures(analysis)) {
    write_file_atomically((std::filesystem::path(folder) / figure.file).string(),
                          report::to_svg(figure.plot));
  }
}

ExitCode run_modes(const ModesOptions& options) {
  const ModesAnalysis analysis = analyze_modes(make_request(options));
  if (!options.csv.empty()) write_csv(analysis, options.csv);
  if (!options.report.empty()) write_file_atomically(options.report, make_modes_report(analysis));
  if (!options.figures.empty()) write_figures(analysis, options.figures);
  options.json ? print_json(analysis) : print_text(analysis);
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
  command->add_flag("--equilibrium", options->equilibrium,
                    "Of a mechanism: where it comes to rest, instead of its initial state");
  command->add_flag("--standing", options->standing,
                    "Of a vehicle: each wheel on the vertical spring of its tire");
  add_set_option(command, &options->overrides);
  command->add_option("--sweep", options->sweep,
                      "NAME=FIRST:LAST:STEP: follow the modes and find where they turn unstable");
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
