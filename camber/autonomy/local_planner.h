#pragma once

// What to drive next: a curvature and its free length.

#include <cstdint>
#include <memory>
#include <string_view>

#include "camber/autonomy/approach.h"
#include "camber/autonomy/goal_view.h"
#include "camber/autonomy/obstacle_map.h"
#include "camber/planning/arc_planner.h"

namespace camber::autonomy {

enum class LocalKind { kRoamsArcs, kArcs, kMppi };
inline constexpr std::string_view kLocalWords[] = {"roams_arcs", "arcs", "mppi"};

/// A linear single track.
struct SingleTrackFigures {
  double mass = 0, yaw_inertia = 0;                // [kg], [kg m^2]
  double front = 0, rear = 0;                      // axles from center of mass [m]
  double front_stiffness = 0, rear_stiffness = 0;  // cornering, per axle [N/rad]
};

/// What local planners know beforehand.
struct LocalSetup {
  planning::ArcPlannerOptions arcs;  // footprint about the rear axle
  SteeringLimits steering;
  SingleTrackFigures track;  // for planners that plan with one
  std::uint64_t seed = 1;    // of planners that draw samples
};

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

  /// For planners that remember something from plan to plan.
  virtual void save(StateWriter*) const {}
  virtual void restore(StateReader*) {}
};

std::unique_ptr<LocalPlanner> make_local_planner(LocalKind kind, const LocalSetup& setup);

}  // namespace camber::autonomy
