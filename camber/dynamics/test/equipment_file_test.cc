#include "camber/dynamics/equipment_file.h"

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace camber::dynamics {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string errors_of(const std::string& text, const std::vector<driveline::AxleWheels>& axles) {
  try {
    read_equipment(parse_toml(text, "e.toml"), axles);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

const std::vector<driveline::AxleWheels> kTwoAxles = {{.name = "front", .left = 0, .right = 1},
                                                      {.name = "rear", .left = 2, .right = 3}};

TEST(EquipmentFile, HasBrakesPerWheel) {
  const Equipment car = load_equipment("models/equipment/mcpherson-car.toml", kTwoAxles);
  ASSERT_EQ(car.brakes.size(), 4U);
  EXPECT_EQ(car.brakes[1].capacity, 1650);
  EXPECT_EQ(car.brakes[2].capacity, 620);
  EXPECT_EQ(car.has_parking_brake, (std::vector<bool>{false, false, true, true}));
  const std::vector<double> shares = find_shares(car.driveline, 4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(shares[i], i < 2 ? 0.5 : 0.0) << i;
  const Equipment hmmwv = load_equipment("models/equipment/hmmwv.toml");
  EXPECT_EQ(find_shares(hmmwv.driveline, 4), (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
}

// The same file for a vehicle whose axles are numbered otherwise, with a trailer that has no
// brakes.
TEST(EquipmentFile, GoesByTheNamesOfAxles) {
  const std::vector<driveline::AxleWheels> axles = {
      {.name = "rear", .left = 0, .right = 1},
      {.name = "front", .left = 2, .right = 3},
      {.name = "trailer_axle", .left = 4, .right = 5, .is_towed = true}};
  const Equipment car = load_equipment("models/equipment/mcpherson-car.toml", axles);
  ASSERT_EQ(car.brakes.size(), 6U);
  EXPECT_EQ(car.brakes[0].capacity, 620);
  EXPECT_EQ(car.brakes[3].capacity, 1650);
  EXPECT_EQ(car.brakes[5].capacity, 0);
  EXPECT_EQ(find_shares(car.driveline, 6), (std::vector<double>{0, 0, 0.5, 0.5, 0, 0}));
}

TEST(EquipmentFile, NamesTheNewKeyOfAnOldOne) {
  std::string text = read_text("models/equipment/hmmwv.toml");
  text.replace(text.find("max_rate"), 8, "greatest_rate");
  text.replace(text.find("max_torque"), 10, "greatest_torque");
  text.insert(text.find("lag = 0.15"), "front_capacity = 3\nparking = \"rear\"\n");
  const std::string message = errors_of(text, kTwoAxles);
  for (const char* part :
       {"steering.greatest_rate: renamed to \"max_rate\"",
        "steering.greatest_torque: renamed to \"max_torque\"",
        "brakes.front_capacity: is now [brakes.front] capacity", "brakes.parking: is now"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

// The shaft carries what the driver and the power steering give together.
TEST(EquipmentFile, SharesTheSteeringTorqueBetweenDriverAndPowerSteering) {
  const std::string text = read_text("models/equipment/hmmwv.toml");
  const SteeringGear gear = read_equipment(parse_toml(text, "hmmwv.toml"), kTwoAxles).steering;
  const auto assist = [](double driver) {  // the file's table
    if (driver < 1.5) return driver / 3;
    if (driver < 4) return 0.5 + 4.6 * (driver - 1.5);
    return driver < 8 ? 12 + 24 * (driver - 4) : 108;
  };
  for (const double driver : {0.0, 0.7, 1.5, 2.9, 6.3, 8.0, 11.0}) {
    const double shaft = driver + assist(driver);
    EXPECT_NEAR(gear.find_driver_torque(26 * shaft, 0, 0), driver, 1e-12);
    EXPECT_NEAR(gear.find_driver_torque(-26 * shaft, 0, 0), -driver, 1e-12);
  }
  SteeringGear plain = gear;
  plain.driver_torque = plain.assist_torque = {};
  EXPECT_NEAR(plain.find_driver_torque(130, 0, 0), 5, 1e-12);
}

// The ratio is the slope of the wheel's angle over the gear's position, to both sides; the way back from an angle
// is exact, and the angle at the lock is the area under the curve.
TEST(EquipmentFile, IntegratesTheRatioCurve) {
  std::string text = read_text("models/equipment/hmmwv.toml");
  text.replace(text.find("ratio = 26"), 10, "ratio_curve = [[0.2, 26], [0.45, 17]]\nratio = 30");
  const SteeringGear gear = read_equipment(parse_toml(text, "hmmwv.toml"), kTwoAxles).steering;
  const double at_lock = 28 * 0.2 + 21.5 * 0.25 + 17 * 0.07;  // 0.52 rad
  EXPECT_NEAR(gear.find_wheel_angle(0.52), at_lock, 1e-12);
  for (const double side : {1.0, -1.0}) {
    for (const double position : {0.003, 0.13, 0.2, 0.31, 0.45, 0.51}) {
      SCOPED_TRACE(testing::Message() << side * position);
      const double x = side * position, h = 1e-6;
      const double angle = gear.find_wheel_angle(x);
      EXPECT_NEAR(angle, -gear.find_wheel_angle(-x), 1e-15);
      EXPECT_NEAR(gear.find_position(angle), x, 1e-14);
      const double slope = (gear.find_wheel_angle(x + h) - gear.find_wheel_angle(x - h)) / (2 * h);
      EXPECT_NEAR(gear.find_ratio(x).ratio, slope, 1e-4);
      if (position == 0.2 || position == 0.45) continue;  // kinks
      EXPECT_NEAR(gear.find_ratio(x).slope,
                  (gear.find_ratio(x + h).ratio - gear.find_ratio(x - h).ratio) / (2 * h), 1e-6);
    }
  }
  EXPECT_NEAR(gear.find_ratio(-0.1).ratio, 28, 1e-12);
  EXPECT_EQ(gear.find_ratio(0.6).ratio, 17);
  // The driver turns further at the same torque of the gear where the ratio is smaller.
  SteeringGear plain = gear;
  plain.driver_torque = plain.assist_torque = {};
  EXPECT_NEAR(plain.find_driver_torque(130, 0.5, 0), 130.0 / 17, 1e-12);
}

// At 5 m/s half of what is between 0 and 10 m/s, at 30 m/s and beyond a quarter of the table.
TEST(EquipmentFile, AssistsLessAtSpeed) {
  std::string text = read_text("models/equipment/hmmwv.toml");
  text.insert(text.find("assist = "), "assist_over_speed = [[0, 1], [10, 0.5], [30, 0.25]]\n");
  const SteeringGear gear = read_equipment(parse_toml(text, "hmmwv.toml"), kTwoAxles).steering;
  for (const auto& [speed, share] :
       {std::pair{-3.0, 1.0}, {0.0, 1.0}, {5.0, 0.75}, {20.0, 0.375}, {30.0, 0.25}, {44.0, 0.25}}) {
    // At a driver's torque of 6 N m the table has 60 N m.
    EXPECT_NEAR(gear.find_driver_torque(26 * (6 + 60 * share), 0.1, speed), 6, 1e-12) << speed;
  }
}

TEST(EquipmentFile, SaysWhatIsWrongWithRatiosAndShares) {
  const std::string text = read_text("models/equipment/hmmwv.toml");
  const auto message = [&](const std::string& line) {
    std::string changed = text;
    return errors_of(changed.insert(changed.find("assist = "), line + "\n"), kTwoAxles);
  };
  EXPECT_NE(message("ratio_curve = [[0, 24]]").find("positions must be > 0 and ascend"),
            std::string::npos);
  EXPECT_NE(
      message("ratio_curve = [[0.3, 24], [0.2, 20]]").find("positions must be > 0 and ascend"),
      std::string::npos);
  EXPECT_NE(message("ratio_curve = [[0.3, 0]]").find("ratios must be > 0, got 0"),
            std::string::npos);
  EXPECT_NE(message("assist_over_speed = [[0, 1]]").find("must have at least 2 pairs"),
            std::string::npos);
  EXPECT_NE(
      message("assist_over_speed = [[5, 1], [5, 1]]").find("speeds must be >= 0 m/s and ascend"),
      std::string::npos);
  EXPECT_NE(message("assist_over_speed = [[0, 1], [5, -1]]").find("shares must be >= 0, got -1"),
            std::string::npos);
}

TEST(EquipmentFile, RefusesAnAssistanceThatFalls) {
  const std::string text = read_text("models/equipment/hmmwv.toml");
  const auto message = [&](const std::string& table) {
    std::string changed = text;
    const std::size_t at = changed.find("assist = ");
    changed.replace(at, changed.find('#', at) - at, "assist = " + table + " ");
    return errors_of(changed, kTwoAxles);
  };
  EXPECT_NE(message("[[0, 0], [2, 5], [3, 4]]").find("must ascend"), std::string::npos);
  EXPECT_NE(message("[[0, 0], [2, 5], [2, 6]]").find("must ascend"), std::string::npos);
  EXPECT_NE(message("[[1, 0], [2, 5]]").find("must be [0, 0]"), std::string::npos);
  EXPECT_NE(message("[[0, 0]]").find("must have at least 2 pairs"), std::string::npos);
}

TEST(EquipmentFile, SaysWhichAxleIsNotThere) {
  std::string text = read_text("models/equipment/hmmwv.toml");
  text.replace(text.find("[brakes.rear]"), 13, "[brakes.raer]");
  const std::string message = errors_of(text, kTwoAxles);
  EXPECT_NE(message.find("the vehicle has no axle \"raer\"; did you mean \"rear\"?"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("brakes.rear"), std::string::npos) << message;
}

}  // namespace
}  // namespace camber::dynamics
