// What a study's file may say, and what it is told when it is wrong.

#include "camber/study/study_file.h"

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"
#include "camber/study/check_study.h"

namespace camber::study {
namespace {

std::string message_of(const std::string& text) {
  try {
    parse_study(text, "scenarios/t.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

const std::string kHead = R"(kind = "study"
name = "t"
scenario = "step-steer.toml"
)";

TEST(StudyFile, TellsAllMistakesAtOnceWithLineAndKey) {
  const std::string message = message_of(kHead + R"(
[[input]]
name = "a"
key = "vehicle.start.speed"
distribution = { kind = "uniform", low = 30, high = 20 }
[[input]]
name = "b"
key = "vehicle:chassis.mass"
distribution = { kind = "normal", mean = 2000, sgma = 60 }
[[input]]
name = "c"
key = "ground.friction"
distribution = { kind = "unifrom", low = 0, high = 1 }
[plan]
kind = "sobul"
)");
  for (const char* part :
       {"t.toml:8", "must be > low = 30, got 20", "t.toml:12", "sgma", "did you mean \"sigma\"",
        "unifrom", "did you mean \"uniform\"", "sobul", "did you mean \"sobol\""})
    EXPECT_NE(message.find(part), std::string::npos) << part << "\nin\n" << message;
}

TEST(StudyFile, RefusesCorrelationsThatCannotBe) {
  std::string text = kHead;
  for (const char* name : {"a", "b", "c"})
    text += std::string("[[input]]\nname = \"") + name + "\"\nkey = \"" + name +
            "\"\ndistribution = { kind = \"uniform\", low = 0, high = 1 }\n";
  text +=
      "[correlation]\n\"a, b\" = 0.9\n\"b, c\" = 0.9\n\"a, c\" = -0.5\n[plan]\nkind = \"random\"\n";
  EXPECT_NE(message_of(text).find("correlation: the correlation matrix is not positive definite"),
            std::string::npos)
      << message_of(text);
  text.replace(text.find("-0.5"), 4, "0.7");
  EXPECT_EQ(message_of(text), "");
  text.replace(text.find("\"b, c\""), 6, "\"b, d\"");
  EXPECT_NE(message_of(text).find("there is no input \"d\""), std::string::npos)
      << message_of(text);
}

// A key that no file has, a figure that the scenario does not have, bounds that cross: all in one go,
// before the first drive.
TEST(CheckStudy, FindsKeysThatDoNotExistTogetherWithTheRest) {
  const TemporaryFolder folder;
  const std::string path = folder.path().string() + "/t.toml";
  const std::string scenario = std::filesystem::absolute("scenarios/step-steer.toml").string();
  write_file_atomically(path, concat("kind = \"study\"\nname = \"t\"\nscenario = \"", scenario, R"("
[[input]]
key = "vehicle:chassis.mas"
distribution = { kind = "uniform", low = 2000, high = 2200 }
[[input]]
key = "vehicel:chassis.mass"
distribution = { kind = "uniform", low = 2000, high = 2200 }
[[input]]
key = "vehicle.start.speed"
distribution = { kind = "uniform", low = 25, high = 20 }
[plan]
kind = "random"
)"));
  std::string message;
  try {
    check_study(path);
  } catch (const ModelFileError& error) {
    message = error.what();
  }
  for (const char* part : {"t.toml:5", "did you mean \"mass\"", "t.toml:8",
                           "did you mean \"vehicle\"", "t.toml:12", "must be > low = 25, got 20"})
    EXPECT_NE(message.find(part), std::string::npos) << part << "\nin\n" << message;
}

TEST(CheckStudy, FindsFiguresAndCurvesThatDoNotExist) {
  const TemporaryFolder folder;
  const std::string path = folder.path().string() + "/t.toml";
  const std::string scenario = std::filesystem::absolute("scenarios/step-steer.toml").string();
  write_file_atomically(path, concat("kind = \"study\"\nname = \"t\"\nscenario = \"", scenario, R"("
[[input]]
key = "vehicle.start.speed"
distribution = { kind = "uniform", low = 20, high = 22 }
[plan]
kind = "random"
[stop]
when = "p95(yaw_gian) within 2 %"
[keep]
curves = ["chassis/rates.yaww"]
)"));
  std::string message;
  try {
    check_study(path);
  } catch (const ModelFileError& error) {
    message = error.what();
  }
  for (const char* part : {"t.toml:10", "did you mean \"yaw_gain\"", "t.toml:12",
                           "did you mean \"chassis/rates.yaw\""})
    EXPECT_NE(message.find(part), std::string::npos) << part << "\nin\n" << message;
}

// A study that sets the seed of its drives keeps it.
TEST(StudyFile, GivesEachDrawnDriveASeedUnlessItSetsThem) {
  const std::string plan = "[plan]\nkind = \"random\"\n";
  const auto input = [](const char* key) {
    return concat("[[input]]\nkey = \"", key,
                  "\"\ndistribution = { kind = \"uniform\", low = 1, high = 9 }\n");
  };
  const Study free = parse_study(kHead + input("a") + plan, "scenarios/t.toml");
  ASSERT_TRUE(drive_seed(free, 3).has_value());
  EXPECT_NE(drive_seed(free, 3), drive_seed(free, 4));
  EXPECT_FALSE(drive_seed(parse_study(kHead + input("run.seed") + plan, "scenarios/t.toml"), 3));
  EXPECT_FALSE(drive_seed(
      parse_study(kHead + "set = [\"run.seed=4\"]\n" + input("a") + plan, "scenarios/t.toml"), 3));
  EXPECT_NE(
      message_of(kHead + "drive_seed = \"sample\"\n" + input("run.seed") + plan).find("run.seed"),
      std::string::npos);
}

TEST(StudyFile, ReadsStoppingRules) {
  const auto rule = [](const std::string& when) {
    return parse_study(std::string(kHead) +
                           "[[input]]\nkey = \"a\"\ndistribution = { kind = \"uniform\", low = 0, "
                           "high = 1 }\n[plan]\nkind = \"random\"\n[stop]\nwhen = \"" +
                           when + "\"\n",
                       "scenarios/t.toml")
        .stop.value();
  };
  EXPECT_EQ(rule("p95(peak_roll_deg) within 2 %").probability, 0.95);
  EXPECT_TRUE(rule("p95(peak_roll_deg) within 2 %").is_relative);
  EXPECT_EQ(rule("mean(x) within 0.01").half_width, 0.01);
  EXPECT_EQ(rule("pass_rate within 1 %").half_width, 0.01);
  EXPECT_FALSE(rule("pass_rate within 1 %").is_relative);
  EXPECT_THROW(rule("roughly good"), ModelFileError);
}

}  // namespace
}  // namespace camber::study
