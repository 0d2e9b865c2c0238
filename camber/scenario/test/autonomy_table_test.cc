#include <string>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/scenario/scenario_file.h"

namespace camber::scenario {
namespace {

const std::string kStart = R"(kind = "scenario"
name = "test"
[vehicle]
model = "../models/hmmwv.toml"
[run]
duration = 10
)";

std::string messages_of(const std::string& rest, const Overrides& overrides = {}) {
  try {
    parse_scenario(kStart + rest, "scenarios/test.toml", overrides);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(AutonomyTable, ReadsWordsAndNumbers) {
  const Scenario s = parse_scenario(kStart + R"([autonomy]
goal = [120.5, -3]
goal_heading_deg = 90
local = "roams_arcs"
global = "a_star"
max_speed = 7
arcs = 41
)",
                                    "scenarios/test.toml", {"autonomy.margin=0.45"});
  ASSERT_TRUE(s.autonomy);
  EXPECT_EQ(s.autonomy->goal.x, 120.5);
  EXPECT_EQ(s.autonomy->goal.y, -3);
  EXPECT_NEAR(*s.autonomy->goal_heading, 1.5707963267948966, 1e-15);
  EXPECT_EQ(s.autonomy->local, autonomy::LocalKind::kRoamsArcs);
  EXPECT_EQ(s.autonomy->global, autonomy::GlobalKind::kAStar);
  EXPECT_EQ(s.autonomy->state, autonomy::StateKind::kTruth);
  EXPECT_EQ(s.autonomy->max_speed, 7);
  EXPECT_EQ(s.autonomy->arcs, 41);
  EXPECT_EQ(s.autonomy->margin, 0.45);
}

TEST(AutonomyTable, NamesAllMistakesAtOnce) {
  const std::string text = messages_of(R"([driver.speed]
kind = "hold"
target = 5
[autonomy]
goal = [1e9, 0]
local = "arc"
state = "ekf"
map = "lidar"
max_sped = 4
)");
  for (const char* expected : {"autonomy.goal: must be within", "autonomy.local", "\"arcs\"",
                               "autonomy.state: \"ekf\" needs a [[sensor]] of kind \"imu\"",
                               "autonomy.state: \"ekf\" needs a [[sensor]] of kind \"gnss\"",
                               "autonomy.map: \"lidar\" needs a [[sensor]] of kind \"lidar\"",
                               "autonomy.max_sped: unknown key; did you mean \"max_speed\"?",
                               "driver.speed: [autonomy] drives"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
}

TEST(AutonomyTable, RefusesWhatCannotDrive) {
  EXPECT_NE(messages_of("[autonomy]\ngoal = [50, 0]\n", {"vehicle.level=\"point_mass\""})
                .find("a point mass has no reverse gear"),
            std::string::npos);
  EXPECT_NE(messages_of("[autonomy]\n").find("autonomy.goal"), std::string::npos);
  EXPECT_NE(messages_of("[autonomy]\ngoal = [50, 0]\ncell = 0.05\nwindow = 400\n")
                .find("more than 2000 cells"),
            std::string::npos);
}

}  // namespace
}  // namespace camber::scenario
