#include "bench/autonomy/whole_loop.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string_view>

#include "bench/symbolic/measure.h"
#include "camber/core/text.h"
#include "camber/record/channel_names.h"
#include "camber/run/drive_run.h"
#include "camber/run/record_run.h"

namespace camber::bench {
namespace {

using nlohmann::ordered_json;

const std::string kScenarios = CAMBER_SCENARIOS "/";

/// What became of one drive.
struct GoalDrive {
  bool is_reached = false, is_touched = false;
  double time = 0, processor = 0, clearance = 0;  // [s], [s], [m]
  std::string end;
};

GoalDrive drive(const std::string& scenario, const std::vector<std::string>& assignments,
                scenario::PartsCache* cache) {
  run::Simulation simulation =
      run::Simulation::load(kScenarios + scenario + ".toml", assignments, cache);
  Stopwatch watch;
  run::DriveRun drive(&simulation);
  const record::Table log = run::run_in_memory(&drive);
  GoalDrive result;
  result.processor = watch.lap();
  const run::RunResult end = simulation.result();
  result.time = end.time;
  result.end = end.reason.empty() ? end.stop : end.reason;
  result.is_reached =
      simulation.built().drivers.front()->goal()->behavior == autonomy::Behavior::kArrived;
  result.is_touched = end.reason.find("hits") != std::string::npos;
  result.clearance = NAN;
  if (const std::vector<double>* clearance = log.find_values(record::channel::kClearance))
    result.clearance = *std::min_element(clearance->begin(), clearance->end());
  return result;
}

/// From the start of the scenario, or from a place behind it if one of the city's cylinders is there.
GoalDrive drive_from_free_place(const std::string& scenario,
                                const std::vector<std::string>& assignments,
                                scenario::PartsCache* cache) {
  constexpr int kTries = 4;
  for (int k = 0;; ++k) {
    std::vector<std::string> all = assignments;
    if (k > 0) all.push_back(concat("vehicle.start.x=", -140 - 8 * k));
    try {
      return drive(scenario, all, cache);
    } catch (const std::exception& error) {
      const bool is_taken =
          std::string_view(error.what()).find("does not stand at") != std::string_view::npos;
      if (!is_taken || k == kTries) throw;
    }
  }
}

}  // namespace

void drive_whole_loops(bool quick, AutonomyComparison* result) {
  scenario::PartsCache cache;
  for (const auto& [beams, model, bar] :
       {std::tuple{16, "lidar-16-beam", 20.0}, std::tuple{64, "lidar-64-beam", 6.0}}) {
    std::vector<std::string> assignments{concat("sensor[0].model=", model)};
    if (quick) assignments.emplace_back("run.duration=1.5");
    std::vector<double> factors;
    GoalDrive last;
    for (int round = 0; round < (quick ? 1 : 3); ++round) {
      last = drive("urban-lidar", assignments, &cache);
      factors.push_back(last.time / last.processor);
    }
    result->rows.push_back({{"suite", "whole loop"},
                            {"problem", concat(beams, " beams")},
                            {"times_real_time", median(factors)},
                            {"simulated_s", last.time},
                            {"min_clearance", last.clearance},
                            {"end", last.end}});
    result->checks.push_back({concat("whole loop with ", beams, " beams: times real time"),
                              median(factors), bar, true, true});
    if (!quick)
      result->checks.push_back({concat("whole loop with ", beams, " beams: goal not reached"),
                                last.is_reached ? 0.0 : 1.0, 0});
  }
}

void drive_seeds(int count, AutonomyComparison* result) {
  struct Suite {
    const char* name;
    const char* scenario;
    std::vector<std::string> assignments;
    bool must_reach;
  };
  const std::vector<Suite> suites{{"ROAMS' arcs, truth, 5 m/s", "urban-drive-to-goal", {}, false},
                                  {"LIDAR and filter, 10 m/s", "urban-lidar", {}, true},
                                  {"LIDAR and filter, 10 m/s, satellites lost between houses",
                                   "urban-lidar",
                                   {"sensor[2].model=gnss-urban"},
                                   true}};
  scenario::PartsCache cache;
  for (const Suite& suite : suites) {
    int reached = 0, touched = 0;
    double clearance = INFINITY, simulated = 0, processor = 0;
    ordered_json failed = ordered_json::array();
    for (int seed = 1; seed <= count; ++seed) {
      std::vector<std::string> assignments = suite.assignments;
      assignments.push_back(concat("run.seed=", seed));
      assignments.push_back(concat("city:seed=", seed));
      const GoalDrive drive = drive_from_free_place(suite.scenario, assignments, &cache);
      reached += drive.is_reached;
      touched += drive.is_touched;
      clearance = std::min(clearance, drive.clearance);
      simulated += drive.time;
      processor += drive.processor;
      if (!drive.is_reached) failed.push_back({{"seed", seed}, {"end", drive.end}});
    }
    result->rows.push_back({{"suite", "seeds"},
                            {"problem", suite.name},
                            {"drives", count},
                            {"reached", reached},
                            {"touched", touched},
                            {"min_clearance", clearance},
                            {"times_real_time", simulated / processor},
                            {"not_reached", failed}});
    result->checks.push_back({concat(suite.name, ": touched"), static_cast<double>(touched), 0});
    if (suite.must_reach)
      result->checks.push_back(
          {concat(suite.name, ": goal not reached"), static_cast<double>(count - reached), 0});
  }
}

}  // namespace camber::bench
