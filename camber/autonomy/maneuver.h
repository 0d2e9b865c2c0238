#pragma once

// A path of arcs and lines, forward and in reverse, and the law that drives it slowly.

#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/planning/hybrid_a_star.h"

namespace camber::autonomy {

/// Pieces of a path from pose to pose, in legs of one direction.
class Maneuver {
 public:
  Maneuver() = default;
  Maneuver(const planning::Pose& start, std::vector<planning::PathPiece> pieces);

  bool is_over() const { return leg_ >= legs_.size(); }
  /// 1 forward, -1 in reverse.
  int direction() const { return is_over() ? 1 : legs_[leg_].direction; }
  /// Finds the vehicle's place on the current leg.
  void follow(const planning::Pose& rear);
  /// Ends the current leg, when the vehicle is at rest at its end.
  void end_leg() { ++leg_, at_ = 0; }

  /// Left of the current leg, along it [m].
  double rest() const { return is_over() ? 0 : length(legs_[leg_]) - at_; }
  /// The curvature to steer now, left + when seen forward: that of the path a little ahead, plus a
  /// correction that returns the rear axle to the path.
  double calc_curvature(const planning::Pose& rear, double ahead) const;
  /// The curvature at the start of the current leg, seen forward.
  double first_curvature() const;
  /// The next pose of the leg after `length` [m].
  planning::Pose pose_ahead(double length) const;
  const planning::Pose& end() const { return end_; }
  /// Offset from the path at the last follow(), to its left in the direction of travel [m].
  double deviation() const { return deviation_; }

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  struct Leg {
    planning::Pose start;
    int direction = 1;
    std::vector<planning::PathPiece> pieces;
  };
  static double length(const Leg& leg);
  /// Pose and curvature in the direction of travel at a length of a leg; straight beyond its end.
  struct Point {
    planning::Pose pose;
    double curvature = 0;
  };
  static Point find(const Leg& leg, double s);

  planning::Pose start_, end_;
  std::vector<planning::PathPiece> pieces_;
  std::vector<Leg> legs_;
  std::size_t leg_ = 0;
  double at_ = 0, deviation_ = 0;  // [m]
};

}  // namespace camber::autonomy
