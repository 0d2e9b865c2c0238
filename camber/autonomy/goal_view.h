#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "camber/planning/geometry.h"

namespace camber::autonomy {

/// The behavior of a pilot that drives to a goal.
enum class Behavior {
  kWait,       // at rest, until there is a path or a measurement
  kFollow,     // along the global path, or straight to the goal
  kAvoid,      // around something that is in the way
  kTurnRound,  // by maneuvers, because the path leads backward
  kRecover,    // out of a place where no arc is free
  kPark,       // into the pose at the goal
  kFailSafe,   // brakes: a sensor is silent, or the position is unknown
  kArrived,
  kGaveUp,
};
inline constexpr std::string_view kBehaviorWords[] = {
    "wait", "follow", "avoid", "turn_round", "recover", "park", "fail_safe", "arrived", "gave_up"};

/// A change of behavior and why it happened.
struct BehaviorChange {
  double time = 0;  // [s]
  Behavior behavior = Behavior::kWait;
  std::string reason;
  planning::Point at;  // [m]
};

/// One candidate of a local planner.
struct Candidate {
  std::vector<planning::Point> points = {};  // [m], of the rear axle
  bool is_taken = false, is_blocked = false;
};

/// A plan, for pages.
struct PlanView {
  double time = 0;  // [s]
  planning::Pose pose = {};
  planning::Point target = {};
  std::vector<Candidate> candidates = {};
};

/// The plan of a pilot, in the world's frame by its own estimate.
struct GoalView {
  Behavior behavior = Behavior::kWait;
  double x = 0, y = 0, yaw = 0, speed = 0;  // estimate, midway between the axles [m], [rad], [m/s]
  double position_sigma = 0;                // 1 sigma of x and y together [m]
  double target_x = 0, target_y = 0;        // where the local planner drives to [m]
  double target_speed = 0;                  // [m/s], negative in reverse
  double target_curvature = 0;              // [1/m]
  double free_length = 0;                   // that the plan may drive [m]
  double distance = 0;                      // to the goal [m]

  bool is_over = false;  // arrived at rest, or gave up at rest
  double shortest = 0;  // length of the first global path, or distance to the goal at the start [m]
  std::vector<BehaviorChange> changes;
  std::vector<PlanView> pictures;
  std::vector<planning::Point> seen;  // centers of cells that were obstacles, without order of time
  double cell = 0;                    // their side [m]
  std::vector<float> cycle_times;     // of plans [s]: of the clock, not part of any result
};

}  // namespace camber::autonomy
