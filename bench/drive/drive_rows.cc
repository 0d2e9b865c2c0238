#include "bench/drive/drive_rows.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "bench/symbolic/measure.h"
#include "camber/core/require.h"
#include "camber/core/toml_reader.h"
#include "camber/run/simulation.h"
#include "camber/scenario/scenario_file.h"

namespace camber::bench {
namespace {

constexpr const char* kLaneChange = "double-lane-change";
constexpr const char* kSoftSoil = "soft-soil-ruts";
constexpr const char* kLooseSand = "loose-sand-ruts";

constexpr const char* kLongStep = "run.step=0.002";

std::vector<DriveRow> list_rows(const std::string& folder) {
  std::vector<DriveRow> rows;
  for (const std::string& name : list_scenarios(folder)) rows.push_back({.scenario = name});
  for (const char* variant :
       {"vehicle.formulation=ce", "vehicle.formulation=ta",
        "tire.file=../models/tires/hmmwv-fiala.toml", "tire.file=../models/tires/hmmwv-brush.toml",
        "tire.contact=four_points", "tire.contact=envelope", "vehicle.level=single_track",
        "vehicle.level=point_mass", "run.method=rk4"})
    rows.push_back({.scenario = kLaneChange, .overrides = {variant}});
  rows.push_back(
      {.scenario = kLaneChange,
       .overrides = {"tire.model=magic_formula", "tire.file=../models/tires/hmmwv.tir"}});
  for (const char* variant :
       {"ground.soil_level=lumped", "tire.model=rigid", "ground.soil_spacing=0.02", kLongStep})
    rows.push_back({.scenario = kSoftSoil, .overrides = {variant}});
  rows.push_back({.scenario = kLooseSand, .overrides = {kLongStep}});
  return rows;
}

/// Times real time that are asked for; 0 where nothing is. On soil at 2 ms, where its figures are
/// within 7e-4 of those at 0.125 ms (docs/validation/hmmwv.md).
double find_bar(const DriveRow& row) {
  if (row.scenario == kLaneChange && row.overrides.empty()) return 150;
  const bool is_soil = row.scenario == kSoftSoil || row.scenario == kLooseSand;
  return is_soil && row.overrides == std::vector<std::string>{kLongStep} ? 20 : 0;
}

std::vector<Check> find_checks(const std::vector<DriveRow>& rows) {
  std::vector<Check> checks;
  for (const DriveRow& row : rows) {
    if (!row.failure.empty())
      checks.push_back({.name = row.scenario + ": " + row.failure, .value = 1, .bar = 0});
    if (find_bar(row) > 0)
      checks.push_back({.name = "real time: " + row.scenario,
                        .value = row.times_real_time(),
                        .bar = find_bar(row),
                        .at_least = true,
                        .timed = true});
  }
  return checks;
}

}  // namespace

std::vector<std::string> list_scenarios(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    TomlFile file = load_toml(entry.path().string());
    if (file.root().at("kind").text() == "scenario") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

DriveRow run_row(const std::string& folder, DriveRow row, double longest) {
  try {
    scenario::Scenario scenario =
        scenario::load_scenario(concat(folder, "/", row.scenario, ".toml"), row.overrides);
    scenario.run.duration = std::min(scenario.run.duration, longest);
    row.step = scenario.run.step;
    run::Simulation simulation(scenario::build_scenario(std::move(scenario)));
    Stopwatch watch;
    simulation.run();
    const run::RunResult result = simulation.result();
    const double seconds = watch.lap();
    row.seconds = row.seconds > 0 ? std::min(row.seconds, seconds) : seconds;
    row.duration = result.time;
    row.evaluations = static_cast<double>(result.statistics.evaluations) /
                      static_cast<double>(std::max(1L, result.statistics.steps));
    if (result.status != run::RunStatus::kDone) row.failure = result.reason;
  } catch (const std::exception& error) {
    row.failure = error.what();
  }
  return row;
}

DriveComparison compare_drives(const std::string& folder, Effort effort) {
  const bool is_quick = effort == Effort::kQuick;
  constexpr double kQuickDuration = 2;  // [s]
  const int rounds = is_quick ? 1 : 5;
  DriveComparison comparison{
      .cpu = find_cpu(), .rows = list_rows(folder), .setups = {}, .checks = {}};
  for (int round = 1; round <= rounds; ++round) {
    std::cerr << "round " << round << " of " << rounds << '\n';
    for (DriveRow& row : comparison.rows)
      if (row.failure.empty())
        row = run_row(folder, std::move(row), is_quick ? kQuickDuration : HUGE_VAL);
  }
  comparison.checks = find_checks(comparison.rows);
  comparison.setups = measure_setups(folder, effort);
  for (const SetupRow& row : comparison.setups)
    comparison.checks.push_back({.name = "set-up [ms]: " + row.name,
                                 .value = 1e3 * row.seconds,
                                 .bar = 1e3 * row.bar,
                                 .timed = true});
  return comparison;
}

}  // namespace camber::bench
