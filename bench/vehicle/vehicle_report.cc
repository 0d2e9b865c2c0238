#include <iomanip>
#include <iostream>

#include "bench/multibody/contestant.h"
#include "bench/symbolic/measure.h"
#include "bench/symbolic/report.h"
#include "bench/vehicle/vehicle_comparison.h"

namespace camber::bench {
namespace {

using nlohmann::json;

/// How many times longer a run takes than the first one: the median over the rounds.
double times_first(const SuspendedRun& run, const SuspendedRun& first) {
  return median_ratio({run.rounds, 0}, {first.rounds, 0});
}

json to_json(const SuspendedRun& run, const SuspendedRun& first) {
  const double seconds = median(run.rounds);
  return {{"engine", run.engine},
          {"bodies", run.bodies},
          {"coordinates", run.coordinates},
          {"constraints", run.constraints},
          {"step_s", run.step},
          {"duration_s", run.duration},
          {"seconds", seconds},
          {"right_hand_sides_per_second", static_cast<double>(run.evaluations) / seconds},
          {"times_real_time", run.duration / seconds},
          {"times_ce", times_first(run, first)},
          {"largest_position_error", run.position_error},
          {"largest_speed_error", run.speed_error}};
}

void print_runs(const std::vector<SuspendedRun>& runs, std::ostream& out) {
  out << "\nsuspended under disturbances, " << runs[0].duration << " s in steps of "
      << 1e3 * runs[0].step << " ms, Runge-Kutta 4\n"
      << std::left << std::setw(19) << "engine" << std::right << std::setw(7) << "bodies"
      << std::setw(8) << "coords" << std::setw(8) << "constr" << std::setw(14) << "evaluations/s"
      << std::setw(12) << "real time" << std::setw(9) << "ce" << std::setw(13) << "opens m"
      << std::setw(13) << "m/s" << '\n';
  for (const SuspendedRun& run : runs) {
    const double seconds = median(run.rounds);
    out << std::left << std::setw(19) << run.engine << std::right << std::setw(7) << run.bodies
        << std::setw(8) << run.coordinates << std::setw(8) << run.constraints << std::fixed
        << std::setprecision(0) << std::setw(14) << static_cast<double>(run.evaluations) / seconds
        << std::setprecision(1) << std::setw(11) << run.duration / seconds << 'x'
        << std::setprecision(2) << std::setw(8) << times_first(run, runs[0]) << 'x'
        << std::scientific << std::setprecision(1) << std::setw(13) << run.position_error
        << std::setw(13) << run.speed_error << '\n';
  }
}

void print_ten_body(const std::vector<TenBodyFigure>& figures, std::ostream& out) {
  out << "\nten bodies\n";
  for (const TenBodyFigure& figure : figures) {
    out << std::left << std::setw(12) << figure.group << std::setw(38) << figure.name << std::right
        << std::setw(12) << std::defaultfloat << std::setprecision(6) << figure.value << ' '
        << figure.unit << '\n';
  }
  out << '\n';
}

}  // namespace

int report(const VehicleComparison& comparison, const ReportOptions& options) {
  if (options.json) {
    json all = to_json(comparison.race);
    all["suspended"] = json::array();
    for (const SuspendedRun& run : comparison.runs)
      all["suspended"].push_back(to_json(run, comparison.runs[0]));
    all["ten_body"] = json::array();
    for (const TenBodyFigure& f : comparison.ten_body) {
      all["ten_body"].push_back(
          {{"group", f.group}, {"name", f.name}, {"value", f.value}, {"unit", f.unit}});
    }
    std::cout << all.dump(2) << '\n';
    return report_missed(comparison.race.checks);
  }
  if (options.commit.empty()) {
    print_runs(comparison.runs, std::cout);
    print_ten_body(comparison.ten_body, std::cout);
  }
  return report(comparison.race, options);
}

}  // namespace camber::bench
