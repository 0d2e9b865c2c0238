#include "camber/planning/plan_file.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace camber::planning {
namespace {

constexpr double kMaxPlace = 1e6;  // [m]
constexpr double kDegree = std::numbers::pi / 180;
constexpr std::size_t kMaxCorners = 10'000;

Point read_point(const TomlNode& node) {
  const std::vector<double> xy = node.numbers(2, "m");
  if (xy.size() != 2) return {};
  if (!(std::abs(xy[0]) <= kMaxPlace && std::abs(xy[1]) <= kMaxPlace)) {
    node.error("coordinates must be within 1e6 m");
    return {};
  }
  return {xy[0], xy[1]};
}

Pose read_pose(const TomlNode& node) {
  const Point p = read_point(node.at("position"));
  return {p.x, p.y, kDegree * node.get("heading_deg", 0.0).in_range(-3600, 3600, "deg")};
}

/// `polygon`, a list of corners, or a box: `center`, `length`, `width`, `heading_deg`.
Polygon read_obstacle(const TomlNode& node) {
  Polygon polygon;
  if (const TomlNode corners = node.find("polygon")) {
    const std::vector<TomlNode> elements = corners.elements();
    if (elements.size() < 3 || elements.size() > kMaxCorners) {
      corners.error("a polygon has 3 to 10000 corners");
    }
    for (const TomlNode& corner : elements) polygon.push_back(read_point(corner));
    return polygon;
  }
  const Point center = read_point(node.at("center"));
  const double length = node.at("length").positive("m"), width = node.at("width").positive("m");
  const double heading = kDegree * node.get("heading_deg", 0.0).in_range(-3600, 3600, "deg");
  return make_outline({length / 2, length / 2, width / 2, width / 2},
                      {center.x, center.y, heading});
}

}  // namespace

PlanProblem read_plan(TomlFile* file) {
  PlanProblem problem;
  const TomlNode root = file->root();
  root.at("kind").choice({"plan"});
  problem.name = root.get("name", "plan").text();
  if (const TomlNode about = root.find("about")) about.text();

  const TomlNode vehicle = root.at("vehicle");
  HybridAStarOptions& options = problem.options;
  options.min_radius = vehicle.at("min_radius").in_range(1e-3, 1e5, "m");
  options.may_reverse = vehicle.get("may_reverse", true).boolean();
  if (const TomlNode area = root.find("area")) {
    options.footprint.front = vehicle.at("front").in_range(1e-3, 1e3, "m");
    options.footprint.rear = vehicle.at("rear").in_range(0, 1e3, "m");
    options.footprint.left = options.footprint.right =
        0.5 * vehicle.at("width").in_range(1e-3, 1e3, "m");
    problem.area = Obstacles::Bounds{read_point(area.at("low")), read_point(area.at("high"))};
    const Point low = problem.area->low, high = problem.area->high;
    if (!(high.x - low.x > 0 && high.y - low.y > 0 && high.x - low.x <= Obstacles::kMaxSide &&
          high.y - low.y <= Obstacles::kMaxSide)) {
      area.error("high must be above low in x and y, by at most 10000 m");
    }
    if (const TomlNode obstacles = root.find("obstacle")) {
      for (const TomlNode& obstacle : obstacles.tables()) {
        problem.polygons.push_back(read_obstacle(obstacle));
      }
      if (problem.polygons.size() > Obstacles::kMaxPolygons) {
        obstacles.error("more than 100000 obstacles");
      }
    }
    if (const TomlNode search = root.find("search")) {
      options.margin = search.get("margin", options.margin).in_range(0, 100, "m");
      options.tolerance = search.get("tolerance", options.tolerance).in_range(1e-4, 1, "m");
      options.cell = search.get("cell", options.cell).in_range(0, 100, "m");
      options.reverse_cost = search.get("reverse_cost", options.reverse_cost).in_range(1, 100, "");
      options.switch_cost = search.get("switch_cost", options.switch_cost).in_range(0, 1000, "m");
      options.steer_cost = search.get("steer_cost", options.steer_cost).in_range(0, 100, "");
      options.max_expansions =
          search.get("max_expansions", options.max_expansions).integer(1, 10'000'000);
    }
  }
  problem.start = read_pose(root.at("start"));
  problem.goal = read_pose(root.at("goal"));
  file->finish();
  return problem;
}

PlanProblem load_plan(const std::string& path) {
  TomlFile file = load_toml(path);
  return read_plan(&file);
}

}  // namespace camber::planning
