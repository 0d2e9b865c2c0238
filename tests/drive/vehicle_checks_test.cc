// The driven HMMWV against what is known of it: standing, driveline, handling, ride
// (docs/validation/hmmwv.md).

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
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

using drive_test::Overrides;
using drive_test::run_file;
using drive_test::run_text;
using drive_test::Trip;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kRpm = std::numbers::pi / 30;
constexpr double kGravity = 9.81;
constexpr double kMass = 2597.14;       // [kg] without payload
constexpr double kGrossMass = 3493.14;  // [kg]
constexpr std::array<const char*, 4> kWheels = {"front_left", "front_right", "rear_left",
                                                "rear_right"};

void record(const std::string& name, double value) {
  std::ostringstream text;
  text << value;
  testing::Test::RecordProperty(name, text.str());
  if (std::getenv("SHOW") != nullptr) std::printf("  %s %.8g\n", name.c_str(), value);
}

const std::string kEnergyFigure = "[[figures]]\nfigure = \"energy_error\"\n";

std::vector<double> wheel_values(const Trip& trip, const std::string& channel, std::size_t sample) {
  std::vector<double> values;
  for (const auto* column : trip.signals.find_columns(channel)) values.push_back((*column)[sample]);
  return values;
}

// --- Standing ---

TEST(VehicleStands, AMinuteOnASlopeWithoutCreeping) {
  const Trip trip = run_file("hill-hold");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  EXPECT_LT(trip.figure("standstill_drift"), 0.002);
  EXPECT_LT(trip.figure("residual_speed"), 1e-4);
  record("drift", trip.figure("standstill_drift"));
  record("speed", trip.figure("residual_speed"));
}

// Brakes that let go and grip again, ten times downhill in neutral: what the vehicle has of kinetic
// energy, height and springs only becomes less.
TEST(VehicleStands, BrakesThatGripAgainGiveNoEnergy) {
  std::string pedal;
  for (int k = 0; k < 10; ++k)
    pedal += concat("[", k + 0.5, ", 1], [", k + 0.51, ", 0], [", k + 0.75, ", 0], [", k + 0.76,
                    ", 1], ");
  const Trip trip = run_text(
      "start = { gear = 0 }\n[ground]\nslope = 0.15\n"
      "[driver.speed]\nkind = \"open\"\nbrake = [" +
      pedal + "]\n[run]\nduration = 11\n" + kEnergyFigure);
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const auto& kinetic = trip.column("energy/balance.kinetic");
  const auto& height = trip.column("energy/balance.potential");
  const auto& springs = trip.column("energy/balance.elastic");
  const auto stored = [&](std::size_t i) { return kinetic[i] + height[i] + springs[i]; };
  double least = stored(50), gain = 0;
  for (std::size_t i = 50; i < trip.times().size(); ++i) {
    least = std::min(least, stored(i));
    gain = std::max(gain, stored(i) - least);
  }
  EXPECT_LT(trip.last("chassis/position.x"), -0.2);  // it has rolled
  record("gain", gain);
  record("way", trip.last("chassis/position.x"));
  record("lost", stored(50) - least);
  record("energy_error", trip.figure("energy_error"));
  EXPECT_LT(gain, 1e-3 * (stored(50) - least));
}

// Full brakes at 1 m/s: the wheels do not turn back, and the place does not.
TEST(VehicleStands, ComesToRestWithoutReversing) {
  const Trip trip = run_text(
      "start = { speed = 1, gear = 0 }\n"
      "[driver.speed]\nkind = \"open\"\nbrake = [[0.5, 0], [0.6, 1]]\n"
      "[run]\nduration = 5\nsample_interval = 0.001\n");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const auto& x = trip.column("chassis/position.x");
  record("reversal", *std::max_element(x.begin(), x.end()) - x.back());
  for (const auto* spin : trip.signals.find_columns("wheels/spin")) {
    double angle = 0, most = 0, back = 0;
    for (const double w : *spin) {
      angle += 0.001 * w;
      most = std::max(most, angle);
      back = std::max(back, most - angle);
    }
    record("wheel_back", 0.459 * back);
    EXPECT_LT(0.459 * back, 0.002);
  }
  EXPECT_LT(*std::max_element(x.begin(), x.end()) - x.back(), 0.002);
}

// Right wheels on ice, slope of 15 %: the left ones hold all of it.
TEST(VehicleStands, OnASlopeThatIsIcyOnOneSide) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "slope.toml").string();
  std::ofstream(path) << "kind = \"terrain\"\nname = \"slope\"\n"
                         "[terrain]\nkind = \"plane\"\nslope_deg = "
                      << std::atan(0.15) / kDegree
                      << "\n[terrain.friction]\neverywhere = 1.0\n"
                         "[[terrain.friction.region]]\nvalue = 0.1\n"
                         "polygon = [[-100, -100], [100, -100], [100, 0], [-100, 0]]\n";
  const Trip trip = run_text("[ground]\nterrain = \"" + path +
                             "\"\n[driver]\nparking_brake = true\n"
                             "[driver.speed]\nkind = \"open\"\nbrake = [[0, 1]]\n"
                             "[run]\nduration = 60\n");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const double drift = trip.calc({.figure = "standstill_drift", .name = "", .after = 5});
  const double speed = trip.calc({.figure = "residual_speed", .name = "", .after = 50});
  record("drift", drift);
  record("speed", speed);
  EXPECT_LT(drift, 0.002);
  EXPECT_LT(speed, 1e-4);
}

TEST(VehicleStands, WithItsWeightOnItsWheels) {
  const drive_test::ChangedVehicle symmetric = drive_test::make_symmetric_vehicle();
  const Trip trip = run_text("[run]\nduration = 0.01\n", {symmetric.model(), "vehicle.formulation=ce"});
  const std::vector<double> load = wheel_values(trip, "wheels/load", 0);
  ASSERT_EQ(load.size(), 4U);
  const double weight = kMass * kGravity, sum = load[0] + load[1] + load[2] + load[3];
  EXPECT_NEAR(load[0], load[1], 1e-7 * weight);
  EXPECT_NEAR(load[2], load[3], 1e-7 * weight);
  EXPECT_NEAR((load[0] + load[1]) / sum, 0.5151, 1e-4);
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

TEST(VehicleStands, WithTheEngineIdlingInGearOnTheBrake) {
  const Trip trip = run_text(
      "[driver.speed]\nkind = \"open\"\nbrake = [[0, 0.3]]\n[run]\nduration = 20\n");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const double drift = trip.calc({.figure = "standstill_drift", .name = "", .after = 2});
  const double pull = wheel_values(trip, "wheels/drive_torque", trip.times().size() - 1)[0];
  EXPECT_GT(pull, 50);  // it does pull
  EXPECT_LT(drift, 1e-4);
  double spin = 0;
  for (const double w : wheel_values(trip, "wheels/spin", trip.times().size() - 1))
    spin = std::max(spin, std::abs(w));
  EXPECT_LT(spin, 1e-6);
  record("drift", drift);
  record("spin", spin);
  record("pull", pull);
  record("engine_rpm", trip.last("drivetrain/engine.speed") / kRpm);
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
  const double last = trip.times().size() - 1;
  double spin = 0;
  for (const double w : wheel_values(trip, "wheels/spin", static_cast<std::size_t>(last)))
    spin += 0.25 * w;
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
  for (const report::KeyFigure& figure : trip.figures) {
    EXPECT_TRUE(figure.passed) << figure.name << " " << figure.value;
    record(figure.name, figure.value);
  }
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

TEST(VehicleTurns, WithTheAccelerationOfACircle) {
  for (const char* side : {"left", "right"}) {
    const Trip trip = run_file(
        "steady-circle",
        {"vehicle.start.speed=9", concat("driver.path.turn=", side),
         "driver.speed={ kind = \"hold\", target = 9 }"},
        30);
    ASSERT_TRUE(trip.is_done()) << trip.result.reason;
    const double v = trip.mean("chassis/velocity.forward", 25);
    const double a = std::abs(trip.mean("chassis/acceleration.left", 25));
    EXPECT_NEAR(a, v * v / 30, 0.01 * v * v / 30);
    record(concat("a_", side), a / (v * v / 30) - 1);
    record(concat("deviation_", side), trip.peak("path/deviation", 25));
  }
}

/// Least load of a wheel that stands on a slope across, with grip enough [N].
double find_least_load(double slope, const Overrides& more) {
  Overrides overrides = more;
  overrides.push_back(concat("ground.slope=", slope));
  const Trip trip = run_text(
      "[ground]\nslope = 0\nslope_heading_deg = 90\nfriction = 6\n"
      "[driver]\nparking_brake = true\n[driver.speed]\nkind = \"open\"\nbrake = [[0, 1]]\n"
      "[run]\nduration = 6\n",
      overrides);
  require(trip.is_done(), trip.result.reason);
  double least = 1e9;
  for (const auto* column : trip.signals.find_columns("wheels/load"))
    least = std::min(least, column->back());
  return least;
}

TEST(VehicleTilts, UntilAWheelLifts) {
  for (const double height : {0.70, 0.866}) {
    // Heights are those at rest on the wheels; the design position's is what a scenario sets.
    Overrides overrides = {"vehicle.center_of_mass_height=0.63"};
    const auto find_height = [&] {
      const Trip trip = run_text("[run]\nduration = 0.01\n" + kEnergyFigure, overrides);
      return trip.column("energy/balance.potential")[0] / (kMass * kGravity);
    };
    const double first = find_height();
    overrides = {concat("vehicle.center_of_mass_height=", 0.63 + height - first)};
    record("height", find_height());
    const double rigid = std::atan(1.8194 / (2 * height)) / kDegree;
    double low = rigid - 15, high = rigid;
    while (high - low > 0.05) {
      const double middle = 0.5 * (low + high);
      (find_least_load(std::tan(middle * kDegree), overrides) > 0 ? low : high) = middle;
    }
    record("rigid", rigid);
    record("lift", low);
    EXPECT_LT(low, rigid);
    EXPECT_GT(low, rigid - 6);
  }
}

// Up to 1 m/s^2 the full vehicle turns as the linear single track with the same mass, inertia and
// slopes of the tires.
TEST(VehicleTurns, AsTheSingleTrackInTheLinearRange) {
  std::ifstream in("tests/data/single_track.csv");
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    double speed = 0, gain = 0;
    char comma = 0;
    std::istringstream cells(line);
    if (!(cells >> speed >> comma >> gain) || speed < 10) continue;
    const double angle = 0.6 / (gain * speed) / kDegree;
    const Trip trip = run_text(concat(
        "start = { speed = ", speed, ", gear = 3 }\n[driver.steering]\nkind = \"step\"\nangle_deg = ",
        angle, "\nat = 1\nrise = 0.2\n[driver.speed]\nkind = \"hold\"\ntarget = ", speed,
        "\n[run]\nduration = 12\n"));
    ASSERT_TRUE(trip.is_done()) << trip.result.reason;
    const double found = trip.calc({.figure = "yaw_gain", .name = "", .after = 8});
    record(concat("gain_", speed), found / gain - 1);
    EXPECT_NEAR(found, gain, 0.05 * gain) << speed;
    ++rows;
  }
  EXPECT_EQ(rows, 5);
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
