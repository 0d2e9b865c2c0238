// Steps that are too long are made again in parts: what diverged with the default step of 1 ms drives, is what
// shorter steps give, and keeps its energy. Drives without such steps do not have them.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/drive/drive_runs.h"

namespace camber {
namespace {

using drive_test::record_value;
using drive_test::run_file;
using drive_test::run_text;
using drive_test::Trip;

// From rest up 60 % in low range with a speed control, which opens the throttle: wheels spin at rest.
const char* const kGrade = R"([ground]
slope = 0.6
[driver]
range = "low"
[driver.steering]
kind = "preview"
[driver.path]
kind = "straight"
[driver.speed]
kind = "hold"
target = 3
[run]
duration = 14
[[figures]]
figure = "energy_error"
)";

// Open throttle against a vertical step of the height of a wheel's hub.
const char* const kStep = R"([tire]
contact = "envelope"
[[ground.bump]]
shape = "step"
x = 6
height = 0.46
[driver]
range = "low"
[driver.steering]
kind = "preview"
[driver.path]
kind = "straight"
[driver.speed]
kind = "open"
throttle = [[0, 0], [1, 1]]
brake = [[0, 1], [1, 1], [1.2, 0]]
[run]
duration = 9
[[figures]]
figure = "energy_error"
)";

TEST(StepControl, StartsOnAGradeOf60PercentWithTheDefaultStep) {
  const Trip trip = run_text(kGrade);
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  record_value("rejected", static_cast<double>(trip.result.statistics.rejected));
  record_value("energy_error", trip.figure("energy_error"));
  EXPECT_LT(trip.result.statistics.rejected,
            0.02 * static_cast<double>(trip.result.statistics.steps));
  EXPECT_LT(trip.figure("energy_error"), 1e-3);
}

TEST(StepControl, ClimbsAStepOfHalfAMeterWithTheDefaultStep) {
  const Trip trip = run_text(kStep), fine = run_text(kStep, {"run.step=0.00025"});
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  ASSERT_TRUE(fine.is_done()) << fine.result.reason;
  record_value("rejected", static_cast<double>(trip.result.statistics.rejected));
  record_value("height", trip.last("chassis/position.z"));
  // Both have climbed it, and stand on the same level.
  EXPECT_GT(trip.last("chassis/position.x"), 10);
  EXPECT_NEAR(trip.last("chassis/position.z"), fine.last("chassis/position.z"), 0.03);
}

TEST(StepControl, LeavesShippedDrivesAlone) {
  for (const char* name : {"step-steer", "half-round", "split-friction-braking", "grade-60",
                           "hill-hold", "soft-soil-ruts"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(run_file(name).result.statistics.rejected, 0);
  }
}

}  // namespace
}  // namespace camber
