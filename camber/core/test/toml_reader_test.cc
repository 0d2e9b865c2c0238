#include "camber/core/toml_reader.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/file.h"

namespace camber {
namespace {

const auto kRest = [](const TomlNode& node) { node.entries(); };

// All that a reading of `text` finds fault with; "" if nothing.
std::string message_of(const std::string& text, const std::function<void(const TomlNode&)>& read) {
  try {
    TomlFile file = parse_toml(text, "models/mule.toml");
    read(file.root());
    file.finish();
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

// --- What is right ---

TEST(TomlReader, ReadsEveryKindOfValue) {
  TomlFile file = parse_toml(R"(
name = "mule"
mass = 2345.5            # [kg]
wheels = 4
amphibious = false
drive = "all"
[chassis]
center = [0.31, -0.02, 0.74]
inertia = [[420.5, 1, -3], [1, 1310, 2.5], [-3, 2.5, 1505]]
tags = ["utility", "6x6"]
[[body]]
mass = 12.5
[[body]]
mass = 13
)",
                             "models/mule.toml");
  const TomlNode root = file.root();
  EXPECT_EQ(root.at("name").text(), "mule");
  EXPECT_EQ(root.at("mass").positive("kg"), 2345.5);
  EXPECT_EQ(root.at("wheels").integer(3, 16), 4);
  EXPECT_FALSE(root.at("amphibious").boolean());
  EXPECT_EQ(root.at("drive").choice({"front", "rear", "all"}), "all");
  const TomlNode chassis = root.at("chassis");
  EXPECT_EQ(chassis.at("center").numbers(3, "m"), (std::vector<double>{0.31, -0.02, 0.74}));
  EXPECT_EQ(chassis.at("inertia").matrix(3, 3, "kg m^2"),
            (std::vector<double>{420.5, 1, -3, 1, 1310, 2.5, -3, 2.5, 1505}));
  EXPECT_EQ(chassis.at("tags").texts(), (std::vector<std::string>{"utility", "6x6"}));
  std::vector<double> masses;
  for (const TomlNode& body : root.at("body").tables())
    masses.push_back(body.at("mass").positive("kg"));
  EXPECT_EQ(masses, (std::vector<double>{12.5, 13}));
  EXPECT_NO_THROW(file.finish());
}

// A name goes to the terminal and into pages as it is: "\033]0;..." would rename the window.
TEST(TomlReader, RefusesControlCharactersInTexts) {
  const auto read = [](const TomlNode& node) { node.at("name").text(); };
  for (const char* bad : {"\\u001b]0;gone\\u0007", "a\\u007f", "a\\u0085b", "\\u0000"})
    EXPECT_NE(message_of(std::string("name = \"") + bad + "\"\n", read).find("control character"),
              std::string::npos)
        << bad;
  for (const char* good : {"\u00dcnimog (v2)", "two\\nlines\\twith a tab", "\u20ac \u4e2d"})
    EXPECT_EQ(message_of(std::string("name = \"") + good + "\"\n", read), "") << good;
}

TEST(TomlReader, FillsInDefaults) {
  TomlFile file = parse_toml("mu = 0.65\n[tire]\n", "a.toml");
  const TomlNode root = file.root();
  EXPECT_EQ(root.get("mu", 0.8).positive(""), 0.65);
  const TomlNode tire = root.get("tire", 0);
  EXPECT_EQ(tire.get("mu", 0.8).positive(""), 0.8);
  EXPECT_EQ(tire.get("plies", 6).integer(1, 20), 6);
  EXPECT_EQ(tire.get("plies", 6).positive(""), 6.0);
  EXPECT_TRUE(tire.get("tubeless", true).boolean());
  EXPECT_EQ(tire.get("law", "fiala").choice({"fiala", "magic"}), "fiala");
  EXPECT_FALSE(root.find("driveline"));
  EXPECT_TRUE(root.find("tire"));
  EXPECT_NO_THROW(file.finish());
}

TEST(TomlReader, ListsATablesEntriesInTheOrderOfTheFile) {
  TomlFile file =
      parse_toml("[body.wheel]\nm=17.5\n[body.arm]\nm=3.25\n[body.chassis]\nm=812\n", "a.toml");
  std::string listed;
  for (const TomlNode& body : file.root().at("body").entries()) {
    listed += body.key() + "=" + std::to_string(body.at("m").positive("kg")) + " ";
  }
  EXPECT_EQ(listed, "wheel=17.500000 arm=3.250000 chassis=812.000000 ");
}

TEST(TomlReader, AcceptsCrlfAndByteOrderMark) {
  TomlFile file =
      parse_toml("\xEF\xBB\xBFkind = 'vehicle'\r\n[wheel]\r\nradius = -0.31\r\n", "a.toml");
  EXPECT_EQ(file.root().at("kind").text(), "vehicle");
  EXPECT_EQ(to_text(file.root().at("kind").position()), "a.toml:1:8: kind");
  EXPECT_EQ(to_text(file.root().at("wheel").at("radius").position()), "a.toml:3:10: wheel.radius");
}

TEST(TomlReader, KeepsThePlaceOfKeysAndValues) {
  TomlFile file =
      parse_toml("[wheels.front_left]\n  radius   =  0.31\n\"a b\".c = [1, [2, 3]]\n", "a.toml");
  const TomlNode wheel = file.root().at("wheels").at("front_left");
  EXPECT_EQ(to_text(wheel.at("radius").key_position()), "a.toml:2:3: wheels.front_left.radius");
  EXPECT_EQ(to_text(wheel.at("radius").position()), "a.toml:2:15: wheels.front_left.radius");
  EXPECT_EQ(to_text(wheel.key_position()), "a.toml:1:9: wheels.front_left");
  const TomlNode c = wheel.at("a b").at("c");
  EXPECT_EQ(to_text(c.elements()[1].elements()[0].position()),
            "a.toml:3:16: wheels.front_left.\"a b\".c[1][0]");
}

// --- What is wrong ---

TEST(TomlReader, NamesFileLineAndKeyOfABadRadius) {
  EXPECT_EQ(message_of("\n[wheels.front_left]\n  radius = -0.31\n",
                       [](const TomlNode& root) {
                         const TomlNode wheel = root.at("wheels").at("front_left");
                         EXPECT_GT(wheel.at("radius").positive("m"), 0);  // harmless
                       }),
            "models/mule.toml:3:12: wheels.front_left.radius: must be > 0 m, got -0.31");
}

TEST(TomlReader, StatesRangeAndUnitOfEveryNumber) {
  const std::string text = "a=-3\nb=-0.5\nc=1.75\nd=17\ne=nan\nf=-inf\n";
  EXPECT_EQ(message_of(text,
                       [](const TomlNode& root) {
                         root.at("a").positive("");
                         root.at("b").non_negative("N/m");
                         root.at("c").in_range(-1.2, 1.2, "rad");
                         root.at("d").integer(1, 16);
                         root.at("e").number("kg");
                         root.at("f").in_range(-1e300, 1e300, "kg");
                       }),
            "models/mule.toml:1:3: a: must be > 0, got -3\n"
            "models/mule.toml:2:3: b: must be >= 0 N/m, got -0.5\n"
            "models/mule.toml:3:3: c: must be from -1.2 to 1.2 rad, got 1.75\n"
            "models/mule.toml:4:3: d: must be from 1 to 16, got 17\n"
            "models/mule.toml:5:3: e: must be finite, got nan\n"
            "models/mule.toml:6:3: f: must be finite, got -inf");
}

TEST(TomlReader, SaysWhatItExpectedAndWhatItFound) {
  const std::string text =
      "a='heavy'\nb=2.5\nc='yes'\nd=7\ne=1\nf={x=1}\ng=[1, 'two', 3]\nh=2024-02-29\ni=true\n";
  EXPECT_EQ(message_of(text,
                       [](const TomlNode& root) {
                         root.at("a").number("kg");
                         root.at("b").integer(0, 9);
                         root.at("c").boolean();
                         root.at("d").text();
                         root.at("e").at("x").at("y").number("m");
                         root.at("f").numbers("m");
                         root.at("g").numbers("m");
                         root.at("h").positive("");
                         root.at("i").tables();
                       }),
            "models/mule.toml:1:3: a: expected a number [kg], found text \"heavy\"\n"
            "models/mule.toml:2:3: b: expected an integer, found number 2.5\n"
            "models/mule.toml:3:3: c: expected true or false, found text \"yes\"\n"
            "models/mule.toml:4:3: d: expected a text, found integer 7\n"
            "models/mule.toml:5:3: e: expected a table, found integer 1\n"
            "models/mule.toml:6:3: f: expected an array of numbers [m], found a table\n"
            "models/mule.toml:7:7: g[1]: expected a number [m], found text \"two\"\n"
            "models/mule.toml:8:3: h: expected a number, found date \"2024-02-29\"\n"
            "models/mule.toml:9:3: i: expected an array of tables, found true");
}

TEST(TomlReader, ChecksTheShapeOfVectorsAndMatrices) {
  std::vector<double> vector, ragged, flat;
  const std::string text = "a=[1.5, 2.5]\nb=[[1,2],[3]]\nc=[[1,2,3]]\nd=[{x=1}, 5]\n";
  EXPECT_EQ(message_of(text,
                       [&](const TomlNode& root) {
                         vector = root.at("a").numbers(3, "m");
                         ragged = root.at("b").matrix(2, 2, "");
                         flat = root.at("c").matrix(3, 3, "");
                         for (const TomlNode& d : root.at("d").tables()) d.at("x").number("");
                       }),
            "models/mule.toml:1:3: a: expected 3 numbers, found 2\n"
            "models/mule.toml:2:10: b[1]: expected 2 numbers, found 1\n"
            "models/mule.toml:3:3: c: expected 3 rows, found 1\n"
            "models/mule.toml:4:11: d[1]: expected a table, found integer 5");
  EXPECT_EQ(vector.size(), 3u);
  EXPECT_EQ(ragged.size(), 4u);
  EXPECT_EQ(flat.size(), 9u);
}

TEST(TomlReader, SuggestsAChoice) {
  EXPECT_EQ(message_of("drive = 'reer'\nlaw = 3",
                       [](const TomlNode& root) {
                         root.at("drive").choice({"front", "rear", "all"});
                         root.at("law").choice({"fiala", "magic"});
                       }),
            "models/mule.toml:1:9: drive: must be one of \"front\", \"rear\", \"all\", "
            "got text \"reer\"; did you mean \"rear\"?\n"
            "models/mule.toml:2:7: law: expected one of \"fiala\", \"magic\", found integer 3");
}

TEST(TomlReader, FindsUnknownKeysAndSuggestsTheRightOne) {
  const std::string text =
      "[driveline]\ndiferential = 'open'\nratio = 3.73\nxyz = 1\n[drvline]\nanything = {a = 1}\n";
  EXPECT_EQ(message_of(text,
                       [](const TomlNode& root) {
                         const TomlNode driveline = root.at("driveline");
                         driveline.get("differential", "open").text();
                         driveline.at("ratio").positive("");
                       }),
            "models/mule.toml:2:1: driveline.diferential: unknown key; did you mean "
            "\"differential\"?\n"
            "models/mule.toml:4:1: driveline.xyz: unknown key\n"
            "models/mule.toml:5:2: drvline: unknown key");
}

TEST(TomlReader, FindsUnknownKeysInsideArraysOfTables) {
  EXPECT_EQ(message_of("[[body]]\nmass = 7.5\n[[body]]\nmass = 3.5\ncolour = 'red'\n",
                       [](const TomlNode& root) {
                         for (const TomlNode& body : root.at("body").tables()) {
                           body.at("mass").positive("kg");
                           body.get("color", "gray").text();
                         }
                       }),
            "models/mule.toml:5:1: body[1].colour: unknown key; did you mean \"color\"?");
}

TEST(TomlReader, SaysOnceThatAKeyIsMissing) {
  EXPECT_EQ(message_of("name = 'x'\n[tire]\n",
                       [](const TomlNode& root) {
                         root.at("name").text();
                         root.at("tire").at("radius").positive("m");
                         root.at("engine").at("map").at("torque").numbers(5, "N m");
                       }),
            "models/mule.toml:1:1: engine: missing\n"
            "models/mule.toml:2:1: tire.radius: missing");
  // What a reader finds wrong with the stand-in for a missing value is not the author's mistake.
  EXPECT_EQ(message_of("[tire]\n",
                       [](const TomlNode& root) {
                         root.at("tire").at("widths").error("must have at least 2 numbers");
                         root.at("engine").at("speeds").error("must ascend");
                         root.find("rim").error("must be given with a tire");
                       }),
            "models/mule.toml:1:1: engine: missing\n"
            "models/mule.toml:1:1: rim: must be given with a tire\n"
            "models/mule.toml:1:1: tire.widths: missing");
}

TEST(TomlReader, NamesTheNewKeyWhereAFileHasTheOldOne) {
  const auto read = [](const TomlNode& root) {
    const TomlNode steering = root.at("steering");
    steering.renamed("greatest_rate", "max_rate");
    steering.renamed("least_rate", "min_rate");
    steering.at("max_rate").positive("rad/s");
    steering.get("min_rate", 0.5).positive("rad/s");
    root.renamed("way", "distance");
    root.find("distance");
  };
  EXPECT_EQ(message_of("[steering]\ngreatest_rate = 3.5\nleast_rate = 'slow'\n", read),
            "models/mule.toml:2:1: steering.greatest_rate: renamed to \"max_rate\"\n"
            "models/mule.toml:3:1: steering.least_rate: renamed to \"min_rate\"");
  // A table under an old key is reported once, not key by key.
  EXPECT_EQ(message_of("[steering]\nmax_rate = 3.5\n[way]\nx = 1\n", read),
            "models/mule.toml:3:2: way: renamed to \"distance\"");
  // The old key is reported also where the new one is there.
  EXPECT_EQ(message_of("[steering]\nmax_rate = 3.5\ngreatest_rate = 3.5\n", read),
            "models/mule.toml:3:1: steering.greatest_rate: renamed to \"max_rate\"");
  EXPECT_EQ(message_of("[steering]\nmax_rate = 3.5\n", read), "");
  EXPECT_EQ(message_of("steering = 2\n", read),
            "models/mule.toml:1:12: steering: expected a table, found integer 2");
}

TEST(TomlReader, TakesMistakesThatOnlyTheCallerSees) {
  EXPECT_EQ(message_of("force = \"k*\\t(x\"\nbody = 'arm'",
                       [](const TomlNode& root) {
                         root.at("force").error_in_text(3, "no closing \")\"");
                         root.at("body").error("no such body");
                         root.at("body").warning("deprecated");
                       }),
            "models/mule.toml:1:14: force: no closing \")\"\n"
            "models/mule.toml:2:8: body: no such body\n"
            "models/mule.toml:2:8: body: warning: deprecated");
}

// A value out of range is replaced by one of the range's ends. What a later check found wrong with
// that one came as a second error: target = 300 was "must be >= 0, got -200".
TEST(TomlReader, SaysOneThingAboutAValueThatItReplaces) {
  EXPECT_EQ(message_of("a = 300\nb = -1\nc = \"fast\"\nd = \"rde\"\ne = 9",
                       [](const TomlNode& root) {
                         if (root.at("a").in_range(-200, 200, "m/s") < 0)
                           root.at("a").error("must be >= 0");
                         if (root.at("b").positive("kg") < 10) root.at("b").error("is too light");
                         if (root.at("c").number("m") < 1) root.at("c").error("is too short");
                         if (root.at("d").choice({"blue", "red"}) == "blue")
                           root.at("d").error("is not for this car");
                         root.at("e").integer(0, 3);
                         root.at("e").error("is none of them");
                       }),
            "models/mule.toml:1:5: a: must be from -200 to 200 m/s, got 300\n"
            "models/mule.toml:2:5: b: must be > 0 kg, got -1\n"
            "models/mule.toml:3:5: c: expected a number [m], found text \"fast\"\n"
            "models/mule.toml:4:5: d: must be one of \"blue\", \"red\", got text \"rde\"; did you "
            "mean \"red\"?\n"
            "models/mule.toml:5:5: e: must be from 0 to 3, got 9");
}

TEST(TomlReader, ShowsHostileTextOnOneShortLine) {
  const std::string message =
      message_of("a = \"" + std::string(5000, 'x') + "\"\nb = \"1\\n\\u001b\\\"\"\n",
                 [](const TomlNode& root) {
                   root.at("a").number("m");
                   root.at("b").number("m");
                 });
  EXPECT_EQ(message,
            "models/mule.toml:1:5: a: expected a number [m], found text \"" + std::string(60, 'x') +
                "...\"\n" +
                "models/mule.toml:2:5: b: expected a number [m], found text \"1\\n?\\\"\"");
}

TEST(TomlReader, RefusesWhatIsNotToml) {
  EXPECT_EQ(
      message_of("a = 1\na = 2\n", kRest),
      "models/mule.toml:2:5: not valid TOML: parsing key-value pair: cannot redefine existing "
      "integer 'a'");
  EXPECT_EQ(message_of("a = 1\n[a.b]\n", kRest).substr(0, 33), "models/mule.toml:2:7: not valid T");
  for (const std::string bad : {"a", "a =", "= 1", "[a", "a = 'x", "a = 1e999", "a = 0x",
                                "a = 1 b = 2", "a = 99999999999999999999", "a = {b = 1",
                                "a = \"\\q\"", "a = [1, 2", "a = \"\x01\"", "[[a]]\n[a]\n"}) {
    EXPECT_NE(message_of(bad, kRest).find("not valid TOML"), std::string::npos) << bad;
  }
  EXPECT_EQ(message_of("", kRest), "");
}

// --- Files ---

std::string load_message(const std::string& path) {
  try {
    load_toml(path);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(LoadToml, SaysWhyAFileCannotBeRead) {
  const std::string folder = testing::TempDir();
  EXPECT_EQ(load_message(folder + "no_such_camber_model.toml"),
            folder + "no_such_camber_model.toml: cannot read: No such file or directory");
  EXPECT_EQ(load_message(folder), folder + ": cannot read: Is a directory");
  EXPECT_EQ(load_message("/dev/zero"), "/dev/zero: longer than 8388608 bytes");
}

TEST(LoadToml, ReadsAFile) {
  const std::string path =
      testing::TempDir() + "camber_reader_test_" + std::to_string(::getpid()) + ".toml";
  write_file_atomically(path, "mass = 12.5\n");
  TomlFile file = load_toml(path);
  EXPECT_EQ(file.root().at("mass").positive("kg"), 12.5);
  EXPECT_EQ(file.root().at("mass").position().file, path);
  std::filesystem::remove(path);
}

// A limit of memory and time in one: half a second and a few hundred megabytes on a 2020 laptop.
TEST(LoadToml, ReadsABigTable) {
  std::string text = "torque = [\n";
  for (int i = 0; i < 100'000; ++i) text += std::to_string(0.25 * i) + ",\n";
  text += "]\n";
  TomlFile file = parse_toml(text, "a.toml");
  const std::vector<double> torque = file.root().at("torque").numbers(100'000, "N m");
  EXPECT_EQ(torque[99'999], 24999.75);
  EXPECT_NO_THROW(file.finish());
}

}  // namespace
}  // namespace camber
