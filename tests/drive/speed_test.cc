// Drivers that keep a speed, on the full vehicle.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "drive_runs.h"

namespace camber::drive_test {
namespace {

struct Approach {
  double max = 0;         // [m/s]
  double min_late = 1e9;  // after 10 s [m/s]
  double max_late = 0;
};

Approach approach(double target, const std::string& more) {
  std::ostringstream text;
  text << more << "[driver.speed]\nkind = \"hold\"\ntarget = " << target
       << "\n[run]\nduration = 20\n";
  const Trip trip = run_text(text.str());
  EXPECT_TRUE(trip.is_done());
  Approach found;
  const std::vector<double>& speed = trip.column("chassis/velocity.forward");
  for (std::size_t i = 0; i < speed.size(); ++i) {
    found.max = std::max(found.max, speed[i]);
    if (trip.times()[i] < 10) continue;
    found.min_late = std::min(found.min_late, speed[i]);
    found.max_late = std::max(found.max_late, speed[i]);
  }
  return found;
}

// From rest to speeds below and above those at which the engine idles along: 3.5 m/s in first
// gear, held by the brake where it pushes.
TEST(KeepsSpeed, FromRest) {
  for (const double target : {1.0, 2.0, 3.0, 4.0, 5.0, 8.0}) {
    SCOPED_TRACE(target);
    const Approach found = approach(target, "");
    record_value(concat("max_", target), found.max);
    record_value(concat("min_late_", target), found.min_late);
    record_value(concat("max_late_", target), found.max_late);
    EXPECT_LT(found.max, target + std::max(0.05, 0.03 * target));
    EXPECT_GT(found.min_late, 0.98 * target - 0.03);
    EXPECT_LT(found.max_late, 1.02 * target + 0.03);
  }
}

TEST(KeepsSpeed, UphillAndDownhill) {
  for (const double slope : {-0.1, 0.1}) {
    SCOPED_TRACE(slope);
    const Approach found = approach(3, concat("[ground]\nslope = ", slope, "\n"));
    record_value(concat("max_", slope), found.max);
    EXPECT_LT(found.max, 3.15);
    EXPECT_NEAR(found.min_late, 3, 0.1);
    EXPECT_NEAR(found.max_late, 3, 0.1);
  }
}

}  // namespace
}  // namespace camber::drive_test
