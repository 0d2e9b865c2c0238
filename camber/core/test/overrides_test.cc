#include "camber/core/overrides.h"

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"

namespace camber {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kVehicle = R"(name = "mule"
about = "an example"
[axles.front]
track = 1.81
at = [1.5, 0.0, 0.3]
"cross member".mass = 41.0
[axles.rear]
track = 1.83
at = [-1.7, 0.0, 0.3]
"cross member".mass = 37.0
)";

struct Car {
  std::string name, about;
  std::vector<double> front_at;
  double front_track = 0, rear_track = 0, front_mass = 0;
};

Car read_car(TomlFile file) {
  Car car;
  car.name = file.root().at("name").text();
  car.about = file.root().get("about", std::string()).text();
  for (const TomlNode& axle : file.root().at("axles").entries()) {
    const double track = axle.at("track").positive("m");
    const std::vector<double> at = axle.at("at").numbers(3, "m");
    const double mass = axle.at("cross member").at("mass").positive("kg");
    if (axle.key() == "rear") {
      car.rear_track = track;
    } else {
      car.front_track = track;
      car.front_at = at;
      car.front_mass = mass;
    }
  }
  file.finish();
  return car;
}

Car read_with(const Texts& texts, std::string_view part) {
  TomlFile file = parse_toml(kVehicle, "mule.toml");
  Overrides(texts).apply(part, &file);
  return read_car(std::move(file));
}

std::string message_of(const Texts& texts, std::string_view part = "vehicle") {
  try {
    read_with(texts, part);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Overrides, ReachTheFileOfTheirPartOnly) {
  const Texts texts = {"axles.front.track=1.9", "vehicle:axles.front.track=2.1",
                       "tire:axles.front.track=2.2"};
  EXPECT_EQ(read_with(texts, "").front_track, 1.9);
  EXPECT_EQ(read_with(texts, "vehicle").front_track, 2.1);
  EXPECT_EQ(read_with(texts, "tire").front_track, 2.2);
  EXPECT_EQ(read_with(texts, "terrain").front_track, 1.81);
}

TEST(Overrides, TakeEveryKindOfValue) {
  const Car car =
      read_with({"vehicle:name=cart", "vehicle:about=\"12:30 = noon\"",
                 "vehicle:axles.front.at=[1.6, 0.1, 0.35]", "vehicle:axles.rear.track=2",
                 "vehicle:axles.front.\"cross member\".mass=43.5"},
                "vehicle");
  EXPECT_EQ(car.name, "cart");
  EXPECT_EQ(car.about, "12:30 = noon");
  EXPECT_EQ(car.front_at, (std::vector<double>{1.6, 0.1, 0.35}));
  EXPECT_EQ(car.rear_track, 2);
  EXPECT_EQ(car.front_mass, 43.5);
}

TEST(Overrides, LaterAssignmentsReplaceEarlierOnes) {
  EXPECT_EQ(read_with({"name=cart", "name=buggy"}, "").name, "buggy");
}

TEST(Overrides, TakeAColonForAPartOnlyInFrontOfTheKey) {
  const Overrides none(Texts{"name=a:b", "name=vehicle:x=3", "name=\"vehicle:x\"", "'vehicle:x'=3",
                             "axles.\"front:left\".track=3"});
  EXPECT_EQ(none.parts(), Texts{});
  EXPECT_EQ(read_with({"name=vehicle:x=3"}, "").name, "vehicle:x=3");
  EXPECT_EQ(read_with({"vehicle:name=a:b"}, "vehicle").name, "a:b");
}

TEST(Overrides, ListTheirPartsAndTexts) {
  const Texts texts = {"tire:radius=0.4", "run.step=0.001", "vehicle:name=cart", "tire:mass=31"};
  const Overrides overrides(texts);
  EXPECT_EQ(overrides.parts(), (Texts{"tire", "vehicle"}));
  EXPECT_EQ(overrides.texts(), texts);
  EXPECT_FALSE(overrides.empty());
  EXPECT_TRUE(Overrides().empty());
}

TEST(Overrides, AreThePlaceOfTheirMistakes) {
  EXPECT_EQ(message_of({"vehicle:axles.front.track=-2"}),
            "--set vehicle:axles.front.track=-2: axles.front.track: must be > 0 m, got -2");
  EXPECT_EQ(message_of({"vehicle:axles.front.tarck=2"}),
            "--set vehicle:axles.front.tarck=2: axles.front.tarck: unknown key; did you mean "
            "\"track\"?");
  EXPECT_EQ(message_of({"vehicle:axles.front.track=wide"}),
            "--set vehicle:axles.front.track=wide: axles.front.track: expected a number [m], found "
            "text \"wide\"");
  EXPECT_EQ(message_of({"vehicle:axles.front.at=[1, 2]"}),
            "--set vehicle:axles.front.at=[1, 2]: axles.front.at: expected 3 numbers, found 2");
  EXPECT_EQ(message_of({"vehicle:axles.front.at[3]=2"}),
            "--set vehicle:axles.front.at[3]=2: there is no entry 3: the array has 3");
  EXPECT_EQ(message_of({"vehicle:name=3"}),
            "--set vehicle:name=3: name: expected a text, found integer 3");
}

// A name that the author of a file chose cannot be unknown; what is then missing below it says
// which one was meant.
TEST(Overrides, SuggestTheNameOfATableThatTheFileHas) {
  EXPECT_NE(message_of({"vehicle:axles.fornt.track=2"})
                .find("--set vehicle:axles.fornt.track=2: axles.fornt.at: missing; the file itself "
                      "has no \"axles.fornt\"; did you mean \"front\"?"),
            std::string::npos);
}

TEST(Overrides, SuggestTheOnlyPlaceThatHasAKey) {
  TomlFile file = parse_toml("[parameters]\nV = 20.0\n", "model.toml");
  Overrides(Texts{"V=3"}).apply("", &file);
  file.root().at("parameters").at("V").number("");
  try {
    file.finish();
    FAIL() << "no error";
  } catch (const ModelFileError& error) {
    EXPECT_STREQ(error.what(), "--set V=3: V: unknown key; did you mean \"parameters.V\"?");
  }
  // Two axles have a track: neither is more likely.
  EXPECT_EQ(message_of({"track=3"}, ""), "--set track=3: track: unknown key");
}

TEST(Overrides, RefuseATextThatIsNotAnAssignment) {
  for (const auto& [text, problem] : std::vector<std::pair<std::string, std::string>>{
           {"", "expected KEY=VALUE or PART:KEY=VALUE"},
           {"track", "expected KEY=VALUE or PART:KEY=VALUE"},
           {"vehicle:track", "expected KEY=VALUE or PART:KEY=VALUE"},
           {"vehicle:", "expected KEY=VALUE or PART:KEY=VALUE"},
           {"vehicle:=3", "expected a dotted key before the ="},
           {":track=3", "expected a dotted key before the ="},
           {"two words:track=3", "expected a dotted key before the ="},
           {"vehicle:tire:track=3", "expected a dotted key before the ="},
           {"vehicle:axles..track=3", "expected a dotted key before the ="},
           {"vehicle:axles.\"\".track=3", "expected a dotted key before the ="},
           {"vehicle:track=", "expected a value after the ="},
           {"vehicle:track=[1", "not a TOML value: [1"}}) {
    try {
      Overrides{Texts{text}};
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()).find(concat("--set ", text, ": ", problem)), 0U)
          << error.what();
    }
  }
}

TEST(Overrides, KnowTheirParts) {
  const auto message = [](const Texts& texts, const std::vector<std::string_view>& known) {
    try {
      Overrides(texts).require_parts(known);
    } catch (const ModelFileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({"tire:radius=0.4", "radius=0.4"}, {"vehicle", "tire"}), "");
  EXPECT_EQ(message({"tyre:radius=0.4"}, {"vehicle", "tire"}),
            "--set tyre:radius=0.4: there is no part \"tyre\"; did you mean \"tire\"?");
  EXPECT_EQ(message({"moon:radius=0.4"}, {"vehicle", "tire"}),
            "--set moon:radius=0.4: there is no part \"moon\"; it is one of vehicle, tire");
  EXPECT_EQ(message({"tire:radius=0.4"}, {}),
            "--set tire:radius=0.4: there is no part \"tire\": this file names no other files");
  const std::string both = message({"tyre:radius=0.4", "moon:x=1"}, {"tire"});
  EXPECT_NE(both.find("--set tyre:"), std::string::npos);
  EXPECT_NE(both.find("--set moon:"), std::string::npos);
}

TEST(Overrides, CanBeRefusedForAPart) {
  const Overrides overrides(Texts{"tire:radius=0.4", "radius=0.3"});
  EXPECT_NO_THROW(overrides.refuse("vehicle", "no"));
  try {
    overrides.refuse("tire", "a .tir file takes no --set");
    FAIL() << "no error";
  } catch (const ModelFileError& error) {
    EXPECT_STREQ(error.what(), "--set tire:radius=0.4: a .tir file takes no --set");
  }
}

TEST(Overrides, LoadWithAFile) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "mule.toml").string();
  std::ofstream(path) << kVehicle;
  const Overrides overrides(Texts{"vehicle:name=cart"});
  EXPECT_EQ(read_car(load_toml(path, overrides)).name, "mule");
  EXPECT_EQ(read_car(load_toml(path, overrides, "vehicle")).name, "cart");
}

// Any text is an assignment or an error that names it; an assignment is set or noted in its file.
TEST(Overrides, SurviveRandomText) {
  constexpr std::string_view kLetters = "ab.[]=01\"'{}#,\\\n\xC3\xA9: axlesfrontvehicle";
  int good = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random = RandomStream(seed).substream("override");
    std::string text;
    const auto length = random.integer(0, 24);
    for (std::int64_t i = 0; i < length; ++i)
      text += kLetters[static_cast<std::size_t>(
          random.integer(0, static_cast<std::int64_t>(kLetters.size()) - 1))];
    try {
      const Overrides overrides{Texts{text}};
      ++good;
      for (const std::string& part : {std::string(), std::string("vehicle")}) {
        TomlFile file = parse_toml(kVehicle, "mule.toml");
        overrides.apply(part, &file);
        try {
          read_car(std::move(file));
        } catch (const ModelFileError&) {
        }
      }
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()).find("--set " + text), 0U);
    }
  }
  EXPECT_GT(good, 20);
}

}  // namespace
}  // namespace camber
