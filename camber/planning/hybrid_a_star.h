#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "camber/planning/obstacles.h"
#include "camber/planning/reeds_shepp.h"

namespace camber::planning {

/// A vehicle and the costs of its paths.
struct HybridAStarOptions {
  Footprint footprint;
  double min_radius = 0;  // [m] of the reference point's circle
  bool may_reverse = true;
  double reverse_cost = 1.5;    // of a meter in reverse, over one forward
  double switch_cost = 1.0;     // [m] for each change of direction
  double steer_cost = 0.1;      // added to a meter on an arc
  double cell = 0;              // [m] of the search; 0: a twelfth of the radius, at most 0.5
  double heuristic_weight = 2;  // of the estimate of the rest of the path; 1: no hurry
  int headings = 72;
  double margin = 0;        // [m] that the footprint keeps from polygons
  double tolerance = 0.01;  // [m] below which a passage may count as too narrow
  std::int64_t max_expansions = 300'000;
};

/// A piece of a path: an arc or a straight segment.
struct PathPiece {
  double curvature = 0;  // [1/m]
  double length = 0;     // [m], negative in reverse
};

struct HybridPath {
  enum class Status { kFound, kStartBlocked, kGoalBlocked, kUnreachable, kGaveUp };
  Status status = Status::kUnreachable;
  Pose start;
  std::vector<PathPiece> pieces;
  double length = 0;  // [m]
  double reverse_length = 0;
  int switches = 0;  // changes of direction
  double cost = 0;
  std::int64_t expansions = 0;

  bool found() const { return status == Status::kFound; }
};

/// "found", "start blocked", "goal blocked", "unreachable", "gave up".
std::string to_text(HybridPath::Status status);

/// A path from pose to pose that keeps min_radius and touches nothing, forward and in reverse, by
/// search over poses with arcs of min_radius. Reeds-Shepp curves (Dubins if the vehicle may not
/// reverse) are tried as its end, and shorten the path afterwards. It ends exactly at the goal. The
/// same input gives the same path. The path need not be the shortest.
HybridPath find_hybrid_path(const Obstacles& obstacles, const Pose& start, const Pose& goal,
                            const HybridAStarOptions& options);

/// Poses along a path, `step` [m] apart at most, with both ends of each piece.
std::vector<Pose> sample_path(const Pose& start, const std::vector<PathPiece>& pieces, double step);

}  // namespace camber::planning
