#pragma once

#include <optional>
#include <vector>

#include "camber/planning/obstacles.h"

namespace camber::planning {

/// Arcs that a vehicle could drive next, and the choice among them.
struct ArcPlannerOptions {
  /// kNearestEnd: the rule of ROAMS. Of the arcs that meet no obstacle, the one that ends nearest to
  /// the goal.
  /// kLowestCost: arcs are cut at the first hazard and compared by goal, clearance and change of
  /// steering; they start with the curvature that the vehicle has, from the pose that it will have
  /// when the command takes effect, and must be long enough to stop on.
  enum class Rule { kNearestEnd, kLowestCost };
  Rule rule = Rule::kLowestCost;

  Footprint footprint;
  double margin = 0.3;      // [m] that the footprint keeps from obstacles
  double min_radius = 7.6;  // [m]
  int arcs = 31;            // curvatures evenly from -1/min_radius to 1/min_radius, 3 to 1001
  double length = 15;       // [m]; less where the goal is nearer

  // For kLowestCost.
  double period = 0.2;               // [s] until the next plan
  double latency = 0.2;              // [s] from the pose's time to the effect; at most `period`
  double max_curvature_rate = 0.15;  // [1/(m s)]: rate of the road wheels over the wheel base
  double deceleration = 3;           // [m/s^2] of braking
  double goal_weight = 1;            // per meter from the arc's end to the goal
  double clearance_weight = 1;       // per 1/m of clearance
  double steering_weight = 1;        // per change of curvature over 1/min_radius
  double max_clearance = 2;          // [m], more counts as this much
};

struct ArcPlannerInput {
  Pose pose;
  double speed = 0;             // [m/s], not negative
  double curvature = 0;         // [1/m] that the vehicle drives now
  double target_curvature = 0;  // [1/m] of the command in effect until this plan's
  Point goal;
};

/// Result of one candidate.
struct Arc {
  enum class Fate { kTaken, kFree, kBlocked, kTooShort };
  double curvature = 0;    // [1/m] at its end
  double free_length = 0;  // [m] before the first hazard
  double clearance = 0;    // [m] least along the free length, of the footprint with its margin
  Pose end;                // at the free length
  double cost = 0;
  Fate fate = Fate::kFree;
};

struct ArcPlan {
  std::optional<int> taken;  // index into arcs; empty: all are blocked, brake
  std::vector<Arc> arcs;     // from right to left
  Pose start;                // pose at which the arcs start
  double start_curvature = 0;
  double needed_length = 0;  // [m] that an arc must be free: one period and braking
};

/// Plans of one vehicle; keeps its memory from call to call.
class ArcPlanner {
 public:
  explicit ArcPlanner(const ArcPlannerOptions& options);

  /// The plan is valid until the next call; no memory is taken after the first. Obstacles are those
  /// of the map, without margin.
  const ArcPlan& plan(const ClearanceMap& obstacles, const ArcPlannerInput& input);

  const ArcPlannerOptions& options() const { return options_; }

 private:
  void follow(const ClearanceMap& obstacles, double speed, double length, Arc* arc) const;

  ArcPlannerOptions options_;
  Footprint inflated_;
  ArcPlan plan_;
};

/// Pieces of constant curvature of a path whose curvature goes from one value to another at a rate,
/// and then stays: each has the mean curvature of its stretch.
class CurvatureRamp {
 public:
  struct Piece {
    double curvature, length;
  };
  /// `per_meter` [1/m^2] > 0.
  CurvatureRamp(double from, double to, double per_meter) : at_(from), to_(to), rate_(per_meter) {}
  /// The next piece, at most `max_length` [m] long: a quarter meter of the change, or all the rest.
  Piece next(double max_length);
  double curvature() const { return at_; }

 private:
  double at_, to_, rate_;
};

}  // namespace camber::planning
