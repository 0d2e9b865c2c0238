#include "camber/core/toml_override.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/core/toml_reader.h"

namespace camber {
namespace {

constexpr const char* kText = R"(name = "drive"
[driver.speed]
target = 20.0
[[stop]]
value = 1.0
[[stop]]
value = 2.0
)";

struct Values {
  std::string name;
  double target = 0, second_stop = 0;
};

// What a reader finds after the assignments, or the message it throws.
std::string read(const std::vector<std::string>& assignments, Values* values) {
  try {
    TomlFile file = parse_toml(kText, "drive.toml");
    for (const std::string& assignment : assignments) file.set(assignment);
    const TomlNode root = file.root();
    values->name = root.at("name").text();
    const TomlNode speed = root.at("driver").at("speed");
    values->target = speed.at("target").positive("m/s");
    speed.get("limit", 1.0).number("m/s");
    for (const TomlNode& stop : root.at("stop").tables())
      values->second_stop = stop.at("value").number("");
    file.finish();
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(TomlOverride, ChangesAndAddsValues) {
  Values values;
  EXPECT_EQ(read({"driver.speed.target=15", "stop[1].value=7.5", "driver.speed.limit=3"}, &values),
            "");
  EXPECT_EQ(values.target, 15);
  EXPECT_EQ(values.second_stop, 7.5);
  EXPECT_EQ(read({"stop.1.value=-4"}, &values), "");
  EXPECT_EQ(values.second_stop, -4);
}

TEST(TomlOverride, TakesWordsForText) {
  Values values;
  for (const auto& [assignment, name] : std::vector<std::pair<std::string, std::string>>{
           {"name=fiala", "fiala"},
           {"name=\"fiala\"", "fiala"},
           {"name='a b'", "a b"},
           {"name=../models/hmmwv.toml", "../models/hmmwv.toml"},
           {"name=a = b", "a = b"}}) {
    EXPECT_EQ(read({assignment}, &values), "") << assignment;
    EXPECT_EQ(values.name, name);
  }
}

TEST(TomlOverride, NamesTheOptionInMessages) {
  Values values;
  EXPECT_EQ(read({"driver.speed.target=-2"}, &values),
            "--set driver.speed.target=-2: driver.speed.target: must be > 0 m/s, got -2");
  EXPECT_EQ(
      read({"driver.speed.traget=2"}, &values),
      "--set driver.speed.traget=2: driver.speed.traget: unknown key; did you mean \"target\"?");
  EXPECT_EQ(read({"driver.sped.target=2"}, &values),
            "--set driver.sped.target=2: driver.sped: unknown key; did you mean \"speed\"?");
  EXPECT_EQ(read({"driver.speed.limti=2"}, &values),
            "--set driver.speed.limti=2: driver.speed.limti: unknown key; did you mean \"limit\"?");
  EXPECT_EQ(
      read({"driver.speed.target=fast"}, &values),
      "--set driver.speed.target=fast: driver.speed.target: expected a number [m/s], found text "
      "\"fast\"");
}

TEST(TomlOverride, RefusesWhatIsNoAssignment) {
  Values values;
  for (const auto& [assignment, message] : std::vector<std::pair<std::string, std::string>>{
           {"driver.speed.target", "expected KEY=VALUE"},
           {"=4", "expected a dotted key before the ="},
           {"driver..speed=4", "expected a dotted key before the ="},
           {"stop[x].value=4", "expected a dotted key before the ="},
           {"stop[1]value=4", "expected a dotted key before the ="},
           {"driver.speed.target=", "expected a value after the ="},
           {"driver.speed.target=[1, 2", "not a TOML value: [1, 2"},
           {"driver.speed.target=1\nx = 2", "the value must be on one line"},
           {"stop[2].value=4", "there is no entry 2: the array has 2"},
           {"stop.value=4", "expected an index instead of \"value\": it is an array"},
           {"name.first=4", "\"first\" is below text \"drive\", not below a table"}}) {
    EXPECT_EQ(read({assignment}, &values).find(concat("--set ", assignment, ": ", message)), 0U)
        << assignment;
  }
}

TEST(TomlOverride, ReportsAllMistakesAtOnce) {
  Values values;
  const std::string message = read({"nmae=1", "stop[9].value=1"}, &values);
  EXPECT_NE(message.find("--set nmae=1: nmae: unknown key; did you mean \"name\"?"),
            std::string::npos);
  EXPECT_NE(message.find("--set stop[9].value=1: there is no entry 9"), std::string::npos);
}

// Any text after --set is a value or gives a message.
TEST(TomlOverride, SurvivesRandomText) {
  constexpr std::string_view kLetters = "ab.[]=01\"'{}#,\\\n\xC3\xA9 stopvaluedriver";
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random = RandomStream(seed).substream("assignment");
    std::string assignment;
    const auto length = random.integer(0, 24);
    for (std::int64_t i = 0; i < length; ++i)
      assignment += kLetters[static_cast<std::size_t>(
          random.integer(0, static_cast<std::int64_t>(kLetters.size()) - 1))];
    Values values;
    read({assignment}, &values);
  }
}

}  // namespace
}  // namespace camber
