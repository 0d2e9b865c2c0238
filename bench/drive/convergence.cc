// camber-bench-convergence: how results of the shipped scenarios change with the step. Each is run
// with steps of 2, 1, 0.5, 0.25 and 0.125 ms. With p_h(t) the place of the vehicle,
//   d_h = max over all samples of |p_h(t) - p_(h/2)(t)|
// falls by 4 from step to step where the order is 2. Errors at 1 ms are those against the smallest
// step. Exit status 0; 1 when a drive fails; 2 on bad usage.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/drive/drive_rows.h"
#include "bench/program.h"
#include "camber/core/require.h"
#include "camber/record/channel_names.h"
#include "camber/run/drive_run.h"
#include "camber/scenario/scenario_file.h"

namespace camber::bench {
namespace {

constexpr std::array kSteps = {0.002, 0.001, 0.0005, 0.00025, 0.000125};  // [s]
constexpr std::size_t kDefault = 1;                                       // 1 ms

struct Arguments {
  std::string scenarios = CAMBER_SCENARIOS;
  std::vector<std::string> only, overrides;
  double longest = HUGE_VAL;  // [s]
  bool json = false, profile = false;
};

struct Run {
  std::vector<double> times;
  std::vector<std::array<double, 3>> places;
  std::vector<report::KeyFigure> figures;
};

struct Row {
  std::string scenario, failure = {};
  std::vector<Run> runs = {};
  std::vector<double> differences = {};  // d_h [m]
};

Run run_scenario(const Arguments& arguments, const std::string& name, double step) {
  scenario::Scenario scenario =
      scenario::load_scenario(concat(arguments.scenarios, "/", name, ".toml"), arguments.overrides);
  scenario.run.duration = std::min(scenario.run.duration, arguments.longest);
  scenario.run.step = step;
  run::Simulation simulation(scenario::build_scenario(std::move(scenario)));
  run::DriveRun drive(&simulation);
  const record::Table table = run::run_in_memory(&drive);
  const run::RunResult result = simulation.result();
  require(result.status == run::RunStatus::kDone, "step ", step, " s: ", result.reason);
  Run run;
  run.figures = run::calc_figures(simulation.built(), table);
  run.times = table.times;
  const std::vector<double>& places = *table.find_values(record::channel::kPosition);
  for (std::size_t i = 0; i + 2 < places.size(); i += 3)
    run.places.push_back({places[i], places[i + 1], places[i + 2]});
  return run;
}

double distance(const Run& a, const Run& b, std::size_t i) {
  const auto &p = a.places[i], &q = b.places[i];
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

double find_difference(const Run& a, const Run& b) {
  double max_distance = 0;
  // Runs may stop a sample apart.
  for (std::size_t i = 0; i < std::min(a.places.size(), b.places.size()); ++i)
    if (std::abs(a.times[i] - b.times[i]) < 1e-9)
      max_distance = std::max(max_distance, distance(a, b, i));
  return max_distance;
}

Row measure(const Arguments& arguments, const std::string& name) {
  Row row{.scenario = name};
  try {
    for (const double step : kSteps) row.runs.push_back(run_scenario(arguments, name, step));
    for (std::size_t k = 0; k + 1 < row.runs.size(); ++k)
      row.differences.push_back(find_difference(row.runs[k], row.runs[k + 1]));
  } catch (const std::exception& error) {
    row.failure = error.what();
  }
  return row;
}

double find_order(const Row& row, std::size_t k) {
  return std::log2(row.differences[k] / row.differences[k + 1]);
}

double find_error(const Row& row) { return find_difference(row.runs[kDefault], row.runs.back()); }

void print_heading() {
  std::printf("%-24s%10s%10s%10s%10s  %-18s%10s\n", "scenario", "2-1 ms", "1-0.5", "0.5-0.25",
              "0.25-0.125", "orders", "1 ms [m]");
}

void print(const Row& row) {
  std::printf("%-24s", row.scenario.c_str());
  if (!row.failure.empty()) {
    std::printf("  failed: %s\n", row.failure.c_str());
    return;
  }
  for (const double d : row.differences) std::printf("%10.1e", d);
  std::printf("  ");
  for (std::size_t k = 0; k + 1 < row.differences.size(); ++k)
    std::printf("%-6.2f", find_order(row, k));
  std::printf("%10.1e\n", find_error(row));
  for (std::size_t f = 0; f < row.runs.front().figures.size(); ++f) {
    const report::KeyFigure& last = row.runs.back().figures[f];
    std::printf("    %-36s", last.name.c_str());
    for (const Run& run : row.runs) std::printf(" %14.9g", run.figures[f].value);
    std::printf(" %s\n", last.unit.c_str());
  }
  std::fflush(stdout);
}

/// How the differences grow in time: where an order is lost.
void print_profile(const Row& row) {
  if (!row.failure.empty()) return;
  const std::size_t count = row.runs.back().places.size();
  for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, count / 60)) {
    std::printf("    t = %8.3f s", row.runs.back().times[i]);
    for (std::size_t k = 0; k + 1 < row.runs.size(); ++k)
      if (i < row.runs[k].places.size() && i < row.runs[k + 1].places.size())
        std::printf("%11.2e", distance(row.runs[k], row.runs[k + 1], i));
    std::printf("\n");
  }
}

nlohmann::json to_json(const Row& row) {
  using nlohmann::json;
  if (!row.failure.empty()) return {{"scenario", row.scenario}, {"failure", row.failure}};
  json orders = json::array(), figures = json::array();
  for (std::size_t k = 0; k + 1 < row.differences.size(); ++k) orders.push_back(find_order(row, k));
  for (std::size_t f = 0; f < row.runs.front().figures.size(); ++f) {
    json values = json::array();
    for (const Run& run : row.runs) values.push_back(run.figures[f].value);
    const report::KeyFigure& last = row.runs.back().figures[f];
    figures.push_back({{"name", last.name}, {"unit", last.unit}, {"values", values}});
  }
  return {{"scenario", row.scenario},           {"steps_s", kSteps},
          {"differences_m", row.differences},   {"orders", orders},
          {"error_at_1_ms_m", find_error(row)}, {"figures", figures}};
}

int run_all(const Arguments& arguments) {
  const std::vector<std::string> names =
      arguments.only.empty() ? list_scenarios(arguments.scenarios) : arguments.only;
  nlohmann::json all = nlohmann::json::array();
  bool has_failed = false;
  if (!arguments.json) print_heading();
  for (const std::string& name : names) {
    const Row row = measure(arguments, name);
    has_failed = has_failed || !row.failure.empty();
    if (arguments.json) {
      all.push_back(to_json(row));
      continue;
    }
    print(row);
    if (arguments.profile) print_profile(row);
  }
  if (arguments.json) std::cout << all.dump(2) << '\n';
  return has_failed ? 1 : 0;
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using camber::bench::CommandLine;
  camber::bench::Arguments arguments;
  CommandLine line("Results of the shipped scenarios over the step, and the order that they show");
  line.add("--scenarios", &arguments.scenarios, "Folder of the scenarios",
           CommandLine::Check::kFolder);
  line.add("--only", &arguments.only, "One scenario; may be given again");
  line.add("--set", &arguments.overrides, "A value of their own, KEY=VALUE");
  line.add("--longest", &arguments.longest, "No more than this much time [s]");
  line.add_flag("--json", &arguments.json, "Print every figure as JSON");
  line.add_flag("--profile", &arguments.profile, "Print how the differences grow in time");
  line.add_example("camber-bench-convergence --only half-round --profile");
  return line.run("camber-bench-convergence", argc, argv,
                  [&] { return camber::bench::run_all(arguments); });
}
