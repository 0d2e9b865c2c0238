#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/commands.h"
#include "camber/analysis/rig_compare.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/report/compare_report.h"
#include "camber/report/load_run.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using report::ComparedRun;
using report::Comparison;

struct CompareCommandOptions {
  std::vector<std::string> folders;
  std::string page = "compare.html";
  bool json = false;
};

/// A table for the terminal: columns as wide as their widest cell, numbers to the right.
void print_table(const report::Table& table, std::size_t text_columns) {
  std::vector<std::vector<std::string>> rows = {table.head};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> widths(table.head.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], row[j].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::string blanks(widths[j] - row[j].size(), ' ');
      line += (j == 0 ? "" : "  ") + (j < text_columns ? row[j] + blanks : blanks + row[j]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::cout << line << '\n';
  }
}

void print_text(const std::vector<ComparedRun>& runs, const Comparison& comparison) {
  std::cout << "compared from " << short_text(comparison.first_time) << " to "
            << short_text(comparison.last_time) << " s; differences are those to "
            << runs.front().name << '\n';
  if (!comparison.figures.empty()) {
    std::cout << '\n';
    print_table(figures_table(runs, comparison), 2);
  }
  std::cout << '\n';
  print_table(differences_table(runs, comparison), runs.size() == 2 ? 3 : 4);
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json to_json(const std::vector<ComparedRun>& runs, const Comparison& comparison) {
  Json json;
  json["runs"] = Json::array();
  for (const ComparedRun& run : runs) {
    json["runs"].push_back({{"name", run.name},
                            {"complete", run.is_complete},
                            {"samples", run.times.size()},
                            {"first_time", run.times.front()},
                            {"last_time", run.times.back()}});
  }
  json["first_time"] = comparison.first_time;
  json["last_time"] = comparison.last_time;
  json["notes"] = comparison.notes;
  json["figures"] = Json::array();
  for (const report::FigureComparison& figure : comparison.figures) {
    Json values = Json::array(), differences = Json::array();
    for (const double value : figure.values) {
      values.push_back(number(value));
      differences.push_back(number(value - figure.values.front()));
    }
    json["figures"].push_back({{"name", figure.name},
                               {"unit", figure.unit},
                               {"values", values},
                               {"differences", differences}});
  }
  json["columns"] = Json::array();
  for (const report::ColumnComparison& column : comparison.columns) {
    Json largest = Json::array();
    for (std::size_t i = 0; i < column.runs.size(); ++i) {
      largest.push_back({{"run", runs[i + 1].name},
                         {"difference", number(column.runs[i].difference)},
                         {"time", number(column.runs[i].time)},
                         {"first_value", number(column.runs[i].first_value)},
                         {"value", number(column.runs[i].value)}});
    }
    json["columns"].push_back({{"channel", column.channel},
                               {"column", column.column},
                               {"unit", column.unit},
                               {"range", number(column.range)},
                               {"largest", largest}});
  }
  return json;
}

/// Folders of `camber rig -o`: before and after a change of the suspension.
ExitCode run_compare_rigs(const CompareCommandOptions& options) {
  std::vector<analysis::RigFolder> rigs;
  for (const std::string& folder : options.folders)
    rigs.push_back(analysis::load_rig_folder(folder));
  const std::vector<analysis::RigDifference> differences = compare_rigs(rigs);
  write_file_atomically(options.page, make_rig_compare_report(rigs, differences));
  if (options.json) {
    std::cout << rig_differences_to_json(differences) << '\n';
    return kOk;
  }
  const report::Table table = make_rig_differences_table(differences);
  if (table.rows.empty())
    std::cout << "no column differs\n";
  else
    print_table(table, 3);
  std::cout << "\nall curves: " << options.page << '\n';
  return kOk;
}

ExitCode run_compare(const CompareCommandOptions& options) {
  require(options.folders.size() >= 2, "compare: give the folders of two runs or more, got ",
          options.folders.size());
  if (std::ranges::any_of(options.folders, analysis::is_rig_folder))
    return run_compare_rigs(options);
  const std::vector<ComparedRun> runs = report::load_runs(options.folders);
  const Comparison comparison = compare_runs(runs);
  for (const std::string& note : comparison.notes) std::cerr << "note: " << note << '\n';
  write_file_atomically(options.page, make_compare_report(runs, comparison));
  if (options.json) {
    Json json = to_json(runs, comparison);
    json["page"] = options.page;
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    print_text(runs, comparison);
    std::cout << "\nall of it over time: " << options.page << '\n';
  }
  return kOk;
}

}  // namespace

void add_compare_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<CompareCommandOptions>();
  CLI::App* command = app->add_subcommand(
      "compare",
      "Two or more runs, or rigs, over each other: figures, largest differences, and a page");
  command
      ->add_option(
          "RUN", options->folders,
          "Folders of runs or of rigs (camber rig -o); the first is what others differ from")
      ->required();
  command->add_option("-o,--out", options->page, "The page to write")->capture_default_str();
  command->add_flag("--json", options->json, "Print the differences as JSON");
  command->footer(
      "Examples:\n"
      "  camber compare runs/four-bar-001 runs/four-bar-002\n"
      "  camber compare runs/lane-change-00* --out lane-changes.html\n"
      "  camber compare before after --json\n"
      "  camber rig models/hmmwv.toml -o before\n"
      "  camber rig models/hmmwv.toml --set axles.front.spring.stiffness=170e3 -o after\n"
      "  camber compare before after");
  command->callback([=] { *chosen = [=] { return run_compare(*options); }; });
}

}  // namespace camber::app
