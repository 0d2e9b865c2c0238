#pragma once

// A pilot that drives to a goal: from measurements to commands.
//
//   estimator (where am I) -> mapper (what is in the way) -> global planner (which way)
//     -> behavior (what to do) -> local planner or maneuver (which curvature) -> speed -> pedals
//
// Each part can be replaced by one word of the setup, or by your own object:
//
//   GoalParts parts;
//   parts.local = std::make_unique<MyPlanner>();
//   GoalPilot pilot(setup, std::move(parts));

#include <memory>
#include <optional>
#include <string>

#include "camber/autonomy/approach.h"
#include "camber/autonomy/global_planner.h"
#include "camber/autonomy/local_planner.h"
#include "camber/autonomy/maneuver.h"
#include "camber/autonomy/obstacle_map.h"
#include "camber/autonomy/pilot.h"
#include "camber/autonomy/speed.h"
#include "camber/autonomy/speed_limit.h"
#include "camber/autonomy/state_estimator.h"

namespace camber::autonomy {

struct GoalSetup {
  planning::Point goal;                // midway between the axles, in the world's frame [m]
  std::optional<double> goal_heading;  // to park there [rad]
  double goal_radius = 1.5;            // within which the goal counts as reached [m]

  StateKind state = StateKind::kTruth;
  MapKind map = MapKind::kTruth;
  LocalKind local = LocalKind::kArcs;
  GlobalKind global = GlobalKind::kDStarLite;
  bool may_reverse = true;

  double sample_time = 0.02;    // of commands [s]
  double plan_period = 0.2;     // of plans [s]
  double global_period = 0.4;   // of global plans [s]
  double patience = 2;          // at rest without a free arc before it maneuvers [s]
  double give_up = 8;           // at rest without a path before it gives up [s]
  double no_progress = 60;      // without progress to the goal before it gives up [s]
  double maneuver_speed = 1.5;  // [m/s]

  EstimatorSetup estimator;
  MapSetup mapping;
  GlobalSetup area;
  planning::ArcPlannerOptions arcs;  // footprint about the rear axle
  planning::HybridAStarOptions maneuvers;
  SpeedLimits speed;
  SpeedControl forward, backward;  // the driver's model of the vehicle's pedals
  SteeringLimits steering;
  SingleTrackFigures track;  // for local = mppi
  std::uint64_t seed = 1;
  double wheelbase = 0;     // [m]
  double understeer = 0;    // angle per lateral acceleration [rad s^2/m]
  TrueGround ground;        // for a map from the truth
  double crossing_gap = 2;  // [s] that something must have passed before, or come after
};

/// Your own parts; null: those of the setup.
struct GoalParts {
  std::unique_ptr<StateEstimator> state;
  std::unique_ptr<ObstacleMapper> map;
  std::unique_ptr<LocalPlanner> local;
  std::unique_ptr<GlobalPlanner> global;
};

class GoalPilot : public Pilot {
 public:
  explicit GoalPilot(GoalSetup setup, GoalParts parts = {});

  double sample_time() const override { return setup_.sample_time; }
  void take(const Measurement& measurement) override;
  Command update(const VehicleView& view) override;
  void restart() override;
  const GoalView* goal() const override { return &view_; }

  const Estimate& estimate() const { return estimate_; }
  const ObstacleMapper& mapper() const { return *parts_.map; }

  void save(StateWriter* out) const override;
  void restore(StateReader* in) override;

 private:
  /// What the last plan requires.
  struct Intent {
    double curvature = 0;     // [1/m], seen forward
    double speed = 0;         // >= 0, in the direction [m/s]
    double acceleration = 0;  // of that speed [m/s^2]
    int direction = 1;
    double free_length = 0;  // [m]
  };

  void think();
  void plan_global(planning::Point goal);
  void drive_arcs(planning::Point goal);
  void drive_maneuver();
  bool start_maneuver(Behavior behavior, const std::string& reason, planning::Point goal);
  bool try_maneuver(const planning::Pose& to);
  void stop(Behavior behavior, const std::string& reason);
  std::optional<double> find_crossing(const LocalPlan& plan, double* speed) const;
  void change(Behavior behavior, const std::string& reason);
  planning::Point find_target(planning::Point goal, double ahead, double* heading) const;
  void keep_picture();
  Command act(double dt);
  planning::Pose to_smooth(const planning::Pose& world) const;
  planning::Pose rear() const;

  GoalSetup setup_;
  GoalParts parts_;
  Estimate estimate_;
  GlobalPath path_;
  Maneuver maneuver_;
  MoverTracker movers_;
  Intent intent_;
  GoalView view_;
  Command command_;
  SpeedMemory memory_;
  planning::Point target_;  // in the smooth frame [m]
  int direction_ = 1;       // that the selector is in: 1 forward, -1 reverse
  bool is_started_ = false;
  double time_ = 0;                                  // of the last update [s]
  double planned_ = -1e9, globally_planned_ = -1e9;  // times of the last plans [s]
  double blocked_since_ = -1;                        // at rest without a path [s]; negative: no
  double best_ = 1e300, best_since_ = 0;  // shortest remaining path so far [m], since when [s]
  double engaged_ = 0;                    // the selector has changed at this time [s]
  double pictured_ = -1e9;                // [s]
  double tried_ = -1e9;                   // last search for a maneuver [s]
  int maneuvers_ = 0;                     // that were tried without coming nearer
};

}  // namespace camber::autonomy
