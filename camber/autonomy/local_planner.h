#pragma once

// What to drive next: a curvature and its free length.

#include <memory>
#include <string_view>

#include "camber/autonomy/goal_view.h"
#include "camber/autonomy/obstacle_map.h"
#include "camber/planning/arc_planner.h"

namespace camber::autonomy {

enum class LocalKind { kRoamsArcs, kArcs };
inline constexpr std::string_view kLocalWords[] = {"roams_arcs", "arcs"};

struct LocalInput {
  planning::Pose pose;          // of the rear axle, in the smooth frame
  double speed = 0;             // [m/s]
  double curvature = 0;         // that is driven now [1/m]
  double target_curvature = 0;  // of the command in effect
  planning::Point target;
};

struct LocalPlan {
  bool is_blocked = true;         // nothing is free: brake
  double curvature = 0;           // [1/m]
  double free_length = 0;         // before the first hazard [m]
  double seen_length = 0;         // of it that was seen [m]
  double clearance = 0;           // least along it [m]
  double roughness = 0;           // mean along it [m]
  bool is_straight_free = false;  // whether the arc that ends nearest to the target is free
};

class LocalPlanner {
 public:
  virtual ~LocalPlanner() = default;
  virtual LocalPlan plan(const ObstacleMapper& mapper, const LocalInput& input) = 0;
  /// Candidates of the last plan, for pages.
  virtual std::vector<Candidate> candidates() const { return {}; }
};

std::unique_ptr<LocalPlanner> make_local_planner(LocalKind kind,
                                                 const planning::ArcPlannerOptions& options);

}  // namespace camber::autonomy
