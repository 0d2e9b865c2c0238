#pragma once

#include <optional>
#include <string>
#include <vector>

#include "camber/core/toml_reader.h"
#include "camber/planning/hybrid_a_star.h"

namespace camber::planning {

/// A planning problem as in a file of kind "plan" (docs/manual/plan.md): a vehicle, a start and a
/// goal, and obstacles in an area. A problem without area consists of curves only.
struct PlanProblem {
  std::string name;
  HybridAStarOptions options;
  Pose start, goal;
  std::optional<Obstacles::Bounds> area;
  std::vector<Polygon> polygons;
};

/// Throws ModelFileError with all mistakes.
PlanProblem load_plan(const std::string& path);
PlanProblem read_plan(TomlFile* file);

}  // namespace camber::planning
