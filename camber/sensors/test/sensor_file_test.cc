#include "camber/sensors/sensor_file.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "camber/sensors/sensor.h"

namespace camber::sensors {
namespace {

/// The mistakes of a [[sensor]] table, as text.
std::string find_mistakes(const std::string& table) {
  TomlFile file = parse_toml("[[sensor]]\n" + table, "drive.toml");
  for (const TomlNode& node : file.root().at("sensor").tables()) read_sensor(node, "scenarios");
  try {
    file.finish();
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

SensorSpec read(const std::string& table) {
  TomlFile file = parse_toml("[[sensor]]\n" + table, "drive.toml");
  const SensorSpec spec = read_sensor(file.root().at("sensor").tables()[0], "scenarios");
  file.finish();
  return spec;
}

// Every model that ships can be read and made.
TEST(SensorFile, ShippedModelsAreValid) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("models/sensors")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().string());
    SensorSpec spec = load_sensor(entry.path().string());
    spec.name = "it";
    const Carrier carrier{.wheels = {"l", "r"}, .wheel_positions = {{0, 1, 0}, {0, -1, 0}}};
    EXPECT_GT(make_sensor(spec, carrier, 1)->value_count(), 0U);
    ++count;
  }
  EXPECT_GE(count, 20);
}

TEST(SensorFile, TakesAModelByNameAndReplacesItsValues) {
  const SensorSpec spec = read(
      "name = \"top\"\nmodel = \"lidar-16-beam\"\nrate = 20\nrange_sigma = 0.04\n"
      "mount = { position = [0.5, 0, 1.2], yaw_deg = 90 }\n");
  const auto& lidar = std::get<LidarSpec>(spec.kind);
  EXPECT_EQ(spec.name, "top");
  EXPECT_DOUBLE_EQ(spec.timing.rate, 20);
  EXPECT_DOUBLE_EQ(lidar.sigma, 0.04);
  EXPECT_DOUBLE_EQ(lidar.max_range, 100);
  EXPECT_EQ(lidar.elevation.size(), 16U);
  EXPECT_NEAR(spec.mount.pose.rotation(1, 0), 1, 1e-12);
  EXPECT_DOUBLE_EQ(spec.mount.pose.position[2], 1.2);
}

TEST(SensorFile, ConvertsUnits) {
  const SensorSpec spec =
      read("name = \"imu\"\nsensor = \"imu\"\ngyro_noise_deg_s_rtHz = 0.18\naccel_bias_mg = 2\n");
  const auto& imu = std::get<ImuSpec>(spec.kind);
  EXPECT_NEAR(imu.gyro.noise, 0.0031415926535897933, 1e-15);
  EXPECT_NEAR(imu.accelerometer.bias, 0.0196133, 1e-12);
}

TEST(SensorFile, NamesLineAndKeyOfMistakes) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(find_mistakes("name = \"a\"\nmodel = \"lidar-16-baem\"\n"),
      "drive.toml:3:9: sensor[0].model: no sensor model \"lidar-16-baem\"; did you mean "
      "\"lidar-16-beam\"?");
  has(find_mistakes("name = \"a\"\nsensor = \"camera\"\ndate_utc = \"2026-02-30T10:00\"\n"),
      "drive.toml:4:12: sensor[0].date_utc: must be a time from 1950 to 2050");
  has(find_mistakes("name = \"a\"\nsensor = \"gnss\"\nmultipath = true\n"),
      "sensor[0].multipath: needs sky_mask = true");
  has(find_mistakes("name = \"a\"\nsensor = \"imu\"\nrate = -5\n"),
      "drive.toml:4:8: sensor[0].rate");
  has(find_mistakes("name = \"a b\"\nsensor = \"imu\"\n"), "drive.toml:2:8: sensor[0].name");
  has(find_mistakes("name = \"a\"\nsensor = \"imu\"\ngyro_nois = 1\n"),
      "sensor[0].gyro_nois: unknown key");
  has(find_mistakes("name = \"a\"\nsensor = \"lidar\"\nsub_rays = 5\n"), "must be 1, 4 or 9");
  has(find_mistakes("name = \"a\"\nsensor = \"lidar\"\nazimuth_deg = [30, -30]\n"), "from < to");
  has(find_mistakes("name = \"a\"\n"), "sensor[0].sensor");
}

}  // namespace
}  // namespace camber::sensors
