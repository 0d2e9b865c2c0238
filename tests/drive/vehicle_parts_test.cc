// Drives with other parts than the HMMWV's own: tires by file, wheels that lean, and what is
// refused.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/tire/tire_file.h"
#include "tests/drive/drive_runs.h"

namespace camber::drive_test {
namespace {

const std::string kStraight =
    "start = { speed = 10, gear = 2 }\n[driver]\nspeed = { kind = \"hold\", target = 10 }\n"
    "[run]\nduration = 3\n";

double rms_after(const Trip& trip, const std::string& name, double after) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < trip.times().size(); ++i) {
    if (trip.times()[i] < after) continue;
    sum += trip.column(name)[i] * trip.column(name)[i];
    ++count;
  }
  return std::sqrt(sum / count);
}

// The .tir has a spring of 442 kN/m, twice that of the default tire's at this load.
TEST(Parts, ATirBringsItsOwnSpring) {
  const tire::RollingTire own = tire::load_tir_tire("models/tires/hmmwv.tir").tire;
  const Trip trip = run_text(kStraight, {"tire.file=../models/tires/hmmwv.tir"});
  ASSERT_TRUE(trip.is_done());
  for (std::size_t wheel = 0; wheel < 4; ++wheel) {
    const double load = wheel_values(trip, "wheels/load", trip.times().size() - 1)[wheel];
    const double deflection =
        wheel_values(trip, "wheels/deflection", trip.times().size() - 1)[wheel];
    EXPECT_NEAR(deflection, tire::find_deflection(own.vertical, load), 2e-4);
  }
}

// A wheel's inertia is about its own axes: one that leans or toes and spins does not shake the car
// on a flat road. With the moments left in the vehicle's axes it was 0.037 m/s^2 at 30 m/s.
TEST(Parts, WheelsThatLeanDoNotWobble) {
  const std::string radius = "radius = 0.4699";
  const ChangedVehicle leaning({{radius, radius + "\ncamber_deg = -1.5\ntoe_deg = 0.3"}});
  const std::string text =
      "start = { speed = 30, gear = 3 }\n[driver]\nspeed = { kind = \"hold\", target = 30 }\n"
      "[run]\nduration = 4\n";
  const Trip upright = run_text(text), trip = run_text(text, {leaning.model()});
  ASSERT_TRUE(trip.is_done());
  const std::string up = "chassis/acceleration.up";
  record("rms_vertical_upright", rms_after(upright, up, 3));
  record("rms_vertical_leaning", rms_after(trip, up, 3));
  EXPECT_LT(rms_after(trip, up, 3), 1e-3);
}

// A stiffness is a line without end; the tread is fitted to what a tire can be pressed in.
TEST(Parts, AnyTireDrivesOnTheSoilGrid) {
  const Trip trip =
      run_text(kStraight, {"tire.file=../models/tires/hmmwv.tir", "ground.soil=LETE_sand",
                           "ground.soil_level=grid", "run.duration=0.5"});
  ASSERT_TRUE(trip.is_done());
  EXPECT_GT(trip.mean("wheels/sinkage.front_left", 0.2), 0.002);
}

}  // namespace
}  // namespace camber::drive_test
