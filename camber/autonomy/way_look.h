#pragma once

#include <algorithm>

#include "camber/autonomy/obstacle_map.h"

namespace camber::autonomy {

/// What a map says along a way: how far it was seen, and how rough it is. Looks below the middle and
/// both sides of the footprint's front.
class WayLook {
 public:
  WayLook(const ObstacleMapper& mapper, const planning::Footprint& body)
      : mapper_(mapper), body_(body) {}

  /// A pose of the reference point after `length` [m]; false if the ground was not seen there.
  bool visit(const planning::Pose& pose, double length) {
    const planning::Pose front = to_global(pose, {body_.front, 0, 0});
    for (const double side : {-body_.right, 0.0, body_.left}) {
      const planning::Pose at = to_global(front, {0, side, 0});
      sum_ += mapper_.roughness({at.x, at.y});
      ++count_;
      if (mapper_.map().is_seen_at({at.x, at.y})) continue;
      seen_ = std::min(seen_, length);
      return false;
    }
    return true;
  }
  /// Of `length`, what was seen [m].
  double seen(double length) const { return std::min(length, seen_); }
  /// The mean over all visits [m].
  double roughness() const { return count_ > 0 ? sum_ / count_ : 0; }

 private:
  const ObstacleMapper& mapper_;
  planning::Footprint body_;
  double seen_ = 1e300, sum_ = 0;
  int count_ = 0;
};

}  // namespace camber::autonomy
