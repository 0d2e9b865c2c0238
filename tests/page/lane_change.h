#pragma once

#include <cstdint>

#include "camber/report/drive_report.h"

namespace camber::testing {

struct LaneChangeOptions {
  double duration = 70;  // [s]
  double rate = 100;     // [1/s] samples
  double speed = 20;     // [m/s] that is driven up to
  double roughness = 0;  // of the ground: 0 is a road, 1 shakes all channels
  std::uint64_t seed = 1;
};

/// A record of a lane change and one back, by formulas: a heavy vehicle that accelerates, changes
/// lanes at 30 s and at 50 s as in [Cameron et al., NDIA GVSETS 2013], Figures 11 to 14. All
/// channels of a drive are there and go together as far as a point mass on four wheels tells.
report::DriveReport make_lane_change(const LaneChangeOptions& options = {});

}  // namespace camber::testing
