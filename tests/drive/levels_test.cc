// A scenario's vehicle at its three levels: the same mass, tires, driveline and brakes, so what all
// of them can show has to agree.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "drive_runs.h"

namespace camber::drive_test {
namespace {

std::string level(const std::string& name) { return "vehicle.level=" + name; }

// In neutral nothing is left but rolling resistance and drag: at 20 m/s (c v^2 + f m g) / (m + J /
// R^2), with the wheels' inertia from the file. At 10 % more speed drag is what grows.
TEST(Levels, CoastDownAgrees) {
  const double full = run_file("coast-down", {}, 5).figure("acceleration_fast");
  record_value("full", full);
  for (const char* name : {"single_track", "point_mass"}) {
    SCOPED_TRACE(name);
    const double simple = run_file("coast-down", {level(name)}, 5).figure("acceleration_fast");
    record_value(name, simple);
    EXPECT_NEAR(simple, full, 0.02 * std::abs(full));
  }
}

// Full throttle from rest, laden. The point mass knows no shifts; those under power cost no torque.
TEST(Levels, AccelerationAgrees) {
  const Trip full = run_file("acceleration", {}, 26);
  const Trip single = run_file("acceleration", {level("single_track")}, 26);
  const Trip point = run_file("acceleration", {level("point_mass")}, 26);
  for (const char* name : {"time_to_30_mph", "time_to_50_mph"}) {
    SCOPED_TRACE(name);
    record_value(std::string("full_") + name, full.figure(name));
    record_value(std::string("single_track_") + name, single.figure(name));
    record_value(std::string("point_mass_") + name, point.figure(name));
    EXPECT_NEAR(single.figure(name), full.figure(name), 0.02 * full.figure(name));
    EXPECT_NEAR(point.figure(name), full.figure(name), 0.03 * full.figure(name));
  }
}

// The parking brake alone, on the rear wheels: 60 s on 15 %.
TEST(Levels, ParkingBrakeHolds) {
  for (const char* name : {"full", "single_track", "point_mass"}) {
    SCOPED_TRACE(name);
    for (const char* pedals : {"driver.speed.brake=[[0, 0]]", "driver.speed.brake=[[0, 1]]"}) {
      const Trip trip = run_file("hill-hold", {level(name), pedals, "vehicle.start.gear=0"});
      EXPECT_LT(trip.figure("standstill_drift"), 0.002) << pedals;
      EXPECT_LT(trip.figure("residual_speed"), 1e-4) << pedals;
    }
    const Trip free = run_file("hill-hold",
                               {level(name), "driver.speed.brake=[[0, 0]]",
                                "driver.parking_brake=false", "vehicle.start.gear=0"},
                               10);
    EXPECT_GT(free.calc("standstill_drift", 5), 1);
  }
}

// Low range is what climbs 60 %: 17.6 kN against 16.8 kN at stall in high range. Wheels of the
// simple levels do not slip along, so they are faster; the front ones would, but for the lock
// between the axles.
TEST(Levels, LowRangeClimbs) {
  const double full = run_file("grade-60").figure("climb");
  record_value("full", full);
  for (const char* name : {"single_track", "point_mass"}) {
    SCOPED_TRACE(name);
    const double low = run_file("grade-60", {level(name)}).figure("climb");
    record_value(name, low);
    EXPECT_GT(low, full);
    EXPECT_LT(low, 2.5 * full);
    EXPECT_LT(run_file("grade-60", {level(name), "driver.range=high"}).figure("climb"), 1);
  }
}

TEST(Levels, StartInTheGearOfTheScenario) {
  for (const char* name : {"full", "single_track"}) {
    SCOPED_TRACE(name);
    const Trip trip = run_file("coast-down", {level(name), "vehicle.start.gear=3"}, 0.1);
    EXPECT_EQ(trip.column("drivetrain/gear").front(), 3);
  }
  // Reverse, at full throttle.
  double way[3] = {};
  int i = 0;
  for (const char* name : {"full", "single_track", "point_mass"}) {
    const Trip trip = run_text(
        "level = \"" + std::string(name) +
        "\"\n[vehicle.start]\ngear = -1\n[driver.speed]\nkind = \"open\"\nthrottle = [[0, 1]]\n"
        "[run]\nduration = 8\n");
    way[i++] = trip.last("chassis/position.x");
    record_value(name, way[i - 1]);
  }
  EXPECT_LT(way[0], -20);
  EXPECT_NEAR(way[1], way[0], 0.03 * std::abs(way[0]));
  EXPECT_NEAR(way[2], way[0], 0.15 * std::abs(way[0]));  // its engine is at speed at once
}

// A hold in reverse used to see a speed below its target, gave full throttle, and never ended.
TEST(Levels, HoldASpeedBackward) {
  for (const char* name : {"full", "single_track", "point_mass"}) {
    SCOPED_TRACE(name);
    const Trip trip =
        run_text("level = \"" + std::string(name) +
                 "\"\n[vehicle.start]\ngear = -1\n[driver.speed]\nkind = \"hold\"\ntarget = -3\n"
                 "[run]\nduration = 20\n");
    EXPECT_NEAR(trip.last("chassis/velocity.forward"), -3, 0.06);
  }
}

// Brakes that differ front and rear, below what the tires hold: a full stop's mean deceleration.
TEST(Levels, BrakesAreThoseOfTheEquipment) {
  const ChangedVehicle equipment(
      {{"[brakes.front]\ncapacity = 4000", "[brakes.front]\ncapacity = 1500"},
       {"[brakes.rear]\ncapacity = 4000", "[brakes.rear]\ncapacity = 700"}},
      "models/equipment/hmmwv.toml");
  double way[3] = {};
  int i = 0;
  for (const char* name : {"full", "single_track", "point_mass"}) {
    const Trip trip = run_text(
        "level = \"" + std::string(name) + "\"\nequipment = \"" + equipment.path() +
        "\"\n[vehicle.start]\nspeed = 20\ngear = 0\n[driver.speed]\nkind = \"open\"\nbrake = "
        "[[0, 1]]\n[run]\nduration = 20\n[[stop]]\nwhen = \"speed_below\"\nvalue = 1\nthen = "
        "\"ends\"\n");
    way[i++] = trip.last("chassis/position.x");
    record_value(name, way[i - 1]);
  }
  EXPECT_NEAR(way[1], way[0], 0.02 * way[0]);
  EXPECT_NEAR(way[2], way[0], 0.02 * way[0]);
}

// Smaller tires with more resistance, heavier wheels: what the levels take from tire and vehicle.
TEST(Levels, TiresAndWheelsAreThoseOfTheFiles) {
  const ChangedVehicle tire({{"radius = 0.4699", "radius = 0.40"},
                             {"rolling_resistance = 0.015", "rolling_resistance = 0.04"}},
                            "models/tires/hmmwv-tmeasy.toml");
  const Overrides changes = {"tire.file=\"" + tire.path() + "\""};
  double slow[3] = {}, engine[2] = {};
  int i = 0;
  for (const char* name : {"full", "single_track", "point_mass"}) {
    Overrides overrides = changes;
    overrides.push_back(level(name));
    slow[i] = run_file("coast-down", overrides, 5).figure("acceleration_fast");
    record_value(name, slow[i]);
    overrides.emplace_back("vehicle.start.gear=3");
    if (i < 2) engine[i] = run_file("coast-down", overrides, 2).last("drivetrain/engine.speed");
    ++i;
  }
  EXPECT_LT(slow[0], -0.5);  // 0.325 with its own tires
  EXPECT_NEAR(slow[1], slow[0], 0.02 * std::abs(slow[0]));
  EXPECT_NEAR(slow[2], slow[0], 0.02 * std::abs(slow[0]));
  EXPECT_NEAR(engine[1], engine[0], 0.01 * engine[0]);
}

TEST(Levels, APointMassSaysThatItHasNoGear) {
  const auto notes = [](const std::string& gear) {
    return scenario::build_scenario(
               scenario::load_scenario(
                   "scenarios/coast-down.toml",
                   Overrides{level("point_mass"), "vehicle.start.gear=" + gear}))
        .notes;
  };
  ASSERT_EQ(notes("2").size(), 1U);
  EXPECT_NE(notes("2").front().find("vehicle.start.gear"), std::string::npos);
  EXPECT_TRUE(notes("0").empty());
}

}  // namespace
}  // namespace camber::drive_test
