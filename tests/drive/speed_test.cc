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
  double most = 0;          // [m/s]
  double least_late = 1e9;  // after 10 s [m/s]
  double most_late = 0;
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
    found.most = std::max(found.most, speed[i]);
    if (trip.times()[i] < 10) continue;
    found.least_late = std::min(found.least_late, speed[i]);
    found.most_late = std::max(found.most_late, speed[i]);
  }
  return found;
}

// From rest to speeds below and above those at which the engine idles along: 3.5 m/s in first
// gear, held by the brake where it pushes.
TEST(KeepsSpeed, FromRest) {
  for (const double target : {1.0, 2.0, 3.0, 4.0, 5.0, 8.0}) {
    SCOPED_TRACE(target);
    const Approach found = approach(target, "");
    record(concat("most_", target), found.most);
    record(concat("least_late_", target), found.least_late);
    record(concat("most_late_", target), found.most_late);
    EXPECT_LT(found.most, target + std::max(0.05, 0.03 * target));
    EXPECT_GT(found.least_late, 0.98 * target - 0.03);
    EXPECT_LT(found.most_late, 1.02 * target + 0.03);
  }
}

TEST(KeepsSpeed, UphillAndDownhill) {
  for (const double slope : {-0.1, 0.1}) {
    SCOPED_TRACE(slope);
    const Approach found = approach(3, concat("[ground]\nslope = ", slope, "\n"));
    record(concat("most_", slope), found.most);
    EXPECT_LT(found.most, 3.15);
    EXPECT_NEAR(found.least_late, 3, 0.1);
    EXPECT_NEAR(found.most_late, 3, 0.1);
  }
}

}  // namespace
}  // namespace camber::drive_test
