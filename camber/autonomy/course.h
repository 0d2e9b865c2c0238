#pragma once

#include <vector>

#include "camber/autonomy/path.h"

namespace camber::autonomy {

/// A lane between cones at these offsets, left +, from x = start to end.
struct LaneSection {
  double start = 0, end = 0;   // [m]
  double right = 0, left = 0;  // [m]
};

/// ISO 3888-1's severe lane change for a vehicle of this width: sections of 15, 25 and 30 m, 1.1 w,
/// 1.2 w and 1.3 w + 0.25 m wide, 30 and 25 m apart, the middle one 3.5 m to the left, right side
/// from right side. x = 0 is the entry, y = 0 the first lane's middle.
std::vector<LaneSection> make_iso_3888_1(double vehicle_width);

/// ISO 3888-2's obstacle avoidance: sections of 12, 11 and 12 m, 13.5 and 12.5 m apart; 1.1 w + 0.25 m,
/// w + 1 m and 1.3 w + 0.25 m (at least 3 m) wide. The middle one begins 1 m to the left of the first,
/// the last one has the first one's right side.
std::vector<LaneSection> make_iso_3888_2(double vehicle_width);

/// That of a part of the standard, 1 or 2.
std::vector<LaneSection> make_iso_3888(int part, double vehicle_width);

/// The smoothest line through lanes: the spline with the min integral of y''^2 that keeps the
/// flanks of a vehicle of this width `clearance` away from cones. Straight for `lead` meters before
/// and after.
Path make_smoothest_path(const std::vector<LaneSection>& lanes, double vehicle_width,
                         double clearance, double lead = 60);

/// A lane change of `offset` [m] to the left in `duration` [s] at `speed` [m/s], after a straight
/// line of `before` and with one of `after` meters.
Path make_lane_change(double offset, double duration, double speed, double before, double after);

}  // namespace camber::autonomy
