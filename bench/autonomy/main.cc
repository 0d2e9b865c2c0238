// camber-bench-autonomy: planners against a textbook A*, against a search from scratch, and against
// OMPL. Exit status 0; 1 when lengths differ or a bar is not reached; 2 on bad usage.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <iostream>

#include <nlohmann/json.hpp>

#include "bench/autonomy/city_row.h"
#include "bench/autonomy/naive_a_star.h"
#include "bench/autonomy/whole_loop.h"
#include "bench/program.h"
#include "bench/symbolic/measure.h"
#include "camber/core/random.h"
#include "camber/planning/d_star_lite.h"
#include "camber/planning/grid_search.h"
#include "camber/planning/plan_file.h"
#ifdef CAMBER_HAS_OMPL
#include "bench/peers/ompl_curves.h"
#endif

namespace camber::bench {
namespace {

using nlohmann::ordered_json;
using planning::Cell;
using planning::OccupancyGrid;
using planning::Pose;

// --- Grids of 512 x 512 cells ---

OccupancyGrid make_scattered(double density, std::uint64_t seed) {
  OccupancyGrid grid(512, 512);
  RandomStream random(seed);
  for (int y = 0; y < 512; ++y) {
    for (int x = 0; x < 512; ++x) {
      if (random.uniform() < density) grid.set_blocked({x, y}, true);
    }
  }
  return grid;
}

/// Rooms of 31 x 31 cells with a door in most walls.
OccupancyGrid make_rooms(std::uint64_t seed) {
  OccupancyGrid grid(512, 512);
  RandomStream random(seed);
  for (int y = 0; y < 512; ++y) {
    for (int x = 0; x < 512; ++x) {
      if (x % 32 == 0 || y % 32 == 0) grid.set_blocked({x, y}, true);
    }
  }
  for (int j = 0; j < 16; ++j) {
    for (int i = 0; i < 16; ++i) {
      if (i > 0 && random.uniform() < 0.85) {
        grid.set_blocked({32 * i, 32 * j + static_cast<int>(random.integer(1, 31))}, false);
      }
      if (j > 0 && random.uniform() < 0.85) {
        grid.set_blocked({32 * i + static_cast<int>(random.integer(1, 31)), 32 * j}, false);
      }
    }
  }
  return grid;
}

/// Streets and blocks of different sizes, with yards.
OccupancyGrid make_streets(std::uint64_t seed) {
  OccupancyGrid grid(512, 512);
  RandomStream random(seed);
  for (int k = 0; k < 260; ++k) {
    const int x = static_cast<int>(random.integer(0, 500)),
              y = static_cast<int>(random.integer(0, 500));
    const int w = static_cast<int>(random.integer(8, 40)),
              h = static_cast<int>(random.integer(8, 40));
    const bool is_yard = random.uniform() < 0.4;
    for (int j = y; j < std::min(512, y + h); ++j) {
      for (int i = x; i < std::min(512, x + w); ++i) {
        const bool edge = i < x + 2 || j < y + 2 || i >= x + w - 2 || j >= y + h - 2;
        const bool gate = is_yard && i > x + w / 2 && i < x + w / 2 + 4;
        if (!is_yard || (edge && !gate)) grid.set_blocked({i, j}, true);
      }
    }
  }
  return grid;
}

void compare_grids(bool quick, AutonomyComparison* result) {
  struct Map {
    std::string name;
    OccupancyGrid grid;
  };
  const std::vector<Map> maps{{"scattered 10 %", make_scattered(0.10, 1)},
                              {"scattered 30 %", make_scattered(0.30, 2)},
                              {"rooms", make_rooms(3)},
                              {"streets", make_streets(4)}};
  const int queries = quick ? 10 : 200, rounds = quick ? 1 : 5;
  double our_time = 0, naive_time = 0;  // of one round over all maps [s]
  double worst = 0;
  for (const Map& map : maps) {
    RandomStream random(5);
    std::vector<std::pair<Cell, Cell>> pairs;
    while (static_cast<int>(pairs.size()) < queries) {
      const auto cell = [&] {
        return Cell{static_cast<int>(random.integer(0, 511)),
                    static_cast<int>(random.integer(0, 511))};
      };
      const Cell a = cell(), b = cell();
      if (map.grid.is_free(a) && map.grid.is_free(b)) pairs.emplace_back(a, b);
    }
    planning::GridSearch search(map.grid);
    NaiveAStar naive(map.grid);
    std::vector<double> ours, theirs, ratio;
    double difference = 0;
    std::int64_t expansions = 0, naive_expansions = 0;
    for (int round = 0; round < rounds; ++round) {
      Stopwatch watch;
      std::vector<double> lengths;
      expansions = naive_expansions = 0;
      for (const auto& [a, b] : pairs) {
        const planning::GridPath path = search.find_path(a, b);
        lengths.push_back(path.found ? path.length : INFINITY);
        expansions += path.expansions;
      }
      ours.push_back(watch.lap());
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const double length = naive.find_length(pairs[k].first, pairs[k].second);
        naive_expansions += naive.expansions;
        if (std::isfinite(length) != std::isfinite(lengths[k])) {
          difference = INFINITY;
        } else if (std::isfinite(length)) {
          difference = std::max(difference, std::abs(length - lengths[k]));
        }
      }
      theirs.push_back(watch.lap());
      ratio.push_back(theirs.back() / ours.back());
    }
    worst = std::max(worst, difference);
    our_time += median(ours);
    naive_time += median(theirs);
    result->rows.push_back({{"suite", "grid queries"},
                            {"problem", map.name},
                            {"queries", queries},
                            {"camber_us", 1e6 * median(ours) / queries},
                            {"naive_us", 1e6 * median(theirs) / queries},
                            {"ratio", median(ratio)},
                            {"expansions", expansions},
                            {"naive_expansions", naive_expansions},
                            {"max_difference", difference}});
  }
  result->checks.push_back({"grid queries: difference of lengths", worst, 1e-8});
  result->checks.push_back({"grid queries: times as fast as naive A*, all maps together",
                            naive_time / our_time, 3, true, true});
}

// A vehicle drives to its goal; before each replan 1 % of the cells within 20 cells change.
void compare_replans(bool quick, AutonomyComparison* result) {
  std::vector<double> ratios;
  double difference = 0;
  const int trials = quick ? 2 : 12;
  for (int trial = 0; trial < trials; ++trial) {
    RandomStream random = RandomStream(6).substream("replan", trial);
    OccupancyGrid grid = trial % 2 ? make_streets(10 + trial) : make_scattered(0.2, 10 + trial);
    const auto free_cell = [&](int low, int high) {
      while (true) {
        const Cell c{static_cast<int>(random.integer(low, high)),
                     static_cast<int>(random.integer(low, high))};
        if (grid.is_free(c)) return c;
      }
    };
    Cell at = free_cell(5, 80);
    const Cell goal = free_cell(430, 505);
    planning::DStarLite planner(grid, at, goal);
    NaiveAStar scratch(grid);
    planning::GridPath path = planner.plan();
    for (int round = 0; round < 12 && path.found && path.cells.size() > 8; ++round) {
      at = path.cells[5];
      planner.move_start(at);
      std::vector<planning::DStarLite::Change> changes;
      for (int k = 0; k < 17; ++k) {  // of 41 x 41
        const Cell c{std::clamp(at.x + static_cast<int>(random.integer(-20, 20)), 0, 511),
                     std::clamp(at.y + static_cast<int>(random.integer(-20, 20)), 0, 511)};
        if (c == at || c == goal) continue;
        changes.push_back({c, !grid.is_blocked(c.x, c.y)});
        grid.set_blocked(c, changes.back().blocked);
      }
      planner.set_blocked(changes);
      path = planner.plan();
      NaiveAStar naive(grid);
      const double length = naive.find_length(at, goal);
      if (path.found != std::isfinite(length)) difference = INFINITY;
      if (!path.found) break;
      difference = std::max(difference, std::abs(length - path.length));
      ratios.push_back(static_cast<double>(path.expansions) /
                       static_cast<double>(naive.expansions));
    }
  }
  result->rows.push_back({{"suite", "D* Lite replan"},
                          {"problem", "17 of 1681 cells around the vehicle change"},
                          {"replans", ratios.size()},
                          {"median_ratio", median(ratios)},
                          {"max_difference", difference}});
  result->checks.push_back({"D* Lite: difference of lengths", difference, 1e-8});
  result->checks.push_back({"D* Lite: expansions of a replan over those of A* from scratch, median",
                            median(ratios), 0.2});
}

void compare_curves(bool quick, AutonomyComparison* result) {
  const int count = quick ? 200 : 10'000, rounds = quick ? 1 : 9;
  const double radius = 7.6;
  RandomStream random(7);
  std::vector<std::pair<Pose, Pose>> pairs;
  for (int k = 0; k < count; ++k) {
    const auto pose = [&] {
      return Pose{random.uniform(-30, 30), random.uniform(-30, 30), random.uniform(-3.1, 3.1)};
    };
    const Pose from = pose();
    pairs.emplace_back(from, pose());
  }
  for (const bool is_dubins : {false, true}) {
    const std::string name = is_dubins ? "Dubins" : "Reeds-Shepp";
    std::vector<double> ours, theirs, ratio;
    double difference = 0;
#ifdef CAMBER_HAS_OMPL
    const peers::OmplCurves ompl(
        is_dubins ? peers::OmplCurves::Kind::kDubins : peers::OmplCurves::Kind::kReedsShepp,
        radius);
#endif
    for (int round = 0; round < rounds; ++round) {
      std::vector<double> lengths;
      lengths.reserve(count);
      Stopwatch watch;
      for (const auto& [a, b] : pairs) {
        lengths.push_back(is_dubins ? planning::calc_dubins_length(a, b, radius)
                                    : planning::calc_reeds_shepp_length(a, b, radius));
      }
      ours.push_back(watch.lap() / count);
#ifdef CAMBER_HAS_OMPL
      double worst = 0;
      for (int k = 0; k < count; ++k) {
        worst = std::max(worst,
                         std::abs(ompl.calc_length(pairs[k].first, pairs[k].second) - lengths[k]));
      }
      theirs.push_back(watch.lap() / count);
      ratio.push_back(theirs.back() / ours.back());
      difference = std::max(difference, worst);
#endif
    }
    ordered_json row{{"suite", "curves"}, {"problem", name}, {"camber_ns", 1e9 * median(ours)}};
    if (!theirs.empty()) {
      row["ompl_ns"] = 1e9 * median(theirs);
      row["ratio"] = median(ratio);
      row["max_difference"] = difference;
      result->checks.push_back(
          {name + ": difference of lengths from OMPL's [m]", difference, 1e-9});
      if (!is_dubins) {
        result->checks.push_back(
            {"Reeds-Shepp: times as fast as OMPL", median(ratio), 4, true, true});
      }
    } else {
      row["ompl_ns"] = nullptr;  // not installed
    }
    result->rows.push_back(row);
  }
}

void solve_parking(bool quick, AutonomyComparison* result) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(CAMBER_PLANS)) {
    if (file.path().extension() == ".toml") files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  double slowest = 0;
  int unsolved = 0;
  for (const auto& file : files) {
    planning::PlanProblem problem = planning::load_plan(file.string());
    if (!problem.area) continue;
    const std::string name = file.stem().string();
    for (const bool back : {false, true}) {
      if (back) std::swap(problem.start, problem.goal);
      std::vector<double> times;
      planning::HybridPath path;
      for (int round = 0; round < (quick ? 1 : 5); ++round) {
        Stopwatch watch;
        const planning::Obstacles obstacles(problem.polygons, *problem.area);
        path = find_hybrid_path(obstacles, problem.start, problem.goal, problem.options);
        times.push_back(watch.lap());
      }
      unsolved += !path.found();
      // The bar is for maneuvers in narrow places; the trap is a search over a wide area.
      if (name != "u-trap") slowest = std::max(slowest, median(times));
      result->rows.push_back({{"suite", "hybrid A*"},
                              {"problem", name + (back ? ", back" : "")},
                              {"status", to_text(path.status)},
                              {"length", path.length},
                              {"switches", path.switches},
                              {"expansions", path.expansions},
                              {"time_ms", 1e3 * median(times)}});
    }
  }
  result->checks.push_back({"hybrid A*: problems not solved", static_cast<double>(unsolved), 0});
  result->checks.push_back(
      {"hybrid A*: slowest parking problem [ms]", 1e3 * slowest, 200, false, true});
}

void print(const AutonomyComparison& comparison, bool as_json) {
  if (as_json) {
    ordered_json checks = ordered_json::array();
    for (const Check& check : comparison.checks) {
      checks.push_back({{"name", check.name},
                        {"value", check.value},
                        {check.at_least ? "at_least" : "at_most", check.bar},
                        {"holds", check.holds()}});
    }
    std::cout
        << ordered_json{{"cpu", find_cpu()}, {"rows", comparison.rows}, {"checks", checks}}.dump(2)
        << '\n';
    return;
  }
  for (const auto& row : comparison.rows) {
    std::cout << row.at("suite").get<std::string>() << ", " << row.at("problem").get<std::string>()
              << ':';
    for (const auto& [key, value] : row.items()) {
      if (key == "suite" || key == "problem") continue;
      std::cout << "  " << key << ' ';
      if (value.is_number_float()) {
        std::cout << std::setprecision(4) << value.get<double>();
      } else if (value.is_string()) {
        std::cout << value.get<std::string>();
      } else {
        std::cout << value.dump();
      }
    }
    std::cout << '\n';
  }
  std::cout << '\n';
  for (const Check& check : comparison.checks) {
    std::cout << (check.holds() ? "ok      " : "MISSED  ") << check.name << ": "
              << std::setprecision(4) << check.value
              << (check.at_least ? " (at least " : " (at most ") << check.bar << ")\n";
  }
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using namespace camber::bench;
  bool json = false, quick = false;
  CommandLine line("Planners: grid search, replanning, curves and hybrid A*");
  line.add_flag("--json", &json, "Print every figure as JSON");
  line.add_flag("--quick", &quick, "Small problems, once; times decide nothing");
  int seeds = 0;
  line.add("--seeds", &seeds, "Drive so many seeds of scenario 1 instead: 100 take some minutes",
           CommandLine::Check::kNotNegative);
  return line.run("camber-bench-autonomy", argc, argv, [&] {
    AutonomyComparison comparison;
    if (seeds > 0) {
      drive_seeds(seeds, &comparison);
      print(comparison, json);
      return report_missed(comparison.checks, [](const Check&) { return true; });
    }
    compare_grids(quick, &comparison);
    compare_replans(quick, &comparison);
    compare_curves(quick, &comparison);
    solve_parking(quick, &comparison);
    comparison.rows.push_back(measure_city(quick, &comparison.checks));
    drive_whole_loops(quick, &comparison);
    print(comparison, json);
    return report_missed(comparison.checks,
                         [&](const Check& check) { return !quick || !check.timed; });
  });
}
