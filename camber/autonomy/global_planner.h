#pragma once

// The path to the goal over everything that was seen so far. Unseen cells count as free here; the
// local planner and the speed account for them.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "camber/autonomy/obstacle_map.h"
#include "camber/core/state_buffer.h"
#include "camber/planning/geometry.h"

namespace camber::autonomy {

enum class GlobalKind { kNone, kAStar, kDStarLite, kHybridAStar, kLanes, kOmpl };
inline constexpr std::string_view kGlobalWords[] = {"none",          "a_star", "d_star_lite",
                                                    "hybrid_a_star", "lanes",  "ompl"};

/// A lane of a road network, in the world's frame.
struct RoadLane {
  std::vector<planning::Point> center;  // in the direction of traffic [m]
  std::vector<int> successors;
};

struct GlobalSetup {
  double cell = 0.5;      // [m]
  double margin = 80;     // by which the searched area exceeds start and goal [m]
  double radius = 1.4;    // that the vehicle's middle keeps from obstacles [m]
  double goal_reach = 0;  // a goal in a blocked cell is taken for the nearest free one within [m]
  planning::Point start, goal;                         // [m], in the smooth frame at the start
  std::shared_ptr<const std::vector<RoadLane>> lanes;  // for ways over lanes
  std::uint64_t seed = 1;                              // of planners that draw samples
};

struct GlobalPath {
  bool is_found = false;
  std::vector<planning::Point> points;  // from the vehicle to the goal [m], in the smooth frame
  double length = 0;                    // [m]
  std::string problem;                  // why none was found
};

class GlobalPlanner {
 public:
  virtual ~GlobalPlanner() = default;

  /// Takes over the present local map, but not near what moves: it will not stay there.
  virtual void observe(const LocalMap& map, const std::vector<Mover>& movers) = 0;
  /// Whether it plans in the world's frame, not in the smooth one.
  virtual bool is_in_world() const { return false; }
  /// The goal may move relative to the smooth frame.
  virtual GlobalPath plan(planning::Point from, planning::Point goal) = 0;
  /// Centers and size of the cells that were obstacles, for pages.
  virtual std::vector<planning::Point> seen() const { return {}; }
  virtual double cell() const { return 0; }

  virtual void save(StateWriter* out) const = 0;
  virtual void restore(StateReader* in) = 0;
};

/// Throws std::invalid_argument for an area with too many cells, or for OMPL in a build without it.
std::unique_ptr<GlobalPlanner> make_global_planner(GlobalKind kind, const GlobalSetup& setup);

}  // namespace camber::autonomy
