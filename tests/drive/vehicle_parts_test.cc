// Drives with other parts than the HMMWV's own: tires by file, wheels that lean, and what is
// refused.

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/dynamics/driven_vehicle.h"
#include "camber/tire/tire_file.h"
#include "camber/vehicle/vehicle_file.h"
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
  record_value("rms_vertical_upright", rms_after(upright, up, 3));
  record_value("rms_vertical_leaning", rms_after(trip, up, 3));
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

const std::string kSandCurve =
    "start = { speed = 10, gear = 2 }\n[ground]\nsoil = \"LETE_sand\"\nsoil_level = \"lumped\"\n"
    "[driver]\nspeed = { kind = \"hold\", target = 10 }\n"
    "steering = { kind = \"step\", start = 1, angle_deg = 3 }\n[run]\nduration = 5\n";

// Lumped soil has side force by slip, as the grid has; a bristle that is never left behind has all
// of it at any slip, and the vehicle turns as if on rails: 1.86 times as fast.
TEST(LumpedSoil, TurnsAsOnTheGrid) {
  const Trip lumped = run_text(kSandCurve), grid = run_text(kSandCurve, {"ground.soil_level=grid"});
  const std::string yaw = "chassis/rates.yaw";
  record_value("lumped", lumped.mean(yaw, 4));
  record_value("grid", grid.mean(yaw, 4));
  EXPECT_NEAR(lumped.mean(yaw, 4) / grid.mean(yaw, 4), 1, 0.1);
}

/// A terrain's file beside the scenario that uses it.
class GroundFile {
 public:
  explicit GroundFile(const std::string& text) {
    std::ofstream(folder_.path() / "ground.toml")
        << "kind = \"terrain\"\nname = \"ground\"\n[terrain]\n"
        << text;
  }
  std::string path() const { return (folder_.path() / "ground.toml").string(); }
  std::string override() const { return "ground.terrain=\"" + path() + "\""; }

 private:
  TemporaryFolder folder_;
};

const std::string kStands = "start = { speed = 0 }\n[run]\nduration = 2\n";

// Left in the sand, right on rock.
TEST(LumpedSoil, IsTheOneUnderEachWheel) {
  const GroundFile ground(
      "kind = \"flat\"\nsoil = { everywhere = \"rigid\", region = [{ soil = \"dry_sand_LLL\", "
      "polygon = "
      "[[-20, 0], [20, 0], [20, 20], [-20, 20]] }] }\n");
  const Trip trip = run_text(kStands, {ground.override(), "ground.soil_level=lumped"});
  ASSERT_TRUE(trip.is_done());
  const std::vector<double> sinkage = wheel_values(trip, "wheels/sinkage", trip.times().size() - 1);
  EXPECT_GT(sinkage[0], 0.02);
  EXPECT_LT(sinkage[1], 1e-4);
  EXPECT_GT(sinkage[2], 0.02);
  EXPECT_LT(sinkage[3], 1e-4);
}

// Snow does not carry a wheel of 37 inches under 6 kN: it has no spring that could be lumped.
TEST(LumpedSoil, SaysWhatDoesNotCarry) {
  const auto message = [&](const Overrides& overrides) -> std::string {
    try {
      run_text(kStands, overrides);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  const std::string flat = message({"ground.soil=snow_US"});
  EXPECT_EQ(flat.find("--set ground.soil=snow_US: ground.soil: \"snow_US\" does not carry"), 0U)
      << flat;
  EXPECT_NE(flat.find("ground.soil_level = \"grid\""), std::string::npos) << flat;
  const GroundFile ground("kind = \"flat\"\nsoil = \"snow_Sweden\"\n");
  const std::string map = message({ground.override(), "ground.soil_level=lumped"});
  EXPECT_EQ(map.find(ground.path() + ":5"), 0U) << map;
  EXPECT_NE(map.find("terrain.soil: \"snow_Sweden\" does not carry"), std::string::npos) << map;
}

// At 10 m/s along x; the tires' front is half the wheelbase and a radius ahead of the middle.
TEST(Obstacles, EndTheDriveWhereTheBodyTouches) {
  const GroundFile ground(
      "kind = \"flat\"\n[[terrain.obstacle]]\nx = 20\ny = 0.6\nradius = 0.2\nheight = 3\n");
  const Overrides overrides{ground.override(), "figures=[{figure=\"min_clearance\"}]"};
  const Trip trip = run_text(kStraight, overrides);
  EXPECT_EQ(trip.result.status, run::RunStatus::kFailed);
  EXPECT_NE(trip.result.reason.find("of 0.2 m radius at x = 20 m, y = 0.6 m with 10 m/s"),
            std::string::npos)
      << trip.result.reason;
  const vehicle::Vehicle hmmwv = vehicle::load_vehicle("models/hmmwv.toml");
  const double nose = hmmwv.shape.outline().front;
  EXPECT_NEAR(trip.last("chassis/position.x"), 20 - 0.2 - nose, 0.11);  // 10 ms at 10 m/s
  EXPECT_LE(trip.figure("min_clearance"), 0);
  EXPECT_GT(trip.figure("min_clearance"), -0.11);
  EXPECT_NEAR(trip.column("obstacles/clearance").front(), 10, 1e-12);
}

TEST(Obstacles, LetTheVehicleBy) {
  const vehicle::Vehicle hmmwv = vehicle::load_vehicle("models/hmmwv.toml");
  const double beside = hmmwv.shape.outline().left;
  const GroundFile ground(concat("kind = \"flat\"\n[[terrain.obstacle]]\nx = 15\ny = ",
                                 beside + 0.5, "\nradius = 0.2\nheight = 3\n"));
  const Trip trip = run_text(
      kStraight, {ground.override(), "figures=[{figure=\"min_clearance\"}]",
                  "driver.steering={kind=\"preview\"}", "driver.path={kind=\"straight\"}"});
  EXPECT_TRUE(trip.is_done()) << trip.result.reason;
  EXPECT_NEAR(trip.figure("min_clearance"), 0.3, 0.02);
}

TEST(Obstacles, NobodyStartsInOne) {
  const GroundFile ground(
      "kind = \"flat\"\n[[terrain.obstacle]]\nx = 1\ny = -0.9\nradius = 0.2\nheight = 3\n");
  EXPECT_THROW(run_text(kStraight, {ground.override()}), ModelFileError);
  EXPECT_THROW(run_text(kStraight, {ground.override(), "vehicle.level=point_mass"}),
               ModelFileError);
}

std::string message_of_small_car(const Overrides& overrides) {
  try {
    scenario::build_scenario(scenario::parse_scenario(
        "kind = \"scenario\"\nname = \"t\"\n[vehicle]\nmodel = \"../models/mcpherson-car.toml\"\n"
        "[run]\nduration = 1\n",
        "scenarios/test.toml", overrides));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

// A drive needs equipment and tires: those that the vehicle's file names, or the scenario.
TEST(SmallCar, NeedsEquipmentAndTires) {
  EXPECT_EQ(message_of_small_car({}), "");
  const ChangedVehicle bare({{"equipment = \"equipment/mcpherson-car.toml\"", ""},
                             {"tire = \"tires/mcpherson-car.toml\"", ""}},
                            "models/mcpherson-car.toml");
  const std::string none = message_of_small_car({bare.model()});
  EXPECT_NE(none.find("equipment: is missing, and the scenario names no vehicle.equipment"),
            std::string::npos)
      << none;
  EXPECT_NE(none.find("axles.front: names no tire, nor does the scenario"), std::string::npos)
      << none;
  EXPECT_EQ(message_of_small_car({bare.model(),
                                  "vehicle.equipment=../models/equipment/mcpherson-car.toml",
                                  "tire.file=../models/tires/mcpherson-car.toml"}),
            "");
  const std::string far =
      message_of_small_car({"vehicle.equipment=../models/equipment/hmmwv.toml"});
  EXPECT_EQ(far.find("models/equipment/hmmwv.toml:"), 0U) << far;
  EXPECT_NE(far.find("steering.lock: the steering does not reach"), std::string::npos) << far;
  const std::string other = message_of_small_car({"tire.model=fiala"});
  EXPECT_NE(other.find("tire.model: is \"fiala\", but models/tires/mcpherson-car.toml, which "
                       "models/mcpherson-car.toml names, is of \"tmeasy\""),
            std::string::npos)
      << other;
}

// By its generated equations, with wheels that lean and toe, driven in front alone.
TEST(SmallCar, DrivesWithItsFrontWheels) {
  const Trip trip = run_file("small-car-step-steer");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const std::size_t end = trip.times().size() - 1;
  const std::vector<double> torque = wheel_values(trip, "wheels/drive_torque", end);
  EXPECT_GT(torque[0] + torque[1], 50);
  EXPECT_EQ(torque[2], 0);
  EXPECT_EQ(torque[3], 0);
  // A circle: the yaw rate is the lateral acceleration over the speed.
  const double speed = trip.mean("chassis/velocity.forward", 7);
  EXPECT_NEAR(speed, 22.22, 0.3);
  EXPECT_NEAR(trip.mean("chassis/acceleration.left", 7) / speed, trip.mean("chassis/rates.yaw", 7),
              0.01 * trip.mean("chassis/rates.yaw", 7));
  // Per angle of the steering wheel: that of the command, over the gear's ratio.
  const double wheel = trip.mean("steering/wheel.angle", 7);
  EXPECT_NEAR(wheel / trip.mean("driver/command.steer", 7), 20, 3);
  EXPECT_NEAR(trip.figure("yaw_gain"), trip.mean("chassis/rates.yaw", 7) / wheel, 0.002);
  EXPECT_GT(trip.mean("steering/wheel.torque", 7), 0.5);
  EXPECT_LT(trip.mean("steering/wheel.torque", 7), 6);
}

// Wheels that are upright and straight at rest have no side force straight ahead, and nobody has to steer. With camber
// and toe that an axle had when the wheels were set in the drawing's position, each rear wheel pulls by 400 N.
TEST(Parts, AlignedAtRestItGoesStraightWithoutSideForces) {
  const std::string straight =
      "formulation = \"ce\"\nstart = { speed = 8, gear = 2 }\n"
      "[driver.steering]\nkind = \"none\"\n[driver.speed]\nkind = \"hold\"\ntarget = 8\n"
      "[run]\nduration = 3\n";
  std::vector<std::string> as_drawn;
  for (const char* value : {"front.at_rest.camber_deg=1.346", "front.at_rest.toe_deg=-0.348",
                            "rear.at_rest.camber_deg=2.175", "rear.at_rest.toe_deg=-0.584"})
    as_drawn.push_back(concat("vehicle:axles.", value));
  const Trip drawn = run_text(straight, as_drawn), trip = run_text(straight);
  ASSERT_TRUE(drawn.is_done() && trip.is_done());
  const std::size_t last = trip.times().size() - 1;
  const std::vector<double> before = wheel_values(drawn, "wheels/lateral_force", last),
                            after = wheel_values(trip, "wheels/lateral_force", last);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(std::abs(before[i]), 200) << i;
    EXPECT_LT(std::abs(after[i]), 25) << i;
  }
  const std::vector<double> travel = wheel_values(trip, "wheels/travel", 0);
  EXPECT_NEAR(0.5 * (travel[0] + travel[1]), -0.0412, 0.002);
  EXPECT_NEAR(0.5 * (travel[2] + travel[3]), -0.05, 0.002);
}

}  // namespace
}  // namespace camber::drive_test
