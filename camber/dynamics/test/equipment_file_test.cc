#include "camber/dynamics/equipment_file.h"

#include <fstream>
#include <iterator>
#include <string>
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
    EXPECT_NEAR(gear.find_driver_torque(26 * shaft), driver, 1e-12);
    EXPECT_NEAR(gear.find_driver_torque(-26 * shaft), -driver, 1e-12);
  }
  SteeringGear plain = gear;
  plain.driver_torque = plain.assist_torque = {};
  EXPECT_NEAR(plain.find_driver_torque(130), 5, 1e-12);
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
