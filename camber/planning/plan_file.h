#pragma once

#include <optional>
#include <string>
#include <vector>

#include "camber/core/toml_reader.h"
#include "camber/planning/hybrid_a_star.h"

namespace camber::planning {

/// A planning problem as a file of kind "plan" has it (docs/manual/plan.md): a vehicle, a start and
/// a goal, and obstacles in an area. A problem without area is one of curves alone.
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
