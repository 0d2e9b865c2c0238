#pragma once

#include <string>
#include <vector>

#include "camber/multibody/compile.h"
#include "camber/multibody/kinematics.h"
#include "camber/multibody/partition.h"

namespace camber::multibody {

/// Checks loops that have driven joints and more equations than their other speeds need. The given
/// motions must satisfy the extra equations, which are then redundant; otherwise the motions
/// contradict each other.
class MotionCheck {
 public:
  MotionCheck() = default;
  MotionCheck(const Model<double>& model, const Partition& partition);

  /// Whether there is anything to check.
  bool is_needed() const { return !rows_.empty(); }

  struct Open {
    int row = -1;  // in Model::rows; < 0: none
    double error = 0;
    const char* of = "";  // "position", "speed", "acceleration"
    double share = 0;     // error over the row's unit
  };
  /// The row with the largest error at q. Does not allocate.
  Open find_open(const Model<double>& model, const PositionKinematics<double>& pos,
                 const VectorX<double>& q) const;

  /// Also checks speeds and accelerations of loops whose whole motion is given; q has closed loops,
  /// driven speeds are in v.
  Open find_contradiction(const Model<double>& model, const Partition& partition,
                          const VectorX<double>& v_dot_driven, const VectorX<double>& q,
                          VectorX<double> v) const;

  /// "coupler \"c\" contradicts the motions that joint \"j1\", joint \"j2\" are given: its speed is
  /// off by 0.3".
  static std::string describe(const MechanismTree& mechanism, const Open& open);

 private:
  std::vector<int> rows_;            // of all loops with more equations than needed
  std::vector<int> given_clusters_;  // of these, those that have no independent speed
};

}  // namespace camber::multibody
