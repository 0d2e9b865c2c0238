// The driven HMMWV against what is known of it: standing, driveline, handling, ride
// (docs/validation/hmmwv.md).

#include <array>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/drive/traction_curve.h"
#include "camber/tire/hmmwv_tire.h"
#include "tests/drive/drive_runs.h"

namespace camber {
namespace {

using drive_test::run_file;
using drive_test::run_text;
using drive_test::Trip;

constexpr double kRpm = std::numbers::pi / 30;
constexpr double kGravity = 9.81;
constexpr double kMass = 2597.138;      // [kg] without payload
constexpr double kGrossMass = 3493.14;  // [kg]

void record(const std::string& name, double value) {
  std::ostringstream text;
  text << value;
  testing::Test::RecordProperty(name, text.str());
}

std::vector<double> wheel_values(const Trip& trip, const std::string& channel, std::size_t sample) {
  std::vector<double> values;
  for (const auto* column : trip.signals.find_columns(channel)) values.push_back((*column)[sample]);
  return values;
}

// --- Standing ---

TEST(VehicleStands, WithItsWeightOnItsWheels) {
  const drive_test::ChangedVehicle symmetric = drive_test::make_symmetric_vehicle();
  const Trip trip =
      run_text("[run]\nduration = 0.01\n", {symmetric.model(), "vehicle.formulation=ce"});
  const std::vector<double> load = wheel_values(trip, "wheels/load", 0);
  ASSERT_EQ(load.size(), 4U);
  const double weight = kMass * kGravity, sum = load[0] + load[1] + load[2] + load[3];
  EXPECT_NEAR(load[0], load[1], 1e-7 * weight);
  EXPECT_NEAR(load[2], load[3], 1e-7 * weight);
  EXPECT_NEAR(sum, weight, 1e-9 * weight);
  record("sum", sum / weight - 1);
  record("front_share", (load[0] + load[1]) / sum);
  record("left_right", load[0] - load[1]);
  const Trip real = run_text("[run]\nduration = 0.01\n");
  const std::vector<double> own = wheel_values(real, "wheels/load", 0);
  record("own_front", own[0] - own[1]);
  record("own_rear", own[2] - own[3]);
  record("own_sum", (own[0] + own[1] + own[2] + own[3]) / weight - 1);
}

// --- Driving ---

// Where full throttle just makes up for drag and rolling, by the driveline's own curves. The
// tire's rolling radius R - d/3 sets the speed per turn, and the tires' slip takes off a little.
TEST(VehicleDrives, AsFastAsGovernorConverterAndRollingRadiusSay) {
  const Trip trip = run_file("acceleration");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const drive::Equipment equipment = drive::make_hmmwv_equipment();
  const tire::RollingTire tire = tire::make_hmmwv_tire();
  const double deflection = find_deflection(tire.vertical, kGrossMass * kGravity / 4);
  const double radius = tire.radius - deflection / 3;
  const drive::TractionCurve curve = drive::calc_traction_curve(equipment.driveline, radius, 40);
  double top = 0;
  for (std::size_t k = 0; k + 1 < curve.speed.size(); ++k) {
    const auto surplus = [&](std::size_t i) {
      const double v = curve.speed[i];
      return curve.full[i] - 0.5 * equipment.air.density * equipment.air.drag_area * v * v -
             tire.rolling_resistance * kGrossMass * kGravity;
    };
    if (surplus(k) <= 0 || surplus(k + 1) > 0) continue;
    top = curve.speed[k] +
          (curve.speed[k + 1] - curve.speed[k]) * surplus(k) / (surplus(k) - surplus(k + 1));
  }
  EXPECT_NEAR(trip.figure("top_speed"), top, 0.01 * top);
  record("top_speed", trip.figure("top_speed"));
  record("closed_form", top);
  record("radius", radius);
  // From one turn of the engine to the way, behind the converter.
  const std::size_t last = trip.times().size() - 1;
  double spin = 0;
  for (const double w : wheel_values(trip, "wheels/spin", last)) spin += 0.25 * w;
  record("engine_rpm", trip.last("drivetrain/engine.speed") / kRpm);
  record("converter", spin * 2.73 * 1.92 / trip.last("drivetrain/engine.speed"));
  record("effective_radius", trip.last("chassis/velocity.forward") / spin);
  EXPECT_GE(trip.figure("time_to_50_mph"), 17);
  EXPECT_LE(trip.figure("time_to_50_mph"), 25);
  record("time_to_30_mph", trip.figure("time_to_30_mph"));
  record("time_to_50_mph", trip.figure("time_to_50_mph"));
  record("energy_error", trip.figure("energy_error"));
}

// In each gear the speed is engine's turns through converter, gears and rolling radius.
TEST(VehicleDrives, TheSpeedsOfItsGears) {
  const Trip trip = run_file("acceleration", {}, 60);
  const std::array<double, 3> ratios = {2.48, 1.48, 1.0};
  std::array<double, 3> speeds = {};  // at 3600 rpm, no slip of the converter [m/s]
  for (int gear = 1; gear <= 3; ++gear) {
    for (std::size_t i = 0; i < trip.times().size(); ++i) {
      if (trip.column("drivetrain/gear")[i] != gear || trip.times()[i] < 2) continue;
      const auto spins = wheel_values(trip, "wheels/spin", i);
      const double turbine =
          0.25 * (spins[0] + spins[1] + spins[2] + spins[3]) * 2.73 * 1.92 * ratios[gear - 1];
      speeds[gear - 1] = trip.column("chassis/velocity.forward")[i] / turbine * 3600 * kRpm;
    }
    record(concat("gear_", gear), speeds[gear - 1]);
  }
  const std::array<double, 3> expected = {12.8, 21.4, 31.7};  // with 0.4407 m
  for (int k = 0; k < 3; ++k) {
    const double same_radius = expected[k] * 0.4577 / 0.4407;
    EXPECT_NEAR(speeds[k], same_radius, 0.03 * same_radius);
  }
}

TEST(VehicleDrives, UpAGradeOfSixtyPercent) {
  const Trip trip = run_file("grade-60");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  for (const report::KeyFigure& figure : trip.figures)
    EXPECT_TRUE(figure.passed) << figure.name << " " << figure.value;
}

// --- Handling ---

TEST(VehicleTurns, InItsSmallestCircle) {
  const Trip trip = run_file("turning-circle");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  EXPECT_GE(trip.figure("outer_turning_radius"), 7.3);
  EXPECT_LE(trip.figure("outer_turning_radius"), 8.5);
  record("outer", trip.figure("outer_turning_radius"));
  record("middle", trip.figure("turning_radius"));
}

TEST(VehicleTurns, IntoTheOtherLaneAndBack) {
  const Trip trip = run_file("double-lane-change");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  for (const report::KeyFigure& figure : trip.figures) {
    EXPECT_TRUE(figure.passed) << figure.name << " " << figure.value;
    record(figure.name, figure.value);
  }
}

TEST(VehicleTurns, BetweenTheConesOfIso3888) {
  const Trip trip = run_file("iso3888-1");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  for (const report::KeyFigure& figure : trip.figures) {
    EXPECT_TRUE(figure.passed) << figure.name << " " << figure.value;
    record(figure.name, figure.value);
  }
}

}  // namespace
}  // namespace camber
