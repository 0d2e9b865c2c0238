#include "bench/vehicle/vehicle_comparison.h"

#include <algorithm>
#include <iostream>

#include "bench/multibody/camber_rows.h"
#include "bench/vehicle/generated_rows.h"
#include "bench/vehicle/suspended_run.h"
#include "bench/vehicle/ten_body_table.h"
#include "bench/vehicle/vehicle_problem.h"
#include "camber/core/require.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::bench {

namespace {

class Suite {
 public:
  Suite(std::string models, Effort effort)
      : models_(std::move(models)),
        quick_(effort == Effort::kQuick),
        race_(race_options(effort)),
        comparison_(start_comparison()) {}

  VehicleComparison run() {
    for (const char* name : {"hmmwv", "hmmwv-3d"}) run_vehicle(name);
    add_generated_rows(models_, race_, quick_, &comparison_);
    run_trains();
    std::cerr << "ten bodies\n";
    TenBodyTable table = make_ten_body_table(models_ + "/hmmwv-10-body.toml", race_);
    comparison_.checks.insert(comparison_.checks.end(), table.checks.begin(), table.checks.end());
    std::vector<SuspendedRun> runs = run_suspended_vehicles(table.suspended);
    return {std::move(comparison_), std::move(runs), std::move(table.figures)};
  }

 private:
  void run_vehicle(const std::string& name) {
    std::cerr << name << '\n';
    const auto vehicle = vehicle::load_vehicle(concat(models_, "/", name, ".toml"));
    const MultibodyProblem problem = make_vehicle_problem(vehicle, race_.states);
    std::vector<Contestant> contestants;
    const auto add = [&](std::optional<Contestant> contestant) {
      if (contestant) contestants.push_back(std::move(*contestant));
    };
    add(make_camber_loops(problem, "ce"));
    add(make_camber_lanes(problem));
    for (const char* formulation : {"ta", "fa"}) add(make_camber_loops(problem, formulation));
    add(make_mujoco_contestant(problem));
    add(make_simbody_contestant(problem));
    run_race(problem, contestants, race_, &comparison_);
    if (quick_) return;
    add_ratio(problem.name, "mujoco", "camber ce", 8);
    add_ratio(problem.name, "simbody", "camber ce", 100);
  }

  void add_ratio(const std::string& problem, const std::string& slow, const std::string& fast,
                 double bar) {
    const MultibodyFigures *a = find(problem, slow), *b = find(problem, fast);
    if (a == nullptr || b == nullptr) return;
    comparison_.checks.push_back({concat(problem, ", ", slow, " / ", fast),
                                  median_ratio(a->timing, b->timing), bar, true, true});
  }

  const MultibodyFigures* find(const std::string& problem, const std::string& engine) const {
    for (const MultibodyFigures& f : comparison_.figures)
      if (f.problem == problem && f.engine == engine) return &f;
    return nullptr;
  }

  // All lengths in one race, so that their times compare.
  void run_trains() {
    std::cerr << "road trains\n";
    const auto vehicle = vehicle::load_vehicle(models_ + "/hmmwv.toml");
    std::vector<Contestant> contestants;
    std::vector<MultibodyProblem> problems;
    for (const int axles : quick_ ? std::vector{2, 4} : std::vector{2, 4, 8, 16}) {
      problems.push_back(make_vehicle_problem(make_road_train(vehicle, axles), race_.states));
      contestants.push_back(*make_camber_loops(problems.back(), "ce"));
    }
    const std::vector<Timing> timings = race(contestants, race_);
    std::vector<double> axles, seconds;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const int bodies = static_cast<int>(problems[i].mechanism.bodies.size()) - 1;
      comparison_.figures.push_back(
          {"road_train", problems[i].n, bodies, "camber ce", 1, timings[i]});
      axles.push_back(problems[i].n);
      seconds.push_back(timings[i].seconds);
    }
    if (!quick_) {
      comparison_.checks.push_back({"growth exponent of camber ce, road train of 2 to 16 axles",
                                    growth_exponent(axles, seconds), 1.1, false, true});
    }
  }

  // 004's table: the suspended vehicle under disturbances, all with one step and duration, `ta` and
  // `fa` without stabilization.
  std::vector<SuspendedRun> run_suspended_vehicles(const std::vector<SuspendedVehicle>& ten) {
    std::cerr << "suspended, through time\n";
    const auto hmmwv = vehicle::load_vehicle(models_ + "/hmmwv.toml");
    std::vector<SuspendedVehicle> vehicles;
    for (const auto formulation :
         {multibody::Formulation::kCe, multibody::Formulation::kTa, multibody::Formulation::kFa})
      vehicles.push_back(
          make_suspended(hmmwv, formulation, {multibody::Stabilization::Kind::kNone}));
    vehicles.push_back(make_generated_suspended(hmmwv));
    vehicles.insert(vehicles.end(), ten.begin(), ten.end());
    const SuspendedRunOptions options{.step = 1e-3, .duration = quick_ ? 0.2 : 10};
    std::vector<SuspendedRun> runs;
    for (int round = 0; round < (quick_ ? 1 : 3); ++round) {
      for (std::size_t i = 0; i < vehicles.size(); ++i) {
        SuspendedRun run = run_suspended(vehicles[i], options);
        if (round == 0) {
          runs.push_back(std::move(run));
        } else {
          runs[i].rounds.push_back(run.rounds[0]);
        }
      }
    }
    for (const std::size_t i : {1, 2, 3}) {
      comparison_.checks.push_back(
          {concat("places over ", options.duration, " s, camber ce and ", runs[i].engine, " [m]"),
           difference(runs[0], runs[i]), 1e-4, false, false});
    }
    return runs;
  }

  std::string models_;
  bool quick_;
  RaceOptions race_;
  MultibodyComparison comparison_;
};

}  // namespace

VehicleComparison compare_vehicles(const std::string& models, Effort effort) {
  return Suite(models, effort).run();
}

}  // namespace camber::bench
