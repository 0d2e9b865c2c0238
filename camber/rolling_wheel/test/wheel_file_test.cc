#include "camber/rolling_wheel/wheel_file.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace camber::rolling_wheel {
namespace {

constexpr char kGood[] = R"(kind = "rolling_wheel"
name = "w"
[parameters]
a = 0.4
[wheel]
mass = 12
radius = 0.2
[ground]
mu = "a + 0.1*t"
slip_speed = 0.01
[drive]
torque = 3.5
)";

std::string message_of(const std::string& from, const std::string& to) {
  std::string text = kGood;
  text.replace(text.find(from), from.size(), to);
  try {
    read_wheel_scenario(parse_toml(text, "w.toml"));
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(WheelFile, ReadsNumbersAndFunctionsOfTime) {
  const WheelScenario s = read_wheel_scenario(parse_toml(kGood, "w.toml"));
  EXPECT_EQ(s.law, WheelLaw::kRelaxed);
  EXPECT_DOUBLE_EQ(s.wheel.inertia, 0.5 * 12 * 0.2 * 0.2);
  EXPECT_DOUBLE_EQ(s.schedule(2.5).mu, 0.65);
  EXPECT_DOUBLE_EQ(s.schedule(2.5).drive, 3.5);
  EXPECT_DOUBLE_EQ(s.schedule(2.5).brake, 0.0);
}

TEST(WheelFile, NamesFileLineAndKeyOfWhatCannotBe) {
  EXPECT_EQ(message_of("mass = 12", "mass = 0"), "w.toml:6:8: wheel.mass: must be > 0 kg, got 0");
  EXPECT_EQ(message_of("radius = 0.2", "radius = 0"),
            "w.toml:7:10: wheel.radius: must be > 0 m, got 0");
  EXPECT_EQ(message_of("\"a + 0.1*t\"", "-0.3"), "w.toml:9:6: ground.mu: must be >= 0, got -0.3");
  const std::string later = message_of("a + 0.1*t", "a - 0.1*t");
  EXPECT_NE(later.find("w.toml:9:6: ground.mu: must be >= 0, got -0.00"), std::string::npos)
      << later;
  EXPECT_NE(later.find("at t = 4.02 s"), std::string::npos) << later;
  EXPECT_EQ(message_of("slip_speed = 0.01", "slip_speed = -1"),
            "w.toml:10:14: ground.slip_speed: must be > 0 m/s, got -1");
  EXPECT_NE(message_of("a + 0.1*t", "sqrt(t - 3)").find("w.toml:9:6: ground.mu: "),
            std::string::npos);
  EXPECT_NE(message_of("a + 0.1*t", "b + 0.1*t").find("w.toml:9"), std::string::npos);
  EXPECT_NE(message_of("name = \"w\"", "name = \"w\"\nlaw = \"relax\"").find("w.toml:3"),
            std::string::npos);
  EXPECT_NE(message_of("torque = 3.5", "torqe = 3.5").find("did you mean"), std::string::npos);
}

TEST(WheelFile, AllScenariosAreGood) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("scenarios")) {
    const std::string path = entry.path().string();
    if (path.find("rolling-wheel-") == std::string::npos) continue;
    EXPECT_NO_THROW(check(load_wheel_scenario(path))) << path;
    ++count;
  }
  EXPECT_GE(count, 8);
}

}  // namespace
}  // namespace camber::rolling_wheel
