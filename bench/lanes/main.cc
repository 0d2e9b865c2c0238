// camber-bench-lanes: vehicle-seconds per second of one core, in doubles and in lanes of four and
// eight, in one run: double lane changes of vehicles that differ in mass and speed, with driver, stops,
// samples and figures, without log and report. Exit status 0; 1 when a drive fails, lanes of four and
// eight differ or a bar is not reached; 2 on bad usage.

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/program.h"
#include "bench/symbolic/measure.h"
#include "camber/core/hash.h"
#include "camber/core/require.h"
#include "camber/run/drive_run.h"
#include "camber/run/lane_driver.h"

namespace camber::bench {
namespace {

struct Arguments {
  ProgramOptions program;
  std::string scenario = CAMBER_SCENARIOS "/double-lane-change.toml";
  int drives = 16;
  double step = 0.001;  // [s]
};

struct Row {
  std::string name;
  int lanes = 0;       // 0: doubles
  double seconds = 0;  // processor time of the fastest round
  double driven = 0;   // [s] of all vehicles
  std::vector<std::string> hashes = {};

  double rate() const { return driven / seconds; }
};

std::vector<Overrides> make_overrides(const Arguments& arguments) {
  std::vector<Overrides> all;
  for (int i = 0; i < arguments.drives; ++i) {
    std::vector<std::string> one{concat("vehicle:chassis.mass=", 2000.5 + 20 * i),
                                 concat("driver.speed.target=", 18 + 0.25 * i),
                                 concat("run.step=", arguments.step)};
    all.emplace_back(one);
  }
  return all;
}

void drive_in_doubles(const std::string& path, const std::vector<Overrides>& overrides, Row* row) {
  scenario::PartsCache cache;
  for (const Overrides& one : overrides) {
    run::Simulation simulation = run::Simulation::load(path, one, &cache);
    record::Table log(simulation.channels());
    simulation.set_recorder(
        [&](double time, std::span<const double> sample) { log.append(time, sample); });
    simulation.run();
    require(simulation.result().status == run::RunStatus::kDone, simulation.result().reason);
    run::calc_figures(simulation.built(), log);
    row->driven += simulation.result().time;
    row->hashes.push_back(hash_values(simulation.state_values()));
  }
}

void drive_in_lanes(const std::string& path, const std::vector<Overrides>& overrides, Row* row) {
  for (const run::BatchDrive& drive :
       run::drive_batch(path, overrides, {.lanes = row->lanes, .keeps_logs = false})) {
    require(drive.problem.empty(), drive.problem);
    require(drive.outcome.is_in_lanes, "no lanes: ", drive.outcome.hindrance);
    require(drive.result.status == run::RunStatus::kDone, drive.result.reason);
    row->driven += drive.result.time;
    row->hashes.push_back(drive.final_state_hash);
  }
}

int measure_lanes(Arguments arguments) {
  if (arguments.program.quick) arguments.drives = 2;
  const int rounds = arguments.program.quick ? 1 : 5;
  const std::vector<Overrides> overrides = make_overrides(arguments);
  std::array<Row, 3> rows{Row{.name = "doubles"}, Row{.name = run::describe_lanes(4), .lanes = 4},
                          Row{.name = run::describe_lanes(8), .lanes = 8}};
  for (int round = 0; round < rounds; ++round) {
    for (Row& row : rows) {
      row.driven = 0;
      row.hashes.clear();
      Stopwatch watch;
      if (row.lanes == 0) {
        drive_in_doubles(arguments.scenario, overrides, &row);
      } else {
        drive_in_lanes(arguments.scenario, overrides, &row);
      }
      const double seconds = watch.lap();
      row.seconds = round == 0 ? seconds : std::min(row.seconds, seconds);
    }
  }
  require(rows[1].hashes == rows[2].hashes, "lanes of four and eight do not agree to the bit");
  const bool is_wide = run::lane_instruction_set() == "AVX-512";
  std::vector<Check> checks{
      {"doubles, vehicle-seconds per second", rows[0].rate(), 230, true, true},
      {"lanes of 4, vehicle-seconds per second", rows[1].rate(), 420, true, true}};
  if (is_wide)
    checks.push_back({"lanes of 8, vehicle-seconds per second", rows[2].rate(), 550, true, true});
  if (arguments.program.report.json) {
    nlohmann::ordered_json json;
    json["drives"] = arguments.drives;
    json["step"] = arguments.step;
    for (const Row& row : rows)
      json["rows"].push_back({{"kernel", row.name},
                              {"vehicle_seconds_per_second", row.rate()},
                              {"over_doubles", row.rate() / rows[0].rate()}});
    for (const Check& check : checks)
      json["checks"].push_back({{"name", check.name},
                                {"value", check.value},
                                {"bar", check.bar},
                                {"holds", check.holds()}});
    std::cout << json.dump(2) << '\n';
  } else {
    std::cout << arguments.drives << " drives, steps of " << 1e3 * arguments.step << " ms\n"
              << std::fixed << std::setprecision(1);
    for (const Row& row : rows)
      std::cout << std::left << std::setw(24) << row.name << std::right << std::setw(8)
                << row.rate() << " vehicle-seconds per second" << std::setw(8)
                << row.rate() / rows[0].rate() << " times\n";
  }
  return report_missed(checks, [&](const Check&) { return !arguments.program.quick; });
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using camber::bench::CommandLine;
  camber::bench::Arguments arguments;
  CommandLine line("Drives in lanes against drives in doubles, on one core");
  line.add(&arguments.program, "Two drives, once; times decide nothing");
  line.add("--scenario", &arguments.scenario, "A scenario of the HMMWV that holds a speed",
           CommandLine::Check::kFile);
  line.add("--drives", &arguments.drives, "How many");
  line.add("--step", &arguments.step, "Length of a step [s]");
  return line.run("camber-bench-lanes", argc, argv,
                  [&] { return camber::bench::measure_lanes(arguments); });
}
