#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/commands.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/planning/d_star_lite.h"
#include "camber/planning/grid_search.h"
#include "camber/planning/moving_ai.h"
#include "camber/planning/plan_file.h"
#include "camber/planning/plan_picture.h"
#include "camber/terrain/raster_file.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using planning::Cell;
using planning::GridPath;
using planning::OccupancyGrid;
using planning::PathPiece;

constexpr double kDegree = std::numbers::pi / 180;

struct PlanOptions {
  std::string map, scen, planner, picture;
  std::vector<double> from, to;
  double radius = 0;  // 0: not given
  int entry = 0;      // 0: all
  int pixels = 900;
  bool json = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Chooses the planner's name, or the first of `names` if none is given.
std::string choose_planner(const std::string& name, const std::vector<std::string>& names) {
  if (name.empty()) return names.front();
  std::string list;
  for (const std::string& known : names) {
    if (known == name) return name;
    list += (list.empty() ? "" : ", ") + known;
  }
  throw std::invalid_argument("--planner: \"" + name + "\" is not one of " + list);
}

// --- Benchmark grids ---

GridPath plan_by_dijkstra(const OccupancyGrid& grid, Cell start, Cell goal) {
  GridPath path;
  if (!grid.is_free(start) || !grid.is_free(goal)) return path;
  const std::vector<planning::GridCost> costs = calc_costs_from(grid, goal);
  const auto cost = [&](Cell c) {
    return costs[static_cast<std::size_t>(c.y) * grid.width() + c.x];
  };
  for (const planning::GridCost c : costs) path.expansions += c != planning::kNoPath;
  if (cost(start) == planning::kNoPath) return path;
  path.found = true;
  path.cells.push_back(start);
  while (path.cells.back() != goal) {  // down the costs
    const Cell at = path.cells.back();
    for (int k = 0; k < 8; ++k) {
      const int dx = planning::kNeighborX[k], dy = planning::kNeighborY[k];
      const Cell next{at.x + dx, at.y + dy};
      if (!can_move(grid, at, dx, dy)) continue;
      if (cost(next) + (k % 2 ? planning::kDiagonalCost : planning::kStraightCost) != cost(at)) {
        continue;
      }
      path.cells.push_back(next);
      break;
    }
  }
  path.length = calc_length(path.cells);
  return path;
}

ExitCode plan_on_grid(const PlanOptions& options) {
  const std::string planner =
      choose_planner(options.planner, {"a_star", "d_star_lite", "dijkstra"});
  const OccupancyGrid grid = planning::load_moving_ai_map(options.map);
  std::vector<planning::GridProblem> problems;
  const bool has_lengths = !options.scen.empty();
  if (has_lengths) {
    require(options.from.empty() && options.to.empty(), "--scen: give it, or --from and --to");
    problems = planning::load_moving_ai_scen(options.scen);
    check_problems(grid, problems, options.scen);
    require(options.entry <= static_cast<int>(problems.size()), "--entry: ", options.entry,
            " of a file with ", problems.size(), " problems");
    if (options.entry > 0) problems = {problems[options.entry - 1]};
  } else {
    require(options.from.size() == 2 && options.to.size() == 2,
            "--scen FILE, or --from X Y and --to X Y, are missing: a map alone does not say what "
            "to plan");
    const auto cell = [&](const std::vector<double>& xy, const char* name) {
      const Cell c{static_cast<int>(xy[0]), static_cast<int>(xy[1])};
      require(c.x == xy[0] && c.y == xy[1] && grid.contains(c), name, ": ", xy[0], ", ", xy[1],
              " is not a cell of the map of ", grid.width(), " x ", grid.height());
      return c;
    };
    planning::GridProblem problem;
    problem.start = cell(options.from, "--from");
    problem.goal = cell(options.to, "--to");
    problems.push_back(problem);
  }

  const auto before_setup = std::chrono::steady_clock::now();
  planning::GridSearch search(grid);
  const double setup = seconds_since(before_setup);
  Json rows = Json::array();
  int solved = 0, equal = 0;
  double time = 0;
  std::int64_t expansions = 0;
  GridPath last;
  std::ostringstream text;
  for (const planning::GridProblem& problem : problems) {
    const auto before = std::chrono::steady_clock::now();
    GridPath path;
    if (planner == "a_star") {
      path = search.find_path(problem.start, problem.goal);
    } else if (planner == "d_star_lite") {
      path = planning::DStarLite(grid, problem.start, problem.goal).plan();
    } else {
      path = plan_by_dijkstra(grid, problem.start, problem.goal);
    }
    const double own_time = seconds_since(before);
    time += own_time;
    expansions += path.expansions;
    solved += path.found;
    const bool is_equal =
        has_lengths && path.found &&
        std::abs(path.length - problem.optimal_length) <= problem.resolution * (1 + 1e-6);
    equal += is_equal;
    Json row;
    if (has_lengths) row["line"] = problem.line;
    row["start"] = {problem.start.x, problem.start.y};
    row["goal"] = {problem.goal.x, problem.goal.y};
    row["found"] = path.found;
    row["length"] = path.found ? Json(path.length) : Json();
    if (has_lengths) {
      row["optimal_length"] = problem.optimal_length;
      row["equal"] = is_equal;
    }
    row["expansions"] = path.expansions;
    row["time_s"] = own_time;
    rows.push_back(row);
    if (has_lengths && !is_equal) {
      text << options.scen << ':' << problem.line << ": "
           << (path.found ? concat("length ", path.length) : std::string("no path"))
           << ", the file says " << problem.optimal_length << '\n';
    }
    last = std::move(path);
  }
  if (!options.picture.empty()) {
    const auto picture = draw_grid_path(grid, last, options.pixels);
    terrain::write_png(options.picture, picture.width, picture.height, 3, picture.rgb);
  }
  const int count = static_cast<int>(problems.size());
  if (options.json) {
    Json result{{"map", options.map},
                {"width", grid.width()},
                {"height", grid.height()},
                {"planner", planner}};
    if (has_lengths) result["scen"] = options.scen;
    result["count"] = count;
    result["solved"] = solved;
    if (has_lengths) result["equal"] = equal;
    result["expansions"] = expansions;
    result["setup_s"] = setup;
    result["time_s"] = time;
    result["problems"] = rows;
    std::cout << result.dump(2) << '\n';
  } else if (has_lengths) {
    std::cout << text.str() << planner << " on " << options.map << ": " << solved << " of "
              << count_text(count, "problem") << " solved, " << equal
              << " of the published length, " << expansions << " expansions\n";
  } else {
    std::cout << planner << " on " << options.map << ": "
              << (last.found
                      ? concat("length ", fixed_text(last.length, 8), " in ", last.cells.size() - 1,
                               " moves, ", last.expansions, " expansions")
                      : std::string("no path"))
              << '\n';
  }
  return (has_lengths ? equal : solved) == count ? kOk : kRunFailed;
}

// --- Poses ---

Json pose_json(const planning::Pose& pose) {
  return {{"position", {pose.x, pose.y}}, {"heading_deg", pose.heading / kDegree}};
}

ExitCode report_pose_path(const PlanOptions& options, const planning::PlanProblem& problem,
                          const std::string& planner, const std::string& status,
                          const std::vector<PathPiece>& pieces, Json extra) {
  double length = 0, reverse = 0;
  int switches = 0;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    length += std::abs(pieces[k].length);
    if (pieces[k].length < 0) reverse -= pieces[k].length;
    switches += k > 0 && (pieces[k].length < 0) != (pieces[k - 1].length < 0);
  }
  if (!options.picture.empty()) {
    const auto picture = draw_pose_path(problem, pieces, options.pixels);
    terrain::write_png(options.picture, picture.width, picture.height, 3, picture.rgb);
  }
  const bool found = status == "found";
  if (options.json) {
    Json result{{"name", problem.name},
                {"planner", planner},
                {"status", status},
                {"start", pose_json(problem.start)},
                {"goal", pose_json(problem.goal)},
                {"min_radius", problem.options.min_radius},
                {"length", found ? Json(length) : Json()},
                {"reverse_length", reverse},
                {"switches", switches}};
    result.update(extra);
    Json list = Json::array();
    for (const PathPiece& piece : pieces) {
      list.push_back({{"curvature", piece.curvature}, {"length", piece.length}});
    }
    result["pieces"] = list;
    std::cout << result.dump(2) << '\n';
  } else {
    std::cout << problem.name << ", " << planner << ": " << status;
    if (found) {
      std::cout << ", " << fixed_text(length, 3) << " m, " << fixed_text(reverse, 3)
                << " m of it in reverse, " << count_text(switches, "change") << " of direction\n";
      for (const PathPiece& piece : pieces) {
        std::cout << "  " << padded(piece.length < 0 ? "reverse" : "forward", 9)
                  << padded(piece.curvature > 0 ? "left"
                                                : (piece.curvature < 0 ? "right" : "straight"),
                            10)
                  << std::setw(9) << fixed_text(std::abs(piece.length), 3) << " m\n";
      }
    } else {
      std::cout << '\n';
    }
  }
  return found ? kOk : kRunFailed;
}

ExitCode plan_poses(const PlanOptions& options, const planning::PlanProblem& problem) {
  std::vector<std::string> names{"reeds_shepp", "dubins"};
  if (problem.area) names.insert(names.begin(), "hybrid_a_star");
  const std::string planner = choose_planner(options.planner, names);
  if (planner == "hybrid_a_star") {
    const auto before = std::chrono::steady_clock::now();
    const planning::Obstacles obstacles(problem.polygons, *problem.area);
    const auto path = find_hybrid_path(obstacles, problem.start, problem.goal, problem.options);
    const double time = seconds_since(before);
    return report_pose_path(
        options, problem, planner, to_text(path.status), path.pieces,
        {{"cost", path.cost}, {"expansions", path.expansions}, {"time_s", time}});
  }
  const auto before = std::chrono::steady_clock::now();
  const double radius = problem.options.min_radius;
  const planning::CurvePath curve =
      planner == "dubins" ? find_dubins_path(problem.start, problem.goal, radius)
                          : find_reeds_shepp_path(problem.start, problem.goal, radius);
  const double time = seconds_since(before);
  std::vector<PathPiece> pieces;
  for (int k = 0; k < curve.count; ++k) {
    if (std::abs(curve.segments[k].length) > 1e-12) {
      pieces.push_back({curve.curvature(k), curve.segments[k].length});
    }
  }
  return report_pose_path(options, problem, planner, "found", pieces, {{"time_s", time}});
}

ExitCode run_plan(const PlanOptions& options) {
  require(options.pixels >= 16 && options.pixels <= 8000, "--pixels: must be 16 to 8000, got ",
          options.pixels);
  require(options.entry >= 0, "--entry: counts from 1, got ", options.entry);
  if (options.map.ends_with(".map")) return plan_on_grid(options);
  require(options.scen.empty() && options.entry == 0, "--scen and --entry go with a .map file");
  if (!options.map.empty()) {
    require(options.from.empty() && options.to.empty() && options.radius == 0,
            "--from, --to and --radius: the file has its own");
    return plan_poses(options, planning::load_plan(options.map));
  }
  require(options.from.size() == 3 && options.to.size() == 3 && options.radius > 0,
          "a MAP, or --from X Y DEG, --to X Y DEG and --radius R > 0, are missing");
  planning::PlanProblem problem;
  problem.name = "two poses";
  problem.options.min_radius = options.radius;
  problem.start = {options.from[0], options.from[1], kDegree * options.from[2]};
  problem.goal = {options.to[0], options.to[1], kDegree * options.to[2]};
  return plan_poses(options, problem);
}

}  // namespace

void add_plan_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<PlanOptions>();
  CLI::App* command = app->add_subcommand(
      "plan",
      "Find paths on a benchmark grid, among polygons, or between two poses, without a drive");
  command->add_option("MAP", options->map,
                      "A grid (.map of the Moving AI lab), or a problem of kind \"plan\" (TOML)");
  command->add_option("--scen", options->scen,
                      "Problems on the grid, with their optimal lengths (.scen)");
  command->add_option("--entry", options->entry, "Only this problem of the .scen file, from 1");
  command->add_option(
      "--planner", options->planner,
      "On grids: a_star, d_star_lite, dijkstra. With an area: hybrid_a_star. Between "
      "poses: reeds_shepp, dubins. The first one if not given");
  command
      ->add_option("--from", options->from, "Start: X Y of a cell, or X Y DEG of a pose [m, deg]")
      ->expected(2, 3);
  command->add_option("--to", options->to, "Goal, in the same way")->expected(2, 3);
  command->add_option("--radius", options->radius, "Min turning radius between poses [m]");
  command->add_flag("--json", options->json, "Print every number as JSON");
  command->add_option("--picture", options->picture,
                      "Write a picture of the (last) path to this file (PNG)");
  command->add_option("--pixels", options->pixels, "Longer side of the picture; 900 if not given");
  command->footer(
      "Examples:\n"
      "  camber plan plans/parallel-parking.toml --picture parking.png\n"
      "  camber plan plans/courtyard.map --scen plans/courtyard.scen --planner d_star_lite --json\n"
      "  camber plan --from 0 0 0 --to 4 3 90 --radius 5 --planner reeds_shepp\n\n"
      "Ends with status 1 when a path was not found or is longer than the .scen file says.");
  command->callback([=] { *chosen = [=] { return run_plan(*options); }; });
}

}  // namespace camber::app
